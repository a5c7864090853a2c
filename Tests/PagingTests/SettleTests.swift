import ItemList
import Nagare
import Testing
import WireJSON

@testable import Paging

/// Everything that depends on a list's properties is derived once per step.
@Suite struct SettleTests {
  @Test func `a page requested below inserted rows isn't requested again by other steps`() throws {
    var list = Paged<RawJSON>(
      PagingOptions(pageSize: 2, mostItems: 100), source: SourceCapabilities(writes: [.insert], positions: true),
      margin: 1)
    list.first()
    try give(&list, 0..<2, total: 10)
    for id in ["x", "y", "z"] { list.insert(item("\"\(id)\"")) }
    list.setViewport(4..<6)
    let asked = try #require(list.onlyWanted)
    #expect(list.request(asked)?.position == 2)
    list.setViewport(4..<6)
    list.record(.progress(LoadProgress(done: 1)), of: asked)
    #expect(list.onlyWanted == asked)
  }

  /// The source still counts the removed row, so later pages are requested by the source's own positions.
  @Test(arguments: [false, true])
  func `a removal that the list makes alone doesn't shift pages, also during a load`(isLoading: Bool) throws {
    var list = Paged<RawJSON>(
      PagingOptions(pageSize: 2, mostItems: 100), source: SourceCapabilities(positions: true), margin: 0)
    list.first()
    try give(&list, 0..<2, total: 10)
    list.setViewport(4..<6)
    if isLoading { list.remove(ItemID(0)) }
    try give(&list, 4..<6, total: 10)
    if !isLoading { list.remove(ItemID(0)) }
    #expect(list.count == 9)
    list.setViewport(7..<9)
    #expect(list.onlyWanted.flatMap { list.request($0)?.position } == 8)
  }

  @Test func `failures of a page aren't reported with a later load`() throws {
    var list = Paged<RawJSON>(pageSize: 2, onRefresh: .revalidate)
    list.first()
    try give(&list, 0..<2, next: "1")
    list.next()
    try give(&list, 2..<4)
    list.setViewport(0..<4)
    list.first()
    // The first of two pages, with a broken record. The load continues.
    try give(&list, 0..<2, next: "1", failures: [LoadFailure(.badRecord, "a record is broken")])
    #expect(list.isLoading)
    list.search("q")
    try give(&list, 4..<5)
    #expect(list.failure == nil && list.phase == .reachedBottom)
  }

