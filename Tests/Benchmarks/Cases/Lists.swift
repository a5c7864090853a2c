internal import Feeds
internal import Flow
internal import Nagare
internal import RPC
internal import WireJSON

/// The state of a list, without the wire. A repetition is one page of 20 appended, and what the outputs show of it.
enum Lists {
  static let cases = [
    Case("fold", repetitions: 1000, counted: 1000) { fold(at: 10_000, for: 8000) },
    Case("fold.small", repetitions: 50, counted: 50, preparesEachRun: true) { fold(at: 50, for: 60) },
  ]

  /// A list of so many pages, with pages for so many repetitions more.
  private static func fold(at count: Int, for repetitions: Int) -> (Int) -> Void {
    var mails = Mails(bodySize: 80)
    let pages = mails.pages(count + repetitions)
    var state = ListState()
    var next = 0
    let total = Total()
    func append(_ trigger: ListState.Trigger) {
      ListState.apply(&state, .asked(trigger))
      guard let load = state.running else { return }
      total.add(state.isLoading ? 1 : 0)
      ListState.apply(&state, .loaded(Page(items: pages[next], next: .null), by: load))
      next += 1
      total.add(state.items.count + (state.isLoading ? 1 : 0) + (state.failure == nil ? 0 : 1))
    }
    append(.appear)
    while next < count { append(.loadMore) }
    return { repetitions in
      for _ in 0..<repetitions { append(.loadMore) }
      precondition(state.items.count == next * 20)
    }
  }
}
