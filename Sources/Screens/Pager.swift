public import Nagare
public import Paging

/// The swipeable detail of a list: one item at a time, of the list's own items, which it makes grow.
public struct Pager: ViewModel {
  /// What a frontend does with a pager.
  public struct Input: Ports {
    let swipe = Port<Swipe>()

    /// Ports of their own for a view.
    public init() {}
  }

  /// What a pager says.
  public struct Output: Outputs {
    let page: Driver<PagerPage>
    let loading: Driver<Bool>
    let error: Driver<Failure?>
  }

  /// What its inputs and outputs are for.
  public static let summaries: KeyValuePairs = [
    "": "One item of a list at a time.",
    "swipe": "Goes to the neighbour, or to the item with an id.",
    "page": "Where the user is.",
    "loading": "Whether the list loads.",
    "error": "The list's failure that stands.",
  ]

  private let listing: Driver<Listing>
  private let loading: Driver<Bool>
  private let error: Driver<Failure?>
  private let start: ItemID
  private let loadMore: Trigger
  private let settings: PagerSettings

  /// A pager on one item of a list.
  ///
  /// - Parameters:
  ///   - list: the list, a part of another view model's state.
  ///   - failure: the failure that stands there.
  ///   - start: the item to begin with.
  ///   - loadMore: the list's own input, by which the pager asks for more.
  ///   - settings: how it behaves.
  public init<State>(
    _ list: Part<State, Paged<RawJSON>>, failure: Driver<Failure?>, from start: ItemID, loadMore: Trigger,
    _ settings: PagerSettings = PagerSettings()
  ) {
    (listing, loading, error) = (list.listing, list.isLoading, failure)
    self.start = start
    self.loadMore = loadMore
    self.settings = settings
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

/// How a pager behaves.
public struct PagerSettings {
  /// How many items before the last one it asks the list for more already.
  public var prefetch = 0
  /// Whether rows are summaries, so that the item that is shown is asked for, and those beside it.
  public var isWhole = false
  /// Gives one whole item by its id, or fails with a `LoadFailure`; nil if there are just rows.
  public var item: ((ItemID) -> Observable<RawJSON>)?
  /// Takes the row that is shown, of a list that is seen through a window.
  var showing: Port<Showing>?

  /// The usual settings.
  public init() {}
}

/// The row that a pager shows, for a list that is seen through a window.
struct Showing {
  let pager: AnyObject
  let row: ShownRow?
}

/// The parameters of `swipe`: a direction, or an item's id.
public struct Swipe: Record, Sendable {
  /// Which way.
  public enum Direction: String, JSONStringEnum, Sendable {
    /// To the item after this one.
    case next
    /// To the item before this one.
    case previous
  }

  /// Which way; nil if an item is named.
  public let to: Direction?
  /// Which item; nil if a direction is given.
  public let id: ItemID?

  /// Its members on the wire.
  public static let fields = Fields(
    Swipe.init,
    Field("to", \.to, "To the next or the previous item."),
    Field("id", \.id, "To the item with this id."))
}

/// The value of the `page` output: the item that is shown, and what lies around it.
struct PagerPage: Record, SharedValue {
  var id: RawJSON
  var index: Int?
  var count = 0
  var item = RawJSON.null
  var hasPrevious = false
  var hasNext = false
  var hasMore = false
  var whole: Bool?

  static let fields = Fields(
    PagerPage.init(id:index:count:item:hasPrevious:hasNext:hasMore:whole:),
    Field("id", \.id, "The item's id; null where its row isn't read."),
    Field(nullable: "index", \.index, "The item's place in the list, from 0; null where it isn't listed."),
    Field("count", \.count, "How many items are listed."),
    Field("item", \.item, "The item; null where it is neither listed nor there yet."),
    Field("hasPrevious", \.hasPrevious, "Whether a swipe to the previous goes to an item."),
    Field("hasNext", \.hasNext, "Whether a swipe to the next goes to an item."),
    Field("hasMore", \.hasMore, "Whether the source has more items than are listed, or rows that aren't read follow."),
    Field("whole", \.whole, "Whether the item is whole, where the screen asks for whole items: else it is the row."))

  static var schema: JSONSchema {
    var schema = JSONSchema(properties: fields.properties).titled("PagerPage")
      .described("The item that a pager shows, and what lies around it.")
    // It is written as it stands in the item, and an id all the same.
    schema.properties[0].schema.types = ItemID.schema.types + [.null]
    // Null or not, it is always there.
    schema.properties[1].isRequired = true
    schema.properties[3].schema.types = [.object, .null]
    schema.properties[3].schema.title = "Item"
    return schema
  }
}
