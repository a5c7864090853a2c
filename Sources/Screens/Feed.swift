public import Nagare
internal import Paging

/// A screen with one page of offers. Each refresh loads the page again.
public struct Feed: ViewModel {
  /// The inputs of a feed.
  public struct Input: Ports {
    let refresh = Trigger()

    /// Creates the ports of a view.
    public init() {}
  }

  /// The outputs of a feed.
  public struct Output: Outputs {
    let offers: Driver<[RawJSON]>
    let loading: Driver<Bool>
    let error: Driver<Failure?>
  }

  struct State { var page: Paged<RawJSON> }

  /// Descriptions of the inputs and outputs.
  public static let summaries: KeyValuePairs = [
    "": "One page, which is loaded on request.",
    "refresh": "Loads the page.",
    "offers": "The items of the newest response.",
    "loading": "Whether the list is loading.",
    "error": "The current failure; null if there is none.",
  ]

  /// The number of items to request.
  public let pageSize: Int
  /// Loads the page.
  public let load: (PageRequest) -> Observable<Page<RawJSON>>

  /// A feed. `load` returns a stream of one page, or of a `LoadFailure`. The feed disposes of the subscription when it
  /// no longer needs the page.
  public init(pageSize: Int = 20, load: @escaping (PageRequest) -> Observable<Page<RawJSON>>) {
    self.pageSize = pageSize
    self.load = load
  }

  /// Connects the inputs to one state. Each output is a part of this state.
  public func transform(_ input: Input, on clock: any Scheduler) -> Output {
    let state = Feedback(State(page: Paged(pageSize: pageSize, onRefresh: .keep)), on: clock)
    state.on(input.refresh) { $0.page.load(.refresh) }
    state.react(to: \.page, load)
    return Output(
      offers: state.page.items.map { $0.map(\.json) }, loading: state.isLoading, error: state.failure)
  }
}
