import Nagare
import Testing

@testable import Feeds

@Suite struct ListStateTests {
  /// The state after some steps, each made with the load that is running then.
  private func folded(
    _ steps: [(ListState.Load?) -> ListState.Step?], onRefresh: ListState.OnRefresh = .clear
  ) -> ListState {
    var state = ListState(onRefresh: onRefresh)
    for step in steps {
      if let step = step(state.running) { ListState.apply(&state, step) }
    }
    return state
  }

  private func asked(_ trigger: ListState.Trigger) -> (ListState.Load?) -> ListState.Step? { { _ in .asked(trigger) } }
  private func loaded(
    _ letters: String, next: String? = nil, previous: String? = nil
  ) -> (ListState.Load?) -> ListState.Step? {
    { load in load.map { .loaded(page(letters, next: next, previous: previous), by: $0) } }
  }
  private let failed: (ListState.Load?) -> ListState.Step? = { load in load.map { .failed(broken, of: $0) } }

  @Test func `at first there is nothing`() {
    let state = ListState()
    #expect(
      state.items.isEmpty && state.failure == nil && state.phase == .nothing && !state.isLoading && !state.hasMore)
  }

  @Test func `which load a trigger begins follows from the state`() {
    typealias Case = (name: String, state: ListState, begins: [ListState.Trigger: String])
    let page1 = loaded("ab", next: "2")
    let cases: [Case] = [
      ("nothing", folded([]), [.appear: "first", .refresh: "first"]),
      ("loading", folded([asked(.appear)]), [.refresh: "first"]),
      ("more", folded([asked(.appear), page1]), [.refresh: "first", .reachBottom: "2", .loadMore: "2"]),
      ("bottom", folded([asked(.appear), loaded("ab")]), [.refresh: "first"]),
      (
        "first failed", folded([asked(.appear), failed]),
        [.refresh: "first", .retry: "first", .reachBottom: "first", .loadMore: "first"]
      ),
      (
        "next failed", folded([asked(.appear), page1, asked(.reachBottom), failed]),
        [.refresh: "first", .retry: "2", .reachBottom: "2", .loadMore: "2"]
      ),
    ]
    for (name, state, begins) in cases {
      for trigger in [ListState.Trigger.appear, .refresh, .retry, .reachBottom, .loadMore] {
        var after = state
        ListState.apply(&after, .asked(trigger))
        let begun =
          after.running == state.running ? nil : after.running.map { $0.request(size: 1).key?.string ?? "first" }
        #expect(begun == begins[trigger], "\(trigger) at \(name)")
        if begun != nil { #expect(after.trigger == trigger && after.phase == .requesting && after.failure == nil) }
      }
    }
  }

  @Test func `a page before is listed first, and its own failure is in nobody's way`() {
    var state = folded([asked(.appear), loaded("cd", next: "2", previous: "0"), asked(.reachTop)])
    #expect(state.running?.request(size: 1).key?.string == "0" && state.trigger == .reachTop)
    if let load = state.running { ListState.apply(&state, .failed(broken, of: load)) }
    ListState.apply(&state, .asked(.reachBottom))
    #expect(state.running?.request(size: 1).key?.string == "2")
    if let load = state.running { ListState.apply(&state, .loaded(page("e"), by: load)) }
    ListState.apply(&state, .asked(.reachTop))
    if let load = state.running { ListState.apply(&state, .loaded(page("abC"), by: load)) }
    #expect(state.items.letters == "abCde" && state.phase == .reachedBottom)
    ListState.apply(&state, .asked(.reachTop))
    #expect(!state.isLoading)
  }

  @Test func `what is looked for is asked of the source from the first page on`() {
    var state = folded([])
    ListState.apply(&state, .queried("a"))
    #expect(!state.isLoading)
    ListState.apply(&state, .asked(.appear))
    #expect(state.running?.request(size: 1).query == "a")
    ListState.apply(&state, .queried("b"))
    #expect(state.running?.request(size: 1).query == "b" && state.trigger == .search)
    let number = state.running?.number
    ListState.apply(&state, .queried("b"))
    #expect(state.running?.number == number)
    ListState.apply(&state, .searched(""))
    #expect(state.running?.request(size: 1).query == nil)
  }

  @Test func `a search's first page counts as one, in the first try or in another`() {
    var state = folded([])
    ListState.apply(&state, .searched("a"))
    if let load = state.running { ListState.apply(&state, .failed(broken, of: load)) }
    ListState.apply(&state, .asked(.retry))
    #expect(state.searches == 0 && state.trigger == .retry)
    if let load = state.running { ListState.apply(&state, .loaded(page("a", next: "2"), by: load)) }
    #expect(state.searches == 1)
    ListState.apply(&state, .asked(.reachBottom))
    if let load = state.running { ListState.apply(&state, .loaded(page("b"), by: load)) }
    ListState.apply(&state, .asked(.refresh))
    if let load = state.running { ListState.apply(&state, .loaded(page("b"), by: load)) }
    #expect(state.searches == 1)
  }

  @Test func `there is no result only when a page has come with nothing`() {
    var state = folded([])
    #expect(!state.isWithoutResult)
    ListState.apply(&state, .asked(.appear))
    #expect(!state.isWithoutResult)
    if let load = state.running { ListState.apply(&state, .loaded(page(""), by: load)) }
    #expect(state.isWithoutResult)
    ListState.apply(&state, .asked(.refresh))
    #expect(!state.isWithoutResult)
    if let load = state.running { ListState.apply(&state, .failed(broken, of: load)) }
    #expect(!state.isWithoutResult)
  }

  @Test func `rows in sight ask for what is near them, if nothing is in the way`() {
    let state = folded([asked(.appear), loaded("abcdef", next: "2", previous: "0")])
    let wish = { (start: Int, end: Int, prefetch: Int) in
      state.wish(in: Viewport(start: start, end: end), prefetch: prefetch)
    }
    #expect(wish(1, 5, 0) == nil)
    #expect(wish(1, 6, 0) == .loadMore)
    #expect(wish(1, 99, 0) == .loadMore)
    #expect(wish(1, 4, 2) == .loadMore)
    #expect(wish(3, 3, 2) == nil)
    #expect(wish(0, 3, 0) == .reachTop)
    #expect(wish(2, 3, 2) == .reachTop)
    #expect(folded([]).wish(in: Viewport(start: 0, end: 0), prefetch: 5) == nil)
    let loading = folded([asked(.appear), loaded("abc", next: "2"), asked(.reachBottom)])
    #expect(loading.wish(in: Viewport(start: 0, end: 3), prefetch: 0) == nil)
    let failing = folded([asked(.appear), loaded("abc", next: "2"), asked(.reachBottom), failed])
    #expect(failing.wish(in: Viewport(start: 0, end: 3), prefetch: 0) == nil)
  }

  @Test func `only the running load's answer counts`() throws {
    var state = folded([asked(.appear)])
    let first = try #require(state.running)
    ListState.apply(&state, .asked(.refresh))
    ListState.apply(&state, .loaded(page("old"), by: first))
    ListState.apply(&state, .failed(broken, of: first))
    #expect(state.isLoading && state.items.isEmpty && state.failure == nil)
    let second = try #require(state.running)
    ListState.apply(&state, .loaded(page("new"), by: second))
    ListState.apply(&state, .loaded(page("xyz"), by: second))
    #expect(!state.isLoading && state.items.letters == "new")
  }

  @Test func `a refresh clears or keeps, and what follows counts from the new page`() {
    for (onRefresh, during) in [(ListState.OnRefresh.clear, ""), (.keep, "ab")] {
      var state = folded([asked(.appear), loaded("ab", next: "2"), asked(.refresh)], onRefresh: onRefresh)
      #expect(state.items.letters == during)
      #expect(state.hasMore == (onRefresh == .keep))
      if let load = state.running { ListState.apply(&state, .loaded(page("bc", next: nil), by: load)) }
      #expect(state.items.letters == "bc" && !state.hasMore && state.phase == .reachedBottom)
    }
  }

  @Test func `a failure stands until a load begins`() {
    var state = folded([asked(.appear), loaded("ab", next: "2"), asked(.reachBottom), failed])
    #expect(state.failure?.trigger == "reachBottom" && state.phase == .failed && state.items.letters == "ab")
    #expect(state.hasMore)
    ListState.apply(&state, .changed(ItemList.Item(page("B").items, at: 0)))
    #expect(state.failure != nil && state.items.letters == "aB")
    ListState.apply(&state, .asked(.retry))
    #expect(state.failure == nil && state.trigger == .retry)
  }
}
