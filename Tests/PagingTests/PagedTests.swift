import ItemList
import LetterPages
import Nagare
import Paging
import Testing

extension Paged<RawJSON> {
  /// The number of the running load.
  var running: Int? { if case .one(let number) = wanted { number } else { nil } }

  /// The request of the running load.
  var asked: PageRequest? { running.flatMap(request) }

  /// Answers the running load.
  mutating func come(_ page: Page<RawJSON>) throws { if let running { try receive(page, of: running) } }

  /// Makes the running load fail.
  mutating func fail() { if let running { end(running, failure: Failure(broken, trigger: "input")) } }
}

@Suite struct PagedTests {
  typealias Step = (inout Paged<RawJSON>) throws -> Void

  /// The list after some steps.
  private func folded(_ steps: [Step], onRefresh: OnRefresh = .clear) throws -> Paged<RawJSON> {
    var list = Paged<RawJSON>(onRefresh: onRefresh)
    for step in steps { try step(&list) }
    return list
  }

  private func asked(_ trigger: LoadTrigger) -> Step { { $0.load(trigger) } }
  private func loaded(_ letters: String, next: String? = nil, previous: String? = nil) -> Step {
    { try $0.come(page(letters, next: next, previous: previous)) }
  }
  private let failed: Step = { $0.fail() }

