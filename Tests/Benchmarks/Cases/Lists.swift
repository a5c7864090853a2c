internal import Feeds
internal import Flow
internal import Nagare
internal import RPC
internal import WireJSON

/// The state of a list, without the wire. A repetition is one page of 20 appended, and what the outputs show of it.
enum Lists {
  static let cases = [
    Case("fold", repetitions: 100, counted: 100, runs: 21, preparesEachRun: true) { fold(at: 10_000) },
    Case("fold.small", repetitions: 100, counted: 100, runs: 21, preparesEachRun: true) { fold(at: 50) },
  ]

  /// A list of so many pages. Those to come are made last, so that a processor's caches have them as they have what was
  /// just read.
  private static func fold(at count: Int) -> (Int) -> Void {
    var mails = Mails(bodySize: 80)
    var pages = mails.pages(count)
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
    pages += (count..<count + 200).map { mails.page($0) }
    return { repetitions in
      for _ in 0..<repetitions { append(.loadMore) }
      precondition(state.items.count == next * 20)
    }
  }
}
