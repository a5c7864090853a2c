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
      let triggers = merge(
        input.viewWillAppear.stream.map { ListState.Trigger.appear },
        input.refresh.stream.map { .refresh },
        input.retry.stream.map { .retry },
        input.reachBottom.stream.throttle(settings.throttle, latest: false, on: clock).map { .reachBottom },
        input.loadMore.stream.throttle(settings.throttle, latest: false, on: clock).map { .loadMore })
      return merge(
        triggers.withLatestFrom(feed) { trigger, state in state.load(for: trigger) }
          .compactMap { $0 }
          .flatMapLatest(steps),
        changes(input.change, feed))
    }
    .share(replay: 1)

    return Output(
      items: feed.map(\.items),
      loading: feed.map(\.isLoading),
      error: feed.map(\.failure),
      state: feed.map(LoadState.init),
      navigate: selections(input.select, feed).map { screen, id in
        Navigation(to: screen, Pager(feed, from: id, loadMore: input.loadMore))
      })
  }

  /// A load's beginning, and what comes of it.
  private func steps(_ wanted: ListState.Load) -> Observable<ListState.Step> {
    load(PageRequest(key: wanted.key, size: settings.pageSize))
      .take(1)
      .map(ListState.Step.loaded)
      .ifEmpty(default: .failed(LoadFailure(.nonsense, "the source ended without a page")))
      .catch { .just(.failed(LoadFailure($0))) }
      .startWith(.began(wanted))
  }

  private func changes(_ change: Port<RawJSON>, _ feed: Observable<ListState>) -> Observable<ListState.Step> {
    change.accepting("item", as: "an object with its id, a string or a number, at \"\(settings.id)\"", given: feed) {
      json, _ in ItemList.Item(json, id: settings.id).map(ListState.Step.changed)
    }
  }

  private func selections(_ select: Port<ItemID>, _ feed: Observable<ListState>) -> Observable<(String, ItemID)> {
    select.accepting("id", as: "the id of a listed item", given: feed) { id, state in
      state.items.contains(id) ? id : nil
    }
    .compactMap { id in settings.detail.map { ($0, id) } }
  }
}

/// How a list behaves: the part of a screen's definition that its view model reads.
public struct ListSettings: Sendable {
  /// The member of an item that is its id.
  public var id = "id"
  /// How many items a page has.
  public var pageSize = 20
  /// How long after one `reachBottom` that passed the next are dropped; likewise for `loadMore`.
  public var throttle = Duration.seconds(1)
  /// What becomes of the items when a refresh begins.
  public var onRefresh = ListState.OnRefresh.clear
  /// The screen that `select` opens; nil if it opens none.
  public var detail: String?

  /// The usual settings.
  public init() {}
}

/// The value of the `state` output: what made the newest load begin, how far it has come, and how many items there are.
struct LoadState: Record, OutputValue {
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
