import Testing

@testable import ItemList

@Suite struct ItemListSplicesTests {
  /// The splices between two lists: for each its start, its `deleteCount`, and the ids of the inserted items.
  private func splices(_ old: ItemList, _ new: ItemList) -> [String] {
    let splices = ItemList.splices(from: old, to: new)
    #expect(applied(splices, to: old.texts, itemsOf: new) == new.texts)
    return splices.map { splice in
      "\(splice.start) -\(splice.deleteCount) +\(new.ids[splice.items].map(String.init).joined(separator: ","))"
    }
  }

  private func changed(_ list: ItemList, _ change: (inout ItemList) -> Void) -> ItemList {
    var list = list
    change(&list)
    return list
  }

  @Test func `equal versions have no splices`() {
    let list = ItemList(0..<3000)
    #expect(splices(list, list) == [])
    #expect(splices(list, ItemList(0..<3000)) == [])
    #expect(splices(ItemList(), ItemList()) == [])
  }

  @Test func `adding a page gives one splice at the end`() {
    for count in [0, 20, 60, 64, 2040, 2048, 70_000] {
      let old = ItemList(0..<count)
      let new = changed(old) { $0.append(page([-1, -2, -3, -4, -5])) }
      #expect(ItemList.splices(from: old, to: new) == [.init(start: count, deleteCount: 0, items: count..<count + 5)])
    }
  }

  @Test func `each replaced item gives one splice`() {
    let old = ItemList(0..<3000)
    let new = changed(old) { $0.append(page([5, 7, 2999, 1500], value: 1)) }
    #expect(splices(old, new) == ["5 -1 +5", "7 -1 +7", "1500 -1 +1500", "2999 -1 +2999"])
  }

  @Test func `replacing adjacent items gives one splice`() {
    let old = ItemList(0..<3000)
    let new = changed(old) { $0.append(page(60..<70, value: 1)) }
    #expect(ItemList.splices(from: old, to: new) == [.init(start: 60, deleteCount: 10, items: 60..<70)])
  }

  @Test func `inserting or removing an item gives one splice, also if leaves are split or merged`() {
    var list = ItemList(0..<1200)
    for id in 3000..<3070 {
      let old = list
      list.insert(item(id), at: 100)
      #expect(splices(old, list) == ["100 -0 +\(id)"])
    }
    for id in 100..<180 {
      let old = list
      let position = list.remove(id)
      #expect(splices(old, list) == ["\(position ?? -1) -1 +"])
    }
  }

  @Test func `adding a page at the start gives one splice`() {
    let old = ItemList(0..<3000)
    #expect(splices(old, changed(old) { $0.prepend(page([-1, -2])) }) == ["0 -0 +-1,-2"])
    let new = changed(old) { $0.prepend(page(3000..<3100)) }
    #expect(ItemList.splices(from: old, to: new) == [.init(start: 0, deleteCount: 0, items: 0..<100)])
  }

  @Test func `changes that are far apart give separate splices`() {
    let old = ItemList(0..<3000)
    let new = changed(old) {
      _ = $0.remove(10)
      $0.insert(item(-7), at: 1000)
      $0.replace(item(2000, 1))
      $0.append(page([-8]))
    }
    #expect(splices(old, new) == ["10 -1 +", "1000 -0 +-7", "2000 -1 +2000", "3000 -0 +-8"])
  }

  @Test func `changes that are close together are distinguished by id`() {
    let old = ItemList(0..<50)
    let new = changed(old) {
      _ = $0.remove(3)
      $0.replace(item(7, 1))
      $0.insert(item(-1), at: 20)
      _ = $0.remove(30)
    }
    #expect(splices(old, new) == ["3 -1 +", "6 -1 +7", "20 -0 +-1", "30 -1 +"])
  }

  @Test func `moving an item removes and inserts only that item`() {
    #expect(splices(ItemList(0..<10), ItemList([9, 0, 1, 2, 3, 4, 5, 6, 7, 8])) == ["0 -0 +9", "10 -1 +"])
    #expect(splices(ItemList(0..<10), ItemList([1, 2, 3, 4, 5, 6, 7, 8, 9, 0])) == ["0 -1 +", "9 -0 +0"])
  }

  @Test func `lists without common items give one splice`() {
    let splices = ItemList.splices(from: ItemList(0..<3000), to: ItemList(5000..<7000))
    #expect(splices == [.init(start: 0, deleteCount: 3000, items: 0..<2000)])
    #expect(self.splices(ItemList(0..<3000), ItemList()) == ["0 -3000 +"])
    #expect(ItemList.splices(from: ItemList(), to: ItemList(0..<9)) == [.init(start: 0, deleteCount: 0, items: 0..<9)])
  }

  @Test func `a first page reloaded with one more item differs by that item`() {
    #expect(splices(ItemList(0..<60), ItemList([-1] + Array(0..<19))) == ["0 -0 +-1", "20 -41 +"])
  }

  @Test func `changes are found after items received new keys`() {
    var list = ItemList(0..<1200, keyGap: 2)
    let first = list
    var inserted: [Int] = []
    for id in 5000..<5100 {
      let old = list
      list.insert(item(id), at: 70)
      inserted.insert(id, at: 0)
      #expect(splices(old, list) == ["70 -0 +\(id)"])
      #expect(list.faults() == [])
    }
    #expect(splices(first, list) == ["70 -0 +\(inserted.map(String.init).joined(separator: ","))"])
  }
}
