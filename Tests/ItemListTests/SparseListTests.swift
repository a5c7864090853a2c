import Randomness
import Testing

@testable import ItemList

/// Lists with unloaded rows, compared with plain arrays in which these rows are nil.
struct SparseListTests {
  private struct Pair {
    var list = SparseList()
    var model: [Sample?] = []

    var samples: [Sample?] {
      list.runs(in: 0..<list.count).flatMap { run -> [Sample?] in
        switch run {
        case .unloaded(let count): Array(repeating: nil, count: count)
        case .rows(let rows):
          list.rows.items(in: rows).map { item in
            let text = String(decoding: item.bytes, as: UTF8.self).split { !$0.isNumber }
            return Sample(Int(text[0]) ?? -1, Int(text[1]) ?? -1)
          }
        }
      }
    }

    func check(_ comment: Comment) {
      #expect(samples == model, comment)
      #expect(list.count == model.count && list.unloadedCount == model.count { $0 == nil }, comment)
      let read = model.indices.filter { model[$0] != nil }
      #expect(read.indices.map(list.position(ofRow:)) == read, comment)
      let unloaded = model.indices.filter { model[$0] == nil }
      #expect(unloaded.indices.map(list.position(ofUnloaded:)) == unloaded, comment)
      #expect(list.position(ofUnloaded: unloaded.count) == nil, comment)
      #expect(model.indices.map(list.row(at:)) == model.indices.map { read.firstIndex(of: $0) }, comment)
    }

    /// The row index and the position of a random loaded row.
    func read(_ random: inout SplitMix64) -> (row: Int, position: Int)? {
      let read = model.indices.filter { model[$0] != nil }
      return read.isEmpty ? nil : { ($0, read[$0]) }(Int.random(in: read.indices, using: &random))
    }

    mutating func step(_ random: inout SplitMix64) -> String {
      let (fresh, place) = (Int.random(in: 0..<40, using: &random), Int.random(in: 0...model.count, using: &random))
      switch Int.random(in: 0..<9, using: &random) {
      case 8:
        let range = place..<place + model[place...].prefix { $0 == nil }.prefix(4).count
        let samples = (0..<Int.random(in: 0...5, using: &random)).map { Sample(($0 * 7 + fresh) % 40, fresh) }
        if !range.isEmpty, !samples.contains(where: { new in model.contains { $0?.id == new.id } }) {
          list.replaceUnloaded(range, with: page(samples))
          model.replaceSubrange(range, with: samples)
          return "\(samples.map(\.id)) in the place of \(range)"
        }
      case 0, 1:
        let ids = (0..<Int.random(in: 0...5, using: &random)).map { ($0 * 7 + fresh) % 40 }
        let samples = ids.map { Sample($0, fresh) }
        list.write(page(samples), at: place)
        for index in model.indices where ids.contains(model[index]?.id ?? -1) { model[index] = nil }
        while model.count < place + samples.count { model.append(nil) }
        model.replaceSubrange(place..<place + samples.count, with: samples)
        return "write \(ids) at \(place)"
      case 2:
        if let (row, position) = read(&random), !model.contains(where: { $0?.id == fresh }) {
          list.insert(item(fresh), atRow: row, isAfterUnloaded: true)
          model.insert(Sample(fresh), at: position)
          return "insert \(fresh) before \(position)"
        }
      case 3:
        if let (row, position) = read(&random), !model.contains(where: { $0?.id == fresh }) {
          list.insert(item(fresh), atRow: row + 1, isAfterUnloaded: false)
          model.insert(Sample(fresh), at: position + 1)
          return "insert \(fresh) after \(position)"
        }
      case 4:
        if let (_, position) = read(&random), let sample = model.remove(at: position) {
          let id = Array(sample.rawID.utf8)
          list.remove(rawID: id.span)
          return "remove \(sample.id)"
        }
      case 5:
        if let (row, position) = read(&random) {
          let count = model[position...].prefix { $0 != nil }.count
          list.evict(row..<row + count)
          for index in position..<position + count { model[index] = nil }
          return "let \(position) go and \(count - 1) more"
        }
      case 6:
        let size = max(0, place + 3 - Int.random(in: 0..<6, using: &random))
        list.resize(to: size)
        while model.count > size { model.remove(at: model.lastIndex { $0 == nil } ?? model.count - 1) }
        while model.count < size { model.append(nil) }
        return "resize to \(size)"
      default:
        let isUnloaded = [place - 1, place].contains { model.indices.contains($0) && model[$0] == nil }
        if isUnloaded, Bool.random(using: &random) {
          list.insert(item(99), at: place)
          model.insert(nil, at: place)
          return "one more at \(place)"
        } else if place < model.count {
          list.removeUnloaded(at: place)
          if model[place] == nil { model.remove(at: place) }
          return "one less at \(place)"
        }

      }
      return "nothing"
    }
  }

