public import Nagare
public import Paging
internal import WireJSON

/// The details of a list's items, one at a time; the user swipes between them. Near the list's end, the pager makes the
/// list load its next page.
public struct Pager: ViewModel {
  /// The inputs of a pager.
  public struct Input: Ports {
    let swipe = Port<Swipe>()

    /// Creates the ports of a view.
    public init() {}
  }

  /// The outputs of a pager.
  public struct Output: Outputs {
    /// The current item, and its position in the list.
    public let page: Driver<PagerPage>
    /// Whether the list or the current full item is loading.
    public let loading: Driver<Bool>
    /// The failure of the current full item or of the list; nil if there is none.
    public let error: Driver<Failure?>
  }

  /// Descriptions of the inputs and outputs.
  public static let summaries: KeyValuePairs = [
    "": "One item of a list at a time.",
    "swipe": "Moves to the next or previous item, or to the item with an id.",
    "page": "The current item, and its position in the list.",
    "loading": "Whether the list is loading.",
    "error": "The current failure of the list; null if there is none.",
  ]

  private let listing: Driver<Listing>
  private let loading: Driver<Bool>
  private let error: Driver<Failure?>
  private let start: ItemID
  private let loadMore: Trigger
  private var settings: PagerSettings

  /// A pager on one item of a list.
  ///
  /// - Parameters:
  ///   - list: the list, a part of another view model's state.
  ///   - failure: the current failure of the list.
  ///   - start: the id of the first item to show.
  ///   - loadMore: the list's input that loads its next page.
  ///   - settings: the settings of the pager.
  public init<State>(
    _ list: Projection<State, Paged<RawJSON>>, failure: Driver<Failure?>, from start: ItemID, loadMore: Trigger,
    _ settings: PagerSettings = PagerSettings()
  ) {
    (listing, loading, error) = (list.listing, list.isLoading, failure)
    self.start = start
    self.loadMore = loadMore
    self.settings = settings
  }

  /// A pager on one item of a typed list. Near the list's end, it makes the list load its next page.
  ///
  /// ```swift
  /// let navigate = input.select.signal.map { id in Navigation(to: "message", Pager(list, from: id)) }
  /// ```
  ///
  /// - Parameters:
  ///   - list: the list.
  ///   - start: the id of the first item to show.
  ///   - prefetch: the next page is loaded when at most this many items follow the current one.
  public init<Item: Codable & Identifiable>(_ list: Feedback<Paged<Item>>, from start: Item.ID, prefetch: Int = 0)
  where Item.ID: Encodable {
    self.init(
      list.listing, list[dynamicMember: \.isLoading], list.failure, from: start, prefetch,
      more: list.port(Void.self) { list, _ in list.next() })
  }

  /// A pager on one item of a list that is a part of a larger state.
  ///
  /// ```swift
  /// let navigate = input.select.signal.map { id in Navigation(to: "message", Pager(state.messages, from: id)) }
  /// ```
  public init<State, Item: Codable & Identifiable>(
    _ list: Projection<State, Paged<Item>>, from start: Item.ID, prefetch: Int = 0
  ) where Item.ID: Encodable {
    self.init(
      list.listing, list.isLoading, list.failure, from: start, prefetch,
      more: list.port(Void.self) { list, _ in list.next() })
  }

  private init<ID: Encodable>(
    _ listing: Driver<Listing>, _ loading: Driver<Bool>, _ error: Driver<Failure?>, from start: ID, _ prefetch: Int,
    more: Trigger
  ) {
    guard let start = (try? RawJSON(encoding: start)).flatMap({ ItemID($0) }) else {
      // Items of a list always have such ids.
      preconditionFailure("an item's id is a string or a number in JSON, not \(start)")
    }
    (self.listing, self.loading, self.error, self.start, loadMore) = (listing, loading, error, start, more)
    settings = PagerSettings()
    settings.prefetch = prefetch
  }

  /// A pager on one item that belongs to no list.
  public init(on start: ItemID, _ settings: PagerSettings) {
    (listing, loading, error) = (.just(Paged<RawJSON>().listing), .just(false), .just(nil))
    self.start = start
    loadMore = Trigger()
    self.settings = settings
  }

  /// A pager without a list, to describe the screen.
  public static var example: Pager { Pager(on: ItemID(0), PagerSettings()) }

  /// Connects the inputs to one state, which also follows the list.
  public func transform(_ input: Input, on clock: any Scheduler) -> Output {
    let state = Feedback(PagerState(on: start, in: listing.value, settings), on: clock)
    state.on(listing) { $0.follow($1) }
    state.on(input.swipe) { state, swipe throws(Refusal) in try state.turn(swipe) }
    state.forward(\.asking, to: loadMore)
    state.forward(\.showing, to: settings.showing ?? Port())
    state.react(to: \.whole, settings.item ?? { _ in .never() })
    state.on(finished: \.whole) { state, _ in state.show() }
    state.on(\.rest, after: .milliseconds(100)) { $0.show() }
    if settings.item == nil { return Output(page: state.page, loading: loading, error: error) }
    return Output(
      page: state.page, loading: combine(loading, state.whole.isLoading) { $0 || $1 },
      error: combine(state.failure, error) { $0 ?? $1 })
  }
}
