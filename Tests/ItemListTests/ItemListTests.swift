import Testing
import WireJSON

@testable import ItemList

@Suite struct ItemListTests {
  @Test func `a new list is empty`() {
    let list = ItemList()
    #expect(list.isEmpty)
    #expect(list.texts == [])
    #expect(list.position(of: 1) == nil)
  }

  @Test func `a page is added at the end in its order`() {
    var list = ItemList(1...3)
    let merged = list.append(page(4...5))
    #expect(list.ids == [1, 2, 3, 4, 5])
    #expect(merged == ItemList.Merged(added: 2))
  }

  @Test func `an item whose id is listed replaces the listed item in its position`() {
    var list = ItemList(1...3)
    let merged = list.append(page([4, 2], value: 7))
    #expect(list.texts == [Sample(1), Sample(2, 7), Sample(3), Sample(4, 7)].map(\.text))
    #expect(merged == ItemList.Merged(added: 1, replaced: 1))
  }

  @Test func `if an id occurs twice in a page, the last item takes the position of the first`() {
    var list = ItemList([1, 9])
    let merged = list.append(page([Sample(2), Sample(1, 1), Sample(2, 5), Sample(3), Sample(1, 2), Sample(2, 6)]))
    #expect(list.texts == [Sample(1, 2), Sample(9), Sample(2, 6), Sample(3)].map(\.text))
    #expect(merged == ItemList.Merged(added: 2, replaced: 1, repeated: [2, 4, 5]))
  }

  @Test func `an item that occurs twice with unchanged bytes counts as repeated`() {
    var list = ItemList(1...2)
    #expect(list.append(page([1, 1])) == ItemList.Merged(added: 0, replaced: 1, repeated: [1]))
  }

  @Test(arguments: [0, 1, 20, 63, 64, 65, 1000, 5000])
  func `repeated ids are found anywhere in a page`(count: Int) {
    for start in [0, 20, 64] {
      var list = ItemList(-start..<0)
      let merged = list.append(page(Array(0..<count) + (0..<count).reversed()))
      #expect(merged == ItemList.Merged(added: count, repeated: Array(count..<2 * count)))
      #expect(list.ids == Array(-start..<count))
      #expect(list.faults() == [])
    }
  }

  @Test func `a page at the start keeps its order and replaces listed items`() {
    var list = ItemList(1...3)
    let merged = list.prepend(page([Sample(8), Sample(3, 1), Sample(9), Sample(8, 4)]))
    #expect(list.texts == [Sample(8, 4), Sample(9), Sample(1), Sample(2), Sample(3, 1)].map(\.text))
    #expect(merged == ItemList.Merged(added: 2, replaced: 1, repeated: [3]))
  }

  @Test func `pages of any size at the start keep their order`() {
    var list = ItemList()
    var ids: [Int] = []
    for size in [1, 1, 30, 40, 64, 65, 3, 200, 2500, 1] {
      let added = ids.count..<ids.count + size
      list.prepend(page(added))
      ids.insert(contentsOf: added, at: 0)
      #expect(list.faults() == [])
    }
    #expect(list.ids == ids)
  }

  @Test func `replace changes an item in its position`() {
    var list = ItemList(0..<200)
    #expect(list.replace(item(150, 3)) == true)
    #expect(list.texts[150] == Sample(150, 3).text)
    #expect(list.count == 200)
  }

  @Test func `replace changes nothing for an unknown id`() {
    var list = ItemList(0..<200)
    let before = list
    #expect(list.replace(item(777)) == false)
    #expect(list.isIdentical(to: before))
  }

  @Test func `replacing an item by the same bytes changes nothing`() {
    var list = ItemList(0..<200)
    let before = list
    #expect(list.replace(item(150)) == true)
    list.append(page(30..<90))
    #expect(list.isIdentical(to: before))
  }

  @Test func `insert adds an item at a position`() {
    var list = ItemList(0..<3)
    #expect(list.insert(item(7), at: 1) == true)
    #expect(list.insert(item(8), at: 4) == true)
    #expect(list.insert(item(9), at: 0) == true)
    #expect(list.ids == [9, 0, 7, 1, 2, 8])
  }

  @Test func `insert replaces an item whose id is listed`() {
    var list = ItemList(0..<3)
    #expect(list.insert(item(2, 5), at: 0) == false)
    #expect(list.texts == [Sample(0), Sample(1), Sample(2, 5)].map(\.text))
  }

