import Randomness
import Testing

@testable import ItemList

/// A list, and a plain array that must always equal it.
private struct Pair {
  var list: ItemList
  private(set) var model: [Sample] = []
  private var ids = Set<Int>()

  init(_ list: ItemList) {
    self.list = list
  }

  private func known(_ id: Int) -> Int? { ids.contains(id) ? model.firstIndex { $0.id == id } : nil }

  mutating func append(_ samples: [Sample], atEnd: Bool) {
    var merged = ItemList.Merged()
    var fresh: [Sample] = []
    var replaced = Set<Int>()
    for (position, sample) in samples.enumerated() {
      if let known = fresh.firstIndex(where: { $0.id == sample.id }) {
        fresh[known] = sample
        merged.repeated.append(position)
      } else if let known = known(sample.id) {
        model[known] = sample
        if !replaced.insert(known).inserted { merged.repeated.append(position) }
      } else {
        fresh.append(sample)
      }
    }
    merged.added = fresh.count
    merged.replaced = replaced.count
    ids.formUnion(fresh.map(\.id))
    model.insert(contentsOf: fresh, at: atEnd ? model.count : 0)
    #expect((atEnd ? list.append(page(samples)) : list.prepend(page(samples))) == merged)
  }

  mutating func replace(_ sample: Sample) {
    let known = known(sample.id)
    if let known { model[known] = sample }
    #expect(list.replace(item(sample.id, sample.value)) == (known != nil))
  }

  mutating func insert(_ sample: Sample, at position: Int) {
    let known = known(sample.id)
    if let known { model[known] = sample } else { model.insert(sample, at: position) }
    ids.insert(sample.id)
    #expect(list.insert(item(sample.id, sample.value), at: position) == (known == nil))
  }

  mutating func remove(_ id: Int) {
    let known = known(id)
    if let known { model.remove(at: known) }
    ids.remove(id)
    #expect(list.remove(id) == known)
  }

  /// Moves adjacent items, and inserts others after them.
  mutating func move(_ block: Range<Int>, to target: Int, with fresh: [Sample]) {
    let samples = model[block] + fresh.filter { known($0.id) == nil }
    let items = list.items(in: block) + samples.dropFirst(block.count).map { item($0.id, $0.value) }
    list.replaceSubrange(block, with: [])
    model.removeSubrange(block)
    list.replaceSubrange(target..<target, with: items)
    model.insert(contentsOf: samples, at: target)
    ids.formUnion(samples.map(\.id))
  }

  mutating func removeAll() {
    list.removeAll()
    model.removeAll()
    ids.removeAll()
  }

  func check(_ ids: Range<Int>) {
    #expect(list.count == model.count)
    #expect(list.texts == model.map(\.text))
    #expect(list.faults() == [])
    for (position, sample) in model.enumerated() where list.position(of: sample.id) != position {
      Issue.record("\(sample.id) is at \(position), found at \(String(describing: list.position(of: sample.id)))")
    }
    #expect(!ids.contains { !self.ids.contains($0) && list.position(of: $0) != nil })
  }
}

@Suite struct ItemListPropertyTests {
  /// Makes random changes to a list and a plain array. Keeps snapshots, to compare with later versions and to continue
  /// from.
  private func run(
    seed: UInt64, steps: Int, ids: Int, largestPage: Int, keyGap: Int64, checkEvery: Int,
    shrinksAndGrows: Bool = false
  ) {
    var random = SplitMix64(seed: seed)
    var now = Pair(ItemList(keyGap: keyGap))
    var snapshots = [now]
    for step in 1...steps {
      let sample = Sample(.random(in: 0..<ids, using: &random), .random(in: 0..<3, using: &random))
      if shrinksAndGrows, step / 40 % 2 == 1 {
        // Removes adjacent items, so that leaves become empty.
        let position = Int.random(in: 0...now.model.count, using: &random)
        for sample in now.model.dropFirst(position).prefix(30) { now.remove(sample.id) }
      }
      switch Int.random(in: 0..<1000, using: &random) {
      case 0..<60, 60..<100:
        let atEnd = Bool.random(using: &random)
        let size = Int.random(in: 0...largestPage, using: &random)
        let samples = (0..<size).map { _ in Sample(.random(in: 0..<ids, using: &random), step) }
        now.append(samples, atEnd: atEnd)
      case 100..<130:
        let bounds = (0..<2).map { _ in Int.random(in: 0...now.model.count, using: &random) }.sorted()
        let target = Int.random(in: 0...now.model.count - (bounds[1] - bounds[0]), using: &random)
        let size = Int.random(in: 0...largestPage, using: &random)
        let fresh = Set((0..<size).map { _ in Int.random(in: 0..<ids, using: &random) })
        now.move(bounds[0]..<bounds[1], to: target, with: fresh.sorted().map { Sample($0, step) })
      case 130..<250: now.replace(sample)
      case 250..<550: now.insert(sample, at: .random(in: 0...now.model.count, using: &random))
      case 550..<600: now.insert(sample, at: now.model.count / 2)
      case 600..<950: now.remove(now.model.randomElement(using: &random)?.id ?? sample.id)
      case 950..<960: now.remove(sample.id)
      case 960..<962:
        now.removeAll()
      case 962..<970: now = snapshots.randomElement(using: &random) ?? now
      default: snapshots.append(now)
      }
      if snapshots.count > 8 { snapshots.remove(at: .random(in: 0..<8, using: &random)) }
      guard step % checkEvery == 0 else { continue }
      now.check(0..<ids)
      for old in snapshots {
        #expect(old.list.texts == old.model.map(\.text))
        let splices = ItemList.splices(from: old.list, to: now.list)
        #expect(applied(splices, to: old.model.map(\.text), itemsOf: now.list) == now.model.map(\.text))
      }
    }
    for snapshot in snapshots { snapshot.check(0..<ids) }
  }

  @Test(arguments: 1...4 as ClosedRange<UInt64>)
  func `a list equals a plain array after random changes`(seed: UInt64) {
    run(seed: seed, steps: 8000, ids: 800, largestPage: 40, keyGap: 1 << 32, checkEvery: 400)
  }

  @Test(arguments: 1...12 as ClosedRange<UInt64>)
  func `a list equals a plain array after it shrinks and grows again`(seed: UInt64) {
    run(
      seed: seed, steps: 600, ids: 1500, largestPage: 150, keyGap: seed % 2 == 0 ? 1 << 32 : 3, checkEvery: 20,
      shrinksAndGrows: true)
  }

  @Test(arguments: [2, 3, Int64.max / 4])
  func `a list equals a plain array when keys run out`(keyGap: Int64) {
    run(seed: 11, steps: 3000, ids: 1000, largestPage: 150, keyGap: keyGap, checkEvery: 200)
  }

  @Test(arguments: 1...200 as ClosedRange<UInt64>)
  func `a small list equals a plain array after every change`(seed: UInt64) {
    run(seed: seed, steps: 50, ids: 20, largestPage: 6, keyGap: 2, checkEvery: 1)
  }
}
