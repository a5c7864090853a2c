public import Nagare
internal import Paging

/// One page of offers, loaded whenever it is asked for.
public struct Feed: ViewModel {
  /// What a frontend does with a feed.
  public struct Input: Ports {
    let refresh = Trigger()

    /// Ports of their own for a view.
    public init() {}
  }

  /// What a feed says.
  public struct Output: Outputs {
    let offers: Driver<[RawJSON]>
    let loading: Driver<Bool>
    let error: Driver<Failure?>
  }

  struct State { var page: Paged<RawJSON> }

  /// What its inputs and outputs are for.
  public static let summaries: KeyValuePairs = [
    "": "One page, which is loaded on request.",
    "refresh": "Loads the page.",
    "offers": "The items of the newest response.",
    "loading": "Whether the list is loading.",
    "error": "The current failure; null if there is none.",
  ]

  /// How many items are asked for.
  public let pageSize: Int
  /// Where the page comes from.
  public let load: (PageRequest) -> Observable<Page<RawJSON>>

  /// A feed of what `load` gives: one page, dropped when it is no longer wanted, or a `LoadFailure`.
  public init(pageSize: Int = 20, load: @escaping (PageRequest) -> Observable<Page<RawJSON>>) {
    self.pageSize = pageSize
    self.load = load
  }

  /// One state, of which every output is a part.
  public func transform(_ input: Input, on clock: any Scheduler) -> Output {
    let state = Feedback(State(page: Paged(pageSize: pageSize, onRefresh: .keep)), on: clock)
    state.on(input.refresh) { $0.page.load(.refresh) }
    state.react(to: \.page, load)
    return Output(
      offers: state.page.items.map { $0.map(\.json) }, loading: state.isLoading, error: state.failure)
  }
}