  @Test func `remove returns the item's position`() {
    var list = ItemList(0..<200)
    #expect(list.remove(100) == 100)
    #expect(list.remove(100) == nil)
    #expect(list.ids == Array(0..<100) + Array(101..<200))
    #expect(list.position(of: 101) == 100)
  }

  @Test func `an item removed and added again is at the end`() {
    var list = ItemList(0..<3)
    _ = list.remove(1)
    list.append(page([1]))
    #expect(list.ids == [0, 2, 1])
    #expect(list.position(of: 1) == 2)
  }

  @Test func `all items can be removed one by one and at once`() {
    var list = ItemList(0..<2500)
    let full = list
    for id in 0..<2500 { #expect(list.remove(id) == 0) }
    #expect(list.isEmpty)
    list.append(page(0..<2500))
    for id in (0..<2500).reversed() { #expect(list.remove(id) == id) }
    #expect(list.isEmpty)
    list = full
    list.removeAll()
    #expect(list.isEmpty)
    #expect(full.ids == Array(0..<2500))
  }

  @Test func `leaves with few items are merged`() {
    var list = ItemList(0..<64 * 200)
    for id in 0..<64 * 200 where id % 64 != 0 { _ = list.remove(id) }
    #expect(list.ids == (0..<200).map { $0 * 64 })
    #expect(list.faults() == [])
    #expect(list.leaves(of: list.indices).count < 25)
    #expect(list.branchCount < 5)
  }

  @Test func `an item has one hint after its leaf was merged many times`() {
    var list = ItemList(0..<6400)
    list.append(page(10_000..<20_000))
    for removed in (64..<6399).reversed() { _ = list.remove(removed) }
    #expect(list.hints(of: Array(Sample(6399).rawID.utf8)) == 1)
    #expect(list.position(of: 6399) == 64 && list.faults() == [])
  }

  @Test(arguments: [0, 1, 100, 9_999, 10_000])
  func `an item has few hints after many insertions next to it`(place: Int) {
    var (before, after) = (ItemList(0..<10_000), ItemList(0..<10_000))
    for number in 0..<5000 {
      before.insert(item(20_000 + number), at: before.count - 10_000 + place)
      after.insert(item(20_000 + number), at: place)
    }
    for id in max(place - 2, 0)..<min(place + 2, 10_000) {
      let id = Array(Sample(id).rawID.utf8)
      #expect(before.hints(of: id) <= 2 && after.hints(of: id) <= 2)
    }
    #expect(before.faults() == [] && after.faults() == [])
  }

  @Test func `an item has few hints after it moved many times, also with snapshots`() {
    var list = ItemList(0..<1000)
    var snapshots: [ItemList] = []
    for number in 0..<3000 {
      _ = list.remove(500)
      list.insert(item(500), at: number * 7 % 1000)
      if number % 10 == 0 { snapshots = Array((snapshots + [list]).suffix(3)) }
      #expect(list.position(of: 500) == number * 7 % 1000)
      #expect(list.hints(of: Array(Sample(500).rawID.utf8)) <= 2 * 4 + 1)
    }
    #expect(snapshots.map { $0.position(of: 500) } == [2970, 2980, 2990].map { $0 * 7 % 1000 })
  }

  @Test func `many changes after a snapshot copy a leaf once`() {
    func leaf(_ list: ItemList, at position: Int) -> ObjectIdentifier? {
      list.root.place(at: position).map { ObjectIdentifier($0.leaf) }
    }
    var list = ItemList(0..<6400)
    let snapshot = list
    list.replace(item(3000, 1))
    let copied = leaf(list, at: 3000)
    #expect(copied != leaf(snapshot, at: 3000))
    list.replace(item(3000, 2))
    _ = list.remove(3001)
    list.insert(item(7000), at: 3000)
    #expect(leaf(list, at: 3000) == copied)
    #expect(leaf(list, at: 100) == leaf(snapshot, at: 100))
    #expect(snapshot.ids == Array(0..<6400) && snapshot.texts[3000] == Sample(3000).text)
  }

  @Test(arguments: [128, 192]) func `items merged into the last leaf are found after more items are added`(count: Int) {
    var list = ItemList(0..<count)
    for removed in Array(24..<64) + Array(79..<127) { _ = list.remove(removed) }
    // The removed item may have been in the last leaf. Without it, the leaf of item 127 becomes the last one.
    for removed in 128..<max(count, 128) { _ = list.remove(removed) }
    list.append(page(1000..<1200))
    #expect(list.position(of: 127) == 39 && list.faults() == [])
  }

  @Test func `outdated hints are dropped`() {
    var list = ItemList(0..<100)
    for id in 100..<4000 {
      list.insert(item(id), at: 50)
      _ = list.remove(id - 100)
    }
    #expect(list.count == 100)
    #expect(list.index.table.used <= 400)
    #expect(list.faults() == [])
  }

  @Test func `changing many copies of an old version creates few indices`() {
    let old = ItemList(0..<100)
    var indices = Set<ObjectIdentifier>()
    var branches: [ItemList] = []
    for id in 1000..<1800 {
      var branch = old
      branch.insert(item(id), at: 50)
      branches.append(branch)
      indices.insert(ObjectIdentifier(branch.index))
    }
    #expect(indices.count < 8)
    #expect(branches.allSatisfy { $0.count == 101 })
    #expect(branches.last?.faults() == [])
  }

  @Test func `copies with the same changes share their hints`() {
    let old = ItemList(0..<64)
    for _ in 0..<200 {
      var branch = old
      branch.append(page(64..<84))
      branch.insert(item(99), at: 10)
    }
    #expect(old.index.table.used == 85)
  }

  @Test func `an item outlives its list`() {
    var list = ItemList(0..<3)
    let kept = list[1]
    list.removeAll()
    #expect(String(decoding: kept.bytes, as: UTF8.self) == Sample(1).text)
    #expect(String(decoding: kept.rawID, as: UTF8.self) == #""1""#)
  }

  @Test func `a snapshot doesn't change with its original, and can be changed separately`() {
    var list = ItemList(0..<100)
    var branch = list
    list.append(page(100..<120))
    _ = list.remove(5)
    branch.append(page(200..<230))
    #expect(branch.ids == Array(0..<100) + Array(200..<230))
    #expect(list.ids == Array(0..<5) + Array(6..<120))
    #expect(branch.position(of: 5) == 5)
    #expect(branch.position(of: 110) == nil)
    #expect(list.position(of: 210) == nil)
  }

  @Test func `the items of a range are passed in pieces with commas inside`() {
    var list = ItemList(0..<100)
    list.append(page([Sample(100), Sample(101)], separator: ", "))
    list.replace(item(20, 1))
    var runs: [String] = []
    list.forEachRun(in: 10..<102) { runs.append($0.text) }
    let expected = list.texts[10..<102].joined(separator: ",")
    #expect(runs.joined(separator: ",") == expected)
    #expect(runs.count == 6)
    list.forEachRun(in: 7..<7) { _ in Issue.record("nothing to hand out") }
  }

  @Test func `an error thrown for a piece is rethrown`() {
    struct Full: Error {}
    #expect(throws: Full.self) { try ItemList(0..<3).forEachRun(in: 0..<3) { _ throws(Full) in throw Full() } }
  }
}

extension Span<UInt8> {
  var text: String { String(decoding: indices.map { self[$0] }, as: UTF8.self) }
}

/// Which bytes of a page stay in memory with its items.
@Suite struct ItemListMemoryTests {
  @Test func `bytes between the items of a page are dropped`() {
    var list = ItemList()
    list.append(page([Sample(1), Sample(2)], separator: "," + String(repeating: " ", count: 1000)))
    #expect(list.faults() == [] && list.ids == [1, 2])
    #expect(ItemList.Item(page([Sample(1), Sample(2), Sample(3)]), at: 1).json.storage.count < 40)
  }

  @Test func `the bytes of removed and replaced items are released`() {
    let text = #"{"id":"9","value":"\#(String(repeating: "x", count: 1000))"}"#
    let long = RawItems(
      bytes: Array(page([Sample(1)]).bytes.dropLast()) + Array((",\(text)]").utf8),
      slices: page([Sample(1)]).slices + [
        RawItems.Slice(
          start: UInt32(page([Sample(1)]).bytes.count), length: UInt32(text.utf8.count),
          idStart: UInt32(page([Sample(1)]).bytes.count + 6), idLength: 3)
      ])
    var list = ItemList()
    list.append(long)
    #expect(list.ids == [1, 9] && list[0].json.storage.count > 1000)
    var replaced = list
    #expect(list.remove(9) == 1 && list.ids == [1] && list[0].json.storage.count < 40)
    #expect(replaced.replace(item(9)) && replaced.ids == [1, 9] && replaced[0].json.storage.count < 40)
    #expect(list.faults() + replaced.faults() == [])
  }

  @Test func `a leaf releases the bytes of a long page that it doesn't use`() {
    var list = ItemList()
    list.append(page(0..<1000))
    #expect(list.faults() == [])
    for id in 0..<999 { _ = list.remove(id) }
    #expect(list.ids == [999] && list[0].json.storage.count < 100)
  }
}