  @Test(arguments: 0..<40 as Range<UInt64>) func `a sparse list equals a plain array after random changes`(seed: UInt64)
  {
    var random = SplitMix64(seed: seed)
    var pair = Pair()
    for _ in 0..<100 {
      let step = pair.step(&random)
      pair.check("seed \(seed), after \(step)")
    }
  }

  @Test func `unloaded rows stay between the same loaded rows`() {
    var list = SparseList(ItemList(0..<4))
    list.addUnloaded(5, before: 2)
    list.addUnloaded(3, before: 4)
    var other = list.rows
    #expect(list.with(rows: other).runs(in: 0..<20) == [.rows(0..<2), .unloaded(5), .rows(2..<4), .unloaded(3)])
    _ = other.remove(1)
    other.replace(item(2, 9))
    #expect(list.with(rows: other).runs(in: 0..<20) == [.rows(0..<1), .unloaded(5), .rows(1..<3), .unloaded(3)])
    _ = other.remove(2)
    _ = other.remove(3)
    #expect(list.with(rows: other).runs(in: 0..<20) == [.rows(0..<1), .unloaded(8)])
    other.insert(item(7), at: 0)
    #expect(list.with(rows: other).runs(in: 1..<4) == [.rows(1..<2), .unloaded(2)])
  }

  @Test func `rows that are put first come before unloaded rows`() {
    var list = SparseList(ItemList(0..<2))
    list.addUnloaded(3, before: 0)
    var other = list.rows
    other.insert(item(7), at: 0)
    other.insert(item(8), at: 1)
    #expect(list.with(rows: other).runs(in: 0..<9) == [.unloaded(3), .rows(0..<4)])
    #expect(list.with(rows: other, first: 1).runs(in: 0..<9) == [.rows(0..<1), .unloaded(3), .rows(1..<4)])
  }

  @Test func `gaps of unloaded rows keep their order when loaded rows move`() {
    var list = SparseList(ItemList(0..<3))
    list.addUnloaded(3, before: 0)
    list.addUnloaded(5, before: 1)
    // A row that was removed, and inserted again before all others.
    var other = ItemList()
    other.insert(item(1, 7), at: 0)
    #expect(list.with(rows: other, first: 1).runs(in: 0..<9) == [.rows(0..<1), .unloaded(8)])
    // Two rows that have changed places.
    list.addUnloaded(2, before: 2)
    for id in [2, 1] { other.remove(ItemID(id)) }
    other.insert(item(2, 7), at: 0)
    other.insert(item(1, 7), at: 1)
    #expect(list.with(rows: other).unloaded(in: 0..<12).reduce(0) { $0 + $1.count } == 10)
  }

  @Test func `ten million unloaded rows cost nothing`() {
    var list = SparseList()
    list.resize(to: 10_000_000)
    list.write(page(0..<20), at: 5_000_000)
    #expect(list.runs(in: 4_999_990..<5_000_030) == [.unloaded(10), .rows(0..<20), .unloaded(10)])
    #expect(list.unloaded(in: 4_999_990..<5_000_030) == [4_999_990..<5_000_000, 5_000_020..<5_000_030])
    #expect(list.position(of: ItemID("3")) == 5_000_003)
  }

  @Test func `evicting ignores rows beyond the end`() {
    for range in [0..<4, 2..<9, 7..<9] {
      var list = SparseList(ItemList(1...3))
      list.evict(range)
      let gone = range.clamped(to: 0..<3)
      #expect(list.count == 3 && list.unloaded(in: 0..<3) == (gone.isEmpty ? [] : [gone]))
    }
    var empty = SparseList()
    empty.evict(0..<4)
    #expect(empty.isEmpty)
  }
}
