public import Nagare
public import Paging
internal import WireJSON

/// The swipeable detail of a list: one item at a time, of the list's own items, which it makes grow.
public struct Pager: ViewModel {
  /// What a frontend does with a pager.
  public struct Input: Ports {
    let swipe = Port<Swipe>()

    /// Ports of their own for a view.
    public init() {}
  }

  /// What a pager shows.
  public struct Output: Outputs {
    /// The item that the user is at.
    public let page: Driver<PagerPage>
    /// Whether the list loads.
    public let loading: Driver<Bool>
    /// The failure of the list; nil if there is none.
    public let error: Driver<Failure?>
  }

  /// What its inputs and outputs are for.
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
  ///   - failure: the failure that stands there.
  ///   - start: the item to begin with.
  ///   - loadMore: the list's own input, by which the pager asks for more.
  ///   - settings: how it behaves.
  public init<State>(
    _ list: Projection<State, Paged<RawJSON>>, failure: Driver<Failure?>, from start: ItemID, loadMore: Trigger,
    _ settings: PagerSettings = PagerSettings()
  ) {
    (listing, loading, error) = (list.listing, list.isLoading, failure)
    self.start = start
    self.loadMore = loadMore
    self.settings = settings
  }

  /// A pager on one item of a list of an author's own, which it asks for more.
  ///
  /// ```swift
  /// let navigate = input.select.signal.map { id in Navigation(to: "message", Pager(list, from: id)) }
  /// ```
  ///
  /// - Parameters:
  ///   - list: the list.
  ///   - start: the id of the item to begin with.
  ///   - prefetch: how many items before the last one the list is asked for more already.
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
      // A list has no such items.
      preconditionFailure("an item's id is a string or a number in JSON, not \(start)")
    }
    (self.listing, self.loading, self.error, self.start, loadMore) = (listing, loading, error, start, more)
    settings = PagerSettings()
    settings.prefetch = prefetch
  }

  /// A pager on one item of no list.
  public init(on start: ItemID, _ settings: PagerSettings) {
    (listing, loading, error) = (.just(Paged<RawJSON>().listing), .just(false), .just(nil))
    self.start = start
    loadMore = Trigger()
    self.settings = settings
  }

  /// A pager on nothing, to describe the screen by.
  public static var example: Pager { Pager(on: ItemID(0), PagerSettings()) }

  /// One state again, which follows the list's.
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