  @Test func `a new list is empty and loads nothing`() throws {
    let state = Paged<RawJSON>()
    #expect(
      state.items.isEmpty && state.failure == nil && state.phase == .nothing && !state.isLoading && !state.hasMore)
  }

  @Test func `the state determines which page a trigger loads`() throws {
    typealias Case = (name: String, state: Paged<RawJSON>, begins: [LoadTrigger: String])
    let page1 = loaded("ab", next: "2")
    let cases: [Case] = [
      ("nothing", try folded([]), [.appear: "first", .refresh: "first"]),
      ("loading", try folded([asked(.appear)]), [.refresh: "first"]),
      ("more", try folded([asked(.appear), page1]), [.refresh: "first", .reachBottom: "2", .loadMore: "2"]),
      ("bottom", try folded([asked(.appear), loaded("ab")]), [.refresh: "first"]),
      (
        "first failed", try folded([asked(.appear), failed]),
        [.refresh: "first", .retry: "first", .reachBottom: "first", .loadMore: "first"]
      ),
      (
        "next failed", try folded([asked(.appear), page1, asked(.reachBottom), failed]),
        [.refresh: "first", .retry: "2", .reachBottom: "2", .loadMore: "2"]
      ),
    ]
    for (name, state, begins) in cases {
      for trigger in [LoadTrigger.appear, .refresh, .retry, .reachBottom, .loadMore] {
        var after = state
        after.load(trigger)
        let begun =
          after.running == state.running ? nil : after.asked.map { $0.key?.string ?? "first" }
        #expect(begun == begins[trigger], "\(trigger) at \(name)")
        if begun != nil { #expect(after.trigger == trigger && after.phase == .requesting && after.failure == nil) }
      }
    }
  }

  @Test func `the page before is added at the start, and its failure doesn't block others`() throws {
    var state = try folded([asked(.appear), loaded("cd", next: "2", previous: "0"), asked(.reachTop)])
    #expect(state.asked?.key?.string == "0" && state.trigger == .reachTop)
    state.fail()
    state.load(.reachBottom)
    #expect(state.asked?.key?.string == "2")
    try state.come(page("e"))
    state.load(.reachTop)
    try state.come(page("abC"))
    #expect(state.items.letters == "abCde" && state.phase == .reachedBottom)
    state.load(.reachTop)
    #expect(!state.isLoading)
  }

  @Test func `the query is sent with every page from the first on`() throws {
    var state = try folded([])
    state.search("a", ifLoaded: true)
    #expect(!state.isLoading)
    state.load(.appear)
    #expect(state.asked?.query == "a")
    state.search("b", ifLoaded: true)
    #expect(state.asked?.query == "b" && state.trigger == .search)
    let number = state.running
    state.search("b", ifLoaded: true)
    #expect(state.running == number)
    state.search("")
    #expect(state.asked?.query == nil)
  }

  @Test func `the filters are sent with every page from the first on, with the query`() throws {
    func filters(_ text: String) throws -> Filters? { Filters([(name: "a", value: try RawJSON(text))]) }
    var state = try folded([])
    state.filter(try filters("1"), ifLoaded: true)
    #expect(!state.isLoading)
    state.load(.appear)
    #expect(state.asked?.filters?.json.text == #"{"a":1}"#)
    let number = state.running
    state.filter(try filters("1.0"), ifLoaded: true)
    #expect(state.running == number)
    state.search("b")
    #expect(state.asked?.criteria == Criteria(query: "b", filters: try filters("1")))
    state.filter(try filters("null"))
    #expect(state.asked?.criteria == Criteria(query: "b") && state.trigger == .filter && state.filters == nil)
    try state.come(page("a"))
    #expect(state.answeredQueries == 1)
  }

  @Test func `a search counts as answered once, also after a retry`() throws {
    var state = try folded([])
    state.search("a")
    state.fail()
    state.load(.retry)
    #expect(state.answeredQueries == 0 && state.trigger == .retry)
    try state.come(page("a", next: "2"))
    #expect(state.answeredQueries == 1)
    state.load(.reachBottom)
    try state.come(page("b"))
    state.load(.refresh)
    try state.come(page("b"))
    #expect(state.answeredQueries == 1)
  }

  @Test func `a list is without result only after an empty page`() throws {
    var state = try folded([])
    #expect(!state.isWithoutResult)
    state.load(.appear)
    #expect(!state.isWithoutResult)
    try state.come(page(""))
    #expect(state.isWithoutResult)
    state.load(.refresh)
    #expect(!state.isWithoutResult)
    state.fail()
    #expect(!state.isWithoutResult)
  }

  @Test func `rows near an end load a page, unless a load runs or has failed`() throws {
    let state = try folded([asked(.appear), loaded("abcdef", next: "2", previous: "0")])
    let wish = { (start: Int, end: Int, prefetch: Int) in
      state.loadTrigger(forVisibleRows: start..<end, prefetch: prefetch)
    }
    #expect(wish(1, 5, 0) == nil)
    #expect(wish(1, 6, 0) == .loadMore)
    #expect(wish(1, 99, 0) == .loadMore)
    #expect(wish(1, 4, 2) == .loadMore)
    #expect(wish(3, 3, 2) == nil)
    #expect(wish(0, 3, 0) == .reachTop)
    #expect(wish(2, 3, 2) == .reachTop)
    #expect(try folded([]).loadTrigger(forVisibleRows: 0..<0, prefetch: 5) == nil)
    let loading = try folded([asked(.appear), loaded("abc", next: "2"), asked(.reachBottom)])
    #expect(loading.loadTrigger(forVisibleRows: 0..<3, prefetch: 0) == nil)
    let failing = try folded([asked(.appear), loaded("abc", next: "2"), asked(.reachBottom), failed])
    #expect(failing.loadTrigger(forVisibleRows: 0..<3, prefetch: 0) == nil)
  }

  @Test(arguments: [Int.min, -1, 3, Int.max], [Int.min, 0, 40, Int.max])
  func `any position and total of a page are accepted without overflow`(position: Int, total: Int) throws {
    var list = Paged<RawJSON>(PagingOptions(), source: SourceCapabilities(positions: true), margin: 2)
    func come(_ letters: String, at position: Int) throws {
      var page = page(letters)
      (page.position, page.total) = (position, total)
      try list.come(page)
    }
    list.first()
    try come("ab", at: position)
    #expect(RawJSON.quantities ~= list.count)
    list.setViewport(max(0, list.count - 3)..<list.count)
    guard let asked = list.asked?.position else { return }
    #expect(throws: LoadFailure.self) { try come("cd", at: position) }
    list.fail()
    list.load(.retry)
    try come("cd", at: asked)
    #expect(list.items.letters.sorted() == Array("abcd"))
  }

  @Test func `only the running load's answer counts`() throws {
    var state = try folded([asked(.appear)])
    let first = try #require(state.running)
    state.load(.refresh)
    try state.receive(page("old"), of: first)
    #expect(state.isLoading && state.items.isEmpty && state.failure == nil)
    try state.come(page("new"))
    try state.receive(page("xyz"), of: first + 1)
    #expect(!state.isLoading && state.items.letters == "new")
  }

  @Test func `a refresh clears or keeps the items, and the new page determines the next key`() throws {
    for (onRefresh, during) in [(OnRefresh.clear, ""), (.keep, "ab")] {
      var state = try folded([asked(.appear), loaded("ab", next: "2"), asked(.refresh)], onRefresh: onRefresh)
      #expect(state.items.letters == during)
      #expect(state.hasMore == (onRefresh == .keep))
      try state.come(page("bc", next: nil))
      #expect(state.items.letters == "bc" && !state.hasMore && state.phase == .reachedBottom)
    }
  }

  @Test func `a failure stands until a load begins`() throws {
    var state = try folded([asked(.appear), loaded("ab", next: "2"), asked(.reachBottom), failed])
    #expect(state.failure?.trigger == "reachBottom" && state.phase == .failed && state.items.letters == "ab")
    #expect(state.hasMore)
    state.update(ItemList.Item(page("B").items, at: 0))
    #expect(state.failure != nil && state.items.letters == "aB")
    state.load(.retry)
    #expect(state.failure == nil && state.trigger == .retry)
  }
}
