import ItemList
import Nagare
import Testing
import WireJSON

@testable import Paging

/// Lists of a live source in which pages, reported changes and edits arrive at the same time.
@Suite struct MeetingTests {
  private var list: Paged<RawJSON>

  init() { list = Paged(pageSize: 2) }

  /// Makes a list of two rows, whose source is watched.
  private mutating func begin(
    _ list: Paged<RawJSON>, _ ids: [Int] = [0, 1], next: String? = "1", previous: String? = nil, total: Int? = nil,
    state: String? = nil
  ) throws {
    self.list = list
    self.list.step { $0.follow() }
    self.list.first()
    try self.list.receive(SourceChanges(state: state))
    try give(ids, next: next, previous: previous, at: total.map { _ in 0 }, of: total, state: state)
  }

  private var asked: PageRequest? {
    if case .one(let number) = list.wanted { list.request(number) } else { nil }
  }

  /// Answers the requested page.
  private mutating func give(
    _ ids: [Int], next: String? = nil, previous: String? = nil, at position: Int? = nil, of total: Int? = nil,
    state: String? = nil
  ) throws {
    guard case .one(let number) = list.wanted else { throw LoadFailure(code: 0, message: "no page is awaited") }
    let texts = ids.map { #"{"id":\#($0),"rank":\#($0)}"# }.joined(separator: ",")
    let items = try #require(RawItems(arrayOf: json("[\(texts)]"), id: "id"))
    var page = Page<RawJSON>(
      items: items, next: next.map { json($0) }, previous: previous.map { json($0) }, total: total, state: state)
    page.position = position
    try list.receive(page, of: number)
  }

  private func item(_ id: Int, rank: Int? = nil) throws -> ItemList.Item {
    try #require(ItemList.Item(json(#"{"id":\#(id),"rank":\#(rank ?? id)}"#), id: "id"))
  }

  private var ids: [Int] { list.items.compactMap { Int($0.id.description) } }

  private func position(of id: Int) -> Int? { list.shown.list.position(of: ItemID(id)) }

  @Test mutating func `the list's own edits also apply to a page of a later state`() throws {
    try begin(Paged(pageSize: 2), state: "1")
    list.next()
    try give([2, 3], state: "2")
    #expect(ids == [0, 1, 2, 3])
    list.remove(ItemID(2))
    list.update(try item(3, rank: 30))
    #expect(ids == [0, 1, 3])
    #expect(list.items[2].json.description.contains("30"))
    try list.receive(SourceChanges(since: "1", state: "2"))
    #expect(ids == [0, 1, 3])
    #expect(list.items[2].json.description.contains("30"))
  }

  /// It is unknown whether the page contains the removal. Applying it twice would move all rows after it.
  @Test mutating func `a change with a position isn't applied twice to a page without a state`() throws {
    let window = WindowSettings(margin: 0, mostItems: 100, hasPositions: true)
    try begin(Paged(PagingOptions(pageSize: 2), window: window), total: 10)
    list.setViewport(4..<6)
    #expect(asked?.position == 4)
    try list.receive(SourceChanges([.remove(ItemID(3)).at(3)], total: 9))
    for _ in 0..<5 {
      guard let start = asked?.position else { break }
      // The rows without the removed one.
      let rows = [0, 1, 2, 4, 5, 6, 7, 8, 9]
      try give(Array(rows[start..<min(start + 2, 9)]), at: start, of: 9)
    }
    #expect(!list.isLoading && list.count == 9)
    #expect(position(of: 5) == 4)
  }

  @Test mutating func `an ordered insertion moves to its position from where the user put it`() throws {
    let window = WindowSettings(margin: 0, mostItems: 100, hasPositions: true)
    let order = [RowOrder(by: "rank")]
    try begin(Paged(PagingOptions(pageSize: 2), window: window, writes: [.insert], order: order), total: 20, state: "1")
    list.setViewport(9..<11)
    try give([9, 10], at: 9, of: 20, state: "1")
    list.insert(try item(30, rank: 15), before: ItemID(9))
    list.insert(try item(40, rank: 16), before: ItemID(9))
    #expect(position(of: 30) == 9)
    list.answerEdit()
    list.answerEdit()
    try list.receive(
      SourceChanges(
        [.insert(try item(30, rank: 15)).at(15), .insert(try item(40, rank: 16)).at(16)], since: "1", state: "2",
        total: 22))
    #expect(position(of: 9) == 9 && list.count == 22)
  }

  @Test mutating func `an ordered insertion goes to its position while others are deferred`() throws {
    let window = WindowSettings(margin: 0, mostItems: 100, hasPositions: true)
    let order = [RowOrder(by: "rank")]
    let list = Paged<RawJSON>(
      PagingOptions(pageSize: 4, onArrival: .ask), window: window, writes: [.insert], order: order)
    try begin(list, [10, 20, 30, 40], total: 4, state: "1")
    self.list.insert(try item(90), before: ItemID(30))
    self.list.answerEdit()
    try self.list.receive(SourceChanges([.insert(try item(5)).at(0)], since: "1", state: "2", total: 5))
    try self.list.receive(SourceChanges([.insert(try item(35)).at(4)], since: "2", state: "3", total: 6))
    self.list.endPause()
    #expect(ids == [10, 20, 90, 30, 35, 40] && self.list.arrivals == 1)
  }

  @Test mutating func `an inserted item that was removed again isn't counted, also among unloaded rows`() throws {
    let window = WindowSettings(margin: 0, mostItems: 100, hasPositions: true)
    let list = Paged<RawJSON>(
      PagingOptions(pageSize: 2), window: window, writes: [.insert, .remove], order: [RowOrder(by: "rank")])
    try begin(list, [10, 20], total: 6, state: "1")
    self.list.setViewport(0..<2)
    self.list.insert(try item(50), before: ItemID(20))
    self.list.answerEdit()
    self.list.remove(ItemID(50))
    self.list.answerEdit()
    try self.list.receive(
      SourceChanges([.insert(try item(50)).at(4), .remove(ItemID(50)).at(4)], since: "1", state: "3", total: 6))
    #expect(ids == [10, 20] && self.list.count == 6)
  }

  @Test mutating func `a changed row stays between rows that the user put out of order`() throws {
    let window = WindowSettings(margin: 0, mostItems: 100, hasPositions: true)
    let list = Paged<RawJSON>(
      PagingOptions(pageSize: 3), window: window, writes: [.insert], order: [RowOrder(by: "rank")])
    try begin(list, [10, 20, 30], total: 3, state: "1")
    self.list.insert(try item(90), before: ItemID(20))
    self.list.answerEdit()
    try self.list.receive(SourceChanges([.change(try item(20))], since: "1", state: "2"))
    #expect(ids == [10, 90, 20, 30])
  }

  @Test mutating func `a deferred row that was removed places other rows until its removal is reported`() throws {
    try begin(
      Paged(PagingOptions(pageSize: 2, onArrival: .ask), source: SourceCapabilities(writes: [.remove])), [1, 2],
      state: "1")
    list.remove(ItemID(2))
    try list.receive(SourceChanges([.insert(try item(2), .before(ItemID(1)))], since: "1", state: "2"))
    list.answerEdit()
    #expect(ids == [1] && list.arrivals == 0)
    try list.receive(
      SourceChanges([.insert(try item(3), .after(ItemID(2))), .remove(ItemID(2))], since: "2", state: "3"))
    list.endPause()
    #expect(ids == [1] && list.arrivals == 1)
    _ = list.showArrivals()
    #expect(ids == [3, 1])
  }

  /// There are fewer rows than the page's total.
  @Test mutating func `an insertion at the end goes to its position if the total is an estimate`() throws {
    let window = WindowSettings(margin: 0, mostItems: 100, hasPositions: true)
    try begin(Paged(PagingOptions(pageSize: 2), window: window), total: 12, state: "1")
    try list.receive(SourceChanges([.insert(try item(10), .end).at(10)], since: "1", state: "2"))
    #expect(position(of: 10) == nil && list.count == 13)
  }

  @Test mutating func `the log of a running load is limited, including states`() throws {
    try begin(Paged(pageSize: 2), state: "0")
    list.core.value.rows.log.limit = 10_000
    list.next()
    func state(_ number: Int) -> String { number == 0 ? "0" : String(repeating: "x", count: 1000) + "\(number)" }
    for number in 0..<5 { try list.receive(SourceChanges(since: state(number), state: state(number + 1))) }
    #expect(!list.core.value.rows.isInvalid)
    for number in 5..<15 { try list.receive(SourceChanges(since: state(number), state: state(number + 1))) }
    #expect(list.core.value.rows.isInvalid)
  }

  /// Each change merges these pages again, so their number must be limited.
  @Test mutating func `pages of states that are never reached are merged if there are too many`() throws {
    try begin(Paged(pageSize: 2), state: "1")
    var count = 0
    while list.trigger != .invalidated, count < 100 {
      list.next()
      count += 1
      try give([10 * count, 10 * count + 1], next: "1", state: "ahead \(count)")
    }
    #expect(count == FuturePage.most + 1)
  }

  @Test mutating func `an item that occurs twice in a page of a later state is a failure`() throws {
    try begin(Paged(pageSize: 2), state: "1")
    list.next()
    #expect(throws: LoadFailure.self) { try give([2, 3, 2], state: "2") }
    #expect(ids == [0, 1, 2, 3])
  }

  @Test mutating func `an item that occurs twice in a page doesn't change the end of an ordered list`() throws {
    self.list = Paged(pageSize: 3, order: [RowOrder(by: "rank")])
    list.step { $0.follow() }
    list.first()
    try list.receive(SourceChanges(state: "1"))
    #expect(throws: LoadFailure.self) { try give([1, 3, 5, 1], next: "1", state: "1") }
    try list.receive(SourceChanges([.insert(try item(4))], since: "1", state: "2"))
    #expect(ids == [1, 3, 4, 5])
  }

  @Test mutating func `deferred rows come after a page that is added at the start`() throws {
    try begin(Paged(PagingOptions(pageSize: 2, onArrival: .ask)), [4, 5], previous: "0", state: "1")
    try list.receive(SourceChanges([.insert(try item(3), .before(ItemID(4)))], since: "1", state: "2"))
    #expect(ids == [4, 5] && list.arrivals == 1)
    list.previous()
    try give([1, 2], state: "2")
    _ = list.showArrivals()
    #expect(ids == [1, 2, 3, 4, 5])
  }

  /// The source has the item at another position, as the page shows.
  @Test mutating func `inserting a listed item doesn't list it again if a page leaves it out`() throws {
    try begin(Paged(pageSize: 2, onRefresh: .keep, writes: [.insert]), [0, 1])
    list.next()
    try give([2, 3])
    list.first()
    list.insert(try item(3, rank: 30), before: ItemID(0))
    list.answerEdit()
    try list.receive(SourceChanges([.change(try item(3, rank: 30))]))
    try give([0, 1], next: "1")
    #expect(ids == [0, 1])
  }

  /// The source had the item beyond the loaded rows, and moves it later.
  @Test mutating func `an insertion that the source hasn't reported doesn't place other items`() throws {
    try begin(Paged(pageSize: 2, writes: [.insert]), state: "1")
    list.insert(try item(33), before: nil)
    list.insert(try item(44), before: ItemID(33))
    list.answerEdit()
    list.answerEdit()
    #expect(ids == [44, 33, 0, 1])
    try list.receive(SourceChanges([.insert(try item(44), .before(ItemID(33)))], since: "1", state: "2"))
    try list.receive(SourceChanges([.insert(try item(33), .before(ItemID(35)))], since: "2", state: "3"))
    list.endPause()
    #expect(ids == [0, 1])
  }

  @Test mutating func `a report about an edit that waits for a first page counts after the answer`() throws {
    try begin(Paged(pageSize: 2, writes: [.insert]), state: "1")
    list.insert(try item(9), before: ItemID(1))
    list.first()
    try list.receive(SourceChanges([.insert(try item(9), .before(ItemID(5)))], since: "1", state: "2"))
    try give([0, 2], next: "1", state: "2")
    list.answerEdit()
    #expect(ids == [0, 2])
  }

  @Test mutating func `a list whose pages repeatedly conflict with changes reloads in the end`() throws {
    try begin(Paged(pageSize: 2))
    list.next()
    for id in 10..<14 {
      try list.receive(SourceChanges([.insert(try item(id), .after(ItemID(0)))]))
      list.endPause()
      #expect(list.trigger == .loadMore && list.isLoading)
      try give([2, 3])
    }
    #expect(list.trigger == .invalidated && list.isLoading)
  }

  @Test mutating func `an empty page without the requested position is a failure`() throws {
    let window = WindowSettings(margin: 0, mostItems: 100, hasPositions: true)
    try begin(Paged(PagingOptions(pageSize: 2), window: window), total: 10)
    list.setViewport(4..<6)
    #expect(throws: LoadFailure.self) { try give([]) }
    #expect(list.count == 10)
  }
}

extension Paged {
  /// Lists the changes that wait for the end of a pause.
  fileprivate mutating func endPause() { step { $0.endPause() } }

  /// Lets the source make the oldest unanswered edit.
  fileprivate mutating func answerEdit() {
    var edits = edits
    guard let number = edits.wantedNumber(after: 0) else { return }
    edits.receiveMade(number)
    self.edits = edits
  }
}
