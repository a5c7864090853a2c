public import Nagare

/// A list that grows page by page, and opens a pager on what is selected (the Gmail-like list).
public struct List: ViewModel {
  /// What a frontend does with a list.
  public struct Input: Ports {
    let viewWillAppear = Trigger()
    let reachBottom = Trigger()
    let loadMore = Trigger()
    let refresh = Trigger()
    let retry = Trigger()
    let change = Port<RawJSON>("item")
    let select = Port<ItemID>("id")
    let reachTop = Trigger()
    let viewport = Port<Viewport>()
    let insert = Port<Insertion>()
    let remove = Port<ItemID>("id")
    let present = Presenter()

    /// Ports of their own for a view.
    public init() {}
  }

  /// What a list says.
  public struct Output {
    let items: Observable<ItemList>
    let loading: Observable<Bool>
    let error: Observable<Failure?>
    let state: Observable<LoadState>
    let navigate: Observable<Navigation>
  }

  /// What its inputs and outputs are for.
  public static let summaries: KeyValuePairs = [
    "": "Items that grow page by page.",
    "viewWillAppear": "Loads the first page, the first time.",
    "reachBottom": "Loads the next page, because the user came to the end.",
    "loadMore": "Loads the next page, for whatever reason.",
    "refresh": "Loads the first page anew.",
    "retry": "Loads anew what failed.",
    "change": "Replaces a listed item by one with the same id.",
    "select": "Opens the screen's detail on an item.",
    "reachTop": "Loads the page before, because the user came to the start.",
    "viewport": "Says which rows are in sight, from `start` to the one before `end`.",
    "insert": "Puts an item before the one with an id, or first.",
    "remove": "Takes an item out.",
    "items": "What is listed.",
    "loading": "Whether a load is running.",
    "error": "The failure that stands.",
    "state": "How far the newest load has come.",
    "navigate": "A view that was opened.",
  ]

  /// How it behaves.
  public let settings: ListSettings
  /// Where the pages come from, and what may be written there.
  public let source: ListSource

  /// A list of what a source has.
  ///
  /// - Parameters:
  ///   - settings: how it behaves.
  ///   - source: where the pages come from, and what may be written there.
  public init(_ settings: ListSettings, _ source: ListSource) {
    self.settings = settings
    self.source = source
  }

  /// A list whose edits are its own.
  ///
  /// - Parameters:
  ///   - settings: how it behaves.
  ///   - load: gives one page, or fails with a `LoadFailure`; dropped when the page is no longer wanted.
  public init(_ settings: ListSettings, load: @escaping (PageRequest) -> Observable<Page>) {
    self.init(settings, ListSource(load: load))
  }

  /// One folded state, of which every output is a projection.
  public func transform(_ input: Input, on clock: any Scheduler) -> Output {
    output(of: feed(input, looking: settings.queries.map { .queried($0) }, on: clock), input)
  }

  /// The state, fed by the inputs, by what is looked for, and by what comes of its own loads and edits.
  func feed(
    _ input: Input, looking: Observable<ListState.Step>, on clock: any Scheduler
  ) -> Observable<ListState> {
    func throttled(_ trigger: Trigger) -> Observable<Void> {
      trigger.stream.throttle(settings.throttle, latest: false, on: clock)
    }
    let initial = ListState(query: settings.query, onRefresh: settings.onRefresh)
    return Observable.folding(initial, ListState.apply) { feed in
      merge(
        looking,
        input.viewWillAppear.stream.map { .asked(.appear) },
        throttled(input.reachBottom).map { .asked(.reachBottom) },
        throttled(input.loadMore).map { .asked(.loadMore) },
        throttled(input.reachTop).map { .asked(.reachTop) },
        viewport(input, feed).map { .asked($0) },
        input.refresh.stream.map { .asked(.refresh) },
        input.retry.stream.map { .asked(.retry) },
        input.change.accepting("item", as: itemWords) { item($0).map(ListState.Step.changed) },
        insertions(input, feed),
        removals(input, feed),
        feed.compactMap(\.running).distinctUntilChanged().flatMapLatest { source.outcome(of: $0, settings.pageSize) },
        feed.compactMap(\.newestEdit).distinctUntilChanged().flatMap(source.outcome))
    }
    .share(replay: 1)
  }

  /// The projections.
  func output(of feed: Observable<ListState>, _ input: Input) -> Output {
    Output(
      items: feed.map(\.items).distinctUntilChanged { $0.isIdentical(to: $1) },
      loading: feed.map(\.isLoading).distinctUntilChanged(),
      error: feed.map(\.failure).distinctUntilChanged(),
      state: feed.map(LoadState.init).distinctUntilChanged(),
      navigate: listed(input.select, in: feed).compactMap { id in
        settings.detail.map {
          Navigation(to: $0, Pager(feed, from: id, loadMore: input.loadMore, prefetch: settings.prefetch))
        }
      })
  }
}
