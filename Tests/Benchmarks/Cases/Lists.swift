internal import Flow
internal import Nagare
internal import Paging
internal import RPC
internal import WireJSON

/// The state of a list, without the wire. A repetition is one page of 20 appended, and what the outputs show of it.
enum Lists {
  static let cases = [
    Case("fold", repetitions: 100, counted: 100, runs: 21, preparesEachRun: true) { fold(at: 10_000) },
    Case("fold.small", repetitions: 100, counted: 100, runs: 21, preparesEachRun: true) { fold(at: 50) },
  ]

  /// A list of so many pages. Those to come are made last, and no more of them than are needed, so that a processor's
  /// caches have them as they have what was just read.
  private static func fold(at count: Int) -> (Int) -> Void {
    var mails = Mails(bodySize: 80)
    let stage = Stage()
    for (number, page) in mails.pages(count).enumerated() { stage.append(page, number == 0 ? .appear : .loadMore) }
    let coming = (count..<count + 110).map { mails.page($0) }
    var next = 0
    return { repetitions in
      for _ in 0..<repetitions {
        stage.append(coming[next], .loadMore)
        next += 1
      }
      precondition(stage.state.items.count == (count + next) * 20)
    }
  }

  /// A state, and what was made of its projections. Its state is looked at where it lies, without a copy.
  private final class Stage {
    private(set) var state = Paged<RawJSON>()
    private let total = Total()

    func append(_ page: RawItems, _ trigger: LoadTrigger) {
      state.load(trigger)
      guard case .one(let load) = state.wanted else { return }
      total.add(load)
      try? state.take(Page(items: page, next: .null), of: load)
      total.add(state.items.count)
      total.add(state.isLoading ? 1 : 0)
      total.add(state.failure == nil ? 0 : 1)
    }
  }
}