  @Test(arguments: [false, true])
  func `a failed refresh is repeated from its first page to the rows in sight`(isSeen: Bool) throws {
    var list = Paged<RawJSON>(pageSize: 2, onRefresh: .revalidate)
    list.first()
    try give(&list, 0..<2, next: "1")
    list.next()
    try give(&list, 2..<4, next: "2")
    if isSeen { list.setViewport(3..<4) }
    list.first()
    list.end(try #require(list.onlyWanted), failure: Failure(code: 7, message: "no", trigger: "refresh"))
    list.retry()
    #expect(list.onlyWanted.flatMap(list.request)?.key == nil)
    try give(&list, 0..<2, next: "1")
    #expect(list.onlyWanted.flatMap(list.request)?.key?.text == "1")
    try give(&list, 2..<4, next: "2")
    #expect(list.count == 4 && !list.isLoading)
  }

  @Test func `a refresh after a failed search loads the first page of that search`() throws {
    var list = Paged<RawJSON>(PagingOptions(pageSize: 2, onRefresh: .revalidate), margin: 0)
    list.first()
    try give(&list, 0..<2, next: "1")
    list.next()
    try give(&list, 2..<4)
    list.setViewport(2..<4)
    list.search("q")
    list.end(try #require(list.onlyWanted), failure: Failure(code: 7, message: "no", trigger: "search"))
    list.first()
    let request = try #require(list.onlyWanted.flatMap(list.request))
    #expect(request.query == "q" && request.key == nil)
  }

  @Test func `a load that begins because of a failure doesn't clear it`() throws {
    var list = Paged<RawJSON>(pageSize: 2)
    list.step { $0.follow() }
    list.first()
    try list.receive(SourceChanges(state: "1"))
    try give(&list, 0..<2, next: "1", state: "1")
    list.next()
    let asked = try #require(list.onlyWanted)
    try list.receive(.everything(since: "1", state: "2"))
    list.end(asked, failure: Failure(code: 7, message: "no", trigger: "next"))
    #expect(list.trigger == .invalidated && list.isLoading)
    #expect(list.failure?.message == "no")
  }
}

/// A list with a window whose source has positions, isn't watched, and makes no edits.
@Suite struct OwnRemovalTests {
  enum Event: CaseIterable {
    case removeFirst, removeFifth, seeStart, seeMiddle, seeEnd, come
  }

  /// After each order of five events, the list must have the source's rows without the removed ones.
  @Test(arguments: Event.allCases, [4, 100])
  func `the list has the source's rows without the removed ones`(first: Event, mostItems: Int)
    throws
  {
    for number in 0..<1296 {
      var list = Paged<RawJSON>(
        PagingOptions(pageSize: 2, mostItems: mostItems), source: SourceCapabilities(positions: true), margin: 0)
      var (removed, rest, events) = (Set<Int>(), number, [first])
      for _ in 0..<4 {
        events.append(Event.allCases[rest % 6])
        rest /= 6
      }
      list.first()
      try answer(&list)
      for event in events { try perform(event, &list, &removed) }
      try answerAll(&list)
      for row in 0..<10 - removed.count {
        list.setViewport(row..<row + 1)
        try answerAll(&list)
        let expected = (0..<10).filter { !removed.contains($0) }[row]
        let shown = list.shown.list
        #expect(shown.row(at: row).map { shown.rows[$0].itemID } == ItemID(expected), "row \(row) after \(events)")
      }
      #expect(list.count == 10 - removed.count, "after \(events)")
    }
  }

  private func perform(_ event: Event, _ list: inout Paged<RawJSON>, _ removed: inout Set<Int>) throws {
    switch event {
    case .removeFirst: remove(0, &list, &removed)
    case .removeFifth: remove(5, &list, &removed)
    case .seeStart: list.setViewport(0..<2)
    case .seeMiddle: list.setViewport(4..<6)
    case .seeEnd: list.setViewport(7..<9)
    case .come: try answer(&list)
    }
  }

  private func remove(_ id: Int, _ list: inout Paged<RawJSON>, _ removed: inout Set<Int>) {
    if list.items.contains(ItemID(id)) { removed.insert(id) }
    list.remove(ItemID(id))
  }

  /// Answers the requested page, if there is one.
  private func answer(_ list: inout Paged<RawJSON>) throws {
    guard let asked = list.onlyWanted, let request = list.request(asked) else { return }
    let start = request.position ?? 0
    try give(&list, min(start, 10)..<min(start + request.size, 10), total: 10)
  }

  private func answerAll(_ list: inout Paged<RawJSON>) throws {
    var pages = 0
    while list.isLoading, pages < 30 {
      try answer(&list)
      pages += 1
    }
    #expect(pages < 30)
  }
}

/// Answers the requested page.
private func give(
  _ list: inout Paged<RawJSON>, _ ids: Range<Int>, next: String? = nil, total: Int? = nil, state: String? = nil,
  failures: [LoadFailure] = []
) throws {
  let asked = try #require(list.onlyWanted)
  let texts = ids.map { #"{"id":\#($0)}"# }.joined(separator: ",")
  let items = try #require(RawItems(arrayOf: json("[\(texts)]"), id: "id"))
  var page = Page<RawJSON>(items: items, next: next.map { json($0) }, total: total, state: state, failures: failures)
  if total != nil { page.position = ids.lowerBound }
  try list.receive(page, of: asked)
}

private func item(_ id: String) -> ItemList.Item {
  ItemList.Item(json("{\"id\":\(id)}"), id: "id") ?? ItemList.Item(RawItems(bytes: [], slices: []), at: 0)
}

extension Paged {
  /// The number of the running load.
  fileprivate var onlyWanted: Int? { if case .one(let number) = wanted { number } else { nil } }
}
