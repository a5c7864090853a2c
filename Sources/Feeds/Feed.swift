public import Nagare

/// One page of offers, loaded whenever it is asked for. Answers and failures are streams of their own, and no failure
/// ends either (the `Result` that is split in two).
public struct Feed: ViewModel {
  /// What a frontend does with a feed.
  public struct Input: Ports {
    let refresh = Trigger()

    /// Ports of their own for a view.
    public init() {}
  }

  /// What a feed says.
  public struct Output {
    let offers: Observable<[RawJSON]>
    let loading: Observable<Bool>
    let error: Observable<Failure?>
  }

  /// What its inputs and outputs are for.
  public static let summaries: KeyValuePairs = [
    "": "One page, loaded whenever it is asked for.",
    "refresh": "Loads the page.",
    "offers": "The items of the newest answer.",
    "loading": "Whether a load is running.",
    "error": "The failure that stands.",
  ]

  /// How many items are asked for.
  public let pageSize: Int
  /// Where the page comes from.
  public let load: (PageRequest) -> Observable<Page>

  /// A feed of what `load` gives.
  ///
  /// - Parameters:
  ///   - pageSize: how many items are asked for.
  ///   - load: gives one page, or fails with a `LoadFailure`; dropped when the page is no longer wanted.
  public init(pageSize: Int = 20, load: @escaping (PageRequest) -> Observable<Page>) {
    self.pageSize = pageSize
    self.load = load
  }

  /// One folded state, of which every output is a projection.
  public func transform(_ input: Input, on clock: any Scheduler) -> Output {
    let feed = Observable.folding(FeedState(), FeedState.apply) { _ in
      input.refresh.stream.flatMapLatest { answer.startWith(.asked) }
    }
    .share(replay: 1)

    return Output(
      offers: feed.distinctUntilChanged { $0.answers == $1.answers }.map(\.offers),
      loading: feed.map(\.isLoading).distinctUntilChanged(),
      error: feed.map(\.failure).distinctUntilChanged())
  }

  /// What comes of a load: whatever the source does, one step.
  private var answer: Observable<FeedState.Step> {
    load(PageRequest(size: pageSize))
      .take(1)
      .map { .answered($0) }
      .ifEmpty(default: .failed(LoadFailure(.malformedResponse, "the source ended without a page")))
      .catch { .just(.failed(LoadFailure($0))) }
  }
}

/// All that a feed knows, and how each event changes it.
struct FeedState {
  /// What happens to a feed.
  enum Step {
    /// A load begins; one that runs is dropped.
    case asked
    /// The load's page has come.
    case answered(Page)
    /// The load has failed.
    case failed(LoadFailure)
  }

  /// What the last answer held.
  private(set) var offers: [RawJSON] = []
  /// How many answers have come.
  private(set) var answers = 0
  /// Whether an answer is awaited.
  private(set) var isLoading = false
  private var failures = Failures()

  /// The failure that still stands.
  var failure: Failure? { failures.standing }

  static func apply(_ state: inout FeedState, _ step: Step) {
    state.isLoading = if case .asked = step { true } else { false }
    switch step {
    case .asked: state.failures.end()
    case .failed(let reason): state.failures.add(Failure(reason, trigger: "refresh"))
    case .answered(let page):
      // As in a list each id stands once.
      var items = ItemList()
      let repeated = items.append(page.items).repeated.map { LoadFailure(repeated: page.items.idText(at: $0)) }
      state.offers = items.map(\.json)
      state.answers += 1
      if let failure = Failure(page.failures + repeated, trigger: "refresh") { state.failures.add(failure) }
    }
  }
}
