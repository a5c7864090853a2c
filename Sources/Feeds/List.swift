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

  /// Where the pages come from.
  public let load: (PageRequest) -> Observable<Page>
  /// How it behaves.
  public let settings: ListSettings

  /// A list of what `load` gives.
  ///
  /// - Parameters:
  ///   - settings: how it behaves.
  ///   - load: gives one page, or fails with a `LoadFailure`; dropped when the page is no longer wanted.
  public init(_ settings: ListSettings, load: @escaping (PageRequest) -> Observable<Page>) {
    self.settings = settings
    self.load = load
  }

  /// One folded state, of which every output is a projection.
  public func transform(_ input: Input, on clock: any Scheduler) -> Output {
    let feed = Observable.folding(ListState(onRefresh: settings.onRefresh), ListState.apply) { feed in
      merge(
        input.viewWillAppear.stream.map { .asked(.appear) },
        input.reachBottom.stream.throttle(settings.throttle, latest: false, on: clock).map { .asked(.reachBottom) },
        input.loadMore.stream.throttle(settings.throttle, latest: false, on: clock).map { .asked(.loadMore) },
        input.refresh.stream.map { .asked(.refresh) },
        input.retry.stream.map { .asked(.retry) },
        input.change.accepting("item", as: "an object with its id at \"\(settings.id)\", a string or a number") {
          ItemList.Item($0, id: settings.id).map(ListState.Step.changed)
        },
        feed.compactMap(\.running).distinctUntilChanged().flatMapLatest(outcome))
    }
    .share(replay: 1)

    return Output(
      items: feed.map(\.items).distinctUntilChanged { $0.isIdentical(to: $1) },
      loading: feed.map(\.isLoading).distinctUntilChanged(),
      error: feed.map(\.failure).distinctUntilChanged(),
      state: feed.map(LoadState.init).distinctUntilChanged(),
      navigate: input.select
        .accepting("id", as: "the id of a listed item", given: feed) { id, list in list.items.contains(id) ? id : nil }
        .compactMap { id in
          settings.detail.map { Navigation(to: $0, Pager(feed, from: id, loadMore: input.loadMore)) }
        })
  }

  /// What comes of a load: whatever the source does, one step.
  private func outcome(of load: ListState.Load) -> Observable<ListState.Step> {
    self.load(PageRequest(key: load.key, size: settings.pageSize))
      .take(1)
      .map { .loaded($0, by: load) }
      .ifEmpty(default: .failed(LoadFailure(.nonsense, "the source ended without a page"), of: load))
      .catch { .just(.failed(LoadFailure($0), of: load)) }
  }
}

/// The value of the `state` output: what made the newest load begin, how far it has come, and how many items there are.
struct LoadState: Record, OutputValue, Equatable {
  let trigger: ListState.Trigger
  let phase: ListState.Phase
  let count: Int

  static let fields = Fields(
    LoadState.init(trigger:phase:count:),
    Field("trigger", \.trigger, "What made the newest load begin."),
    Field("phase", \.phase, "How far it has come."),
    Field("count", \.count, "How many items are listed."))
}

extension LoadState {
  init(_ state: ListState) { self.init(trigger: state.trigger, phase: state.phase, count: state.items.count) }
}
