import ItemList
import Nagare
import Testing
import WireJSON

@testable import Paging

/// What follows from a step of a list follows once, and from this list's own facts.
@Suite struct SettleTests {
  @Test func `a page that is awaited below inserted rows isn't requested again by other steps`() throws {
    var list = Paged<RawJSON>(
      pageSize: 2, writes: [.insert], window: WindowSettings(margin: 1, mostItems: 100, hasPositions: true))
    list.first()
    try give(&list, 0..<2, total: 10)
    for id in ["x", "y", "z"] { list.insert(item("\"\(id)\"")) }
    list.see(4..<6)
    let asked = try #require(list.onlyWanted)
    #expect(list.request(asked)?.position == 2)
    list.see(4..<6)
    list.note(.progress(LoadProgress(done: 1)), of: asked)
    #expect(list.onlyWanted == asked)
  }

  @Test func `failures of a page are reported with its own load, or not at all`() throws {
    var list = Paged<RawJSON>(pageSize: 2, onRefresh: .revalidate)
    list.first()
    try give(&list, 0..<2, next: "1")
    list.next()
    try give(&list, 2..<4)
    list.see(0..<4)
    list.first()
    // The first of two pages, with a record that is broken. The load goes on.
    try give(&list, 0..<2, next: "1", failures: [LoadFailure(.badRecord, "a record is broken")])
    #expect(list.isLoading)
    list.search("q")
    try give(&list, 4..<5)
    #expect(list.failure == nil && list.phase == .reachedBottom)
  }

  @Test func `a load that begins because of a failure leaves it standing`() throws {
    var list = Paged<RawJSON>(pageSize: 2)
    list.step { $0.follow() }
    list.first()
    try list.hear(SourceChanges(state: "1"))
    try give(&list, 0..<2, next: "1", state: "1")
    list.next()
    let asked = try #require(list.onlyWanted)
    try list.hear(.everything(since: "1", state: "2"))
    list.end(asked, failure: Failure(code: 7, message: "no", trigger: "next"))
    #expect(list.trigger == .invalidated && list.isLoading)
    #expect(list.failure?.message == "no")
  }
}

/// Gives the page that is awaited.
private func give(
  _ list: inout Paged<RawJSON>, _ ids: Range<Int>, next: String? = nil, total: Int? = nil, state: String? = nil,
  failures: [LoadFailure] = []
) throws {
  let asked = try #require(list.onlyWanted)
  let texts = ids.map { #"{"id":\#($0)}"# }.joined(separator: ",")
  let items = try #require(RawItems(arrayOf: json("[\(texts)]"), id: "id"))
  var page = Page<RawJSON>(items: items, next: next.map { json($0) }, total: total, state: state, failures: failures)
  if total != nil { page.position = ids.lowerBound }
  try list.take(page, of: asked)
}

private func item(_ id: String) -> ItemList.Item {
  ItemList.Item(json("{\"id\":\(id)}"), id: "id") ?? ItemList.Item(RawItems(bytes: [], slices: []), at: 0)
}

extension Paged {
  /// The number of the load that runs.
  fileprivate var onlyWanted: Int? { if case .one(let number) = wanted { number } else { nil } }
}
