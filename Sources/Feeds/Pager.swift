public import Nagare

/// The swipeable detail of a list: one item at a time, of the list's own items, which it makes grow.
public struct Pager: ViewModel {
  /// What a frontend does with a pager.
  public struct Input: Ports {
    let swipe = Port<Swipe>()

    /// Ports of their own for a view.
    public init() {}
  }

  /// What a pager says.
  public struct Output {
    let page: Observable<PagerPage>
    let loading: Observable<Bool>
    let error: Observable<Failure?>
  }

  /// What its inputs and outputs are for.
  public static let summaries: KeyValuePairs = [
    "": "One item of a list at a time.",
    "swipe": "Goes to the neighbour, or to the item with an id.",
    "page": "Where the user is.",
    "loading": "Whether the list loads.",
    "error": "The list's failure that stands.",
  ]

  private let feed: Observable<ListState>
  private let start: ItemID
  private let loadMore: Trigger
  private let prefetch: Int

  /// A pager on one item of a list.
  ///
  /// - Parameters:
  ///   - feed: the list's state, shared with it.
  ///   - start: the item to begin with.
  ///   - loadMore: the list's own input, by which the pager asks for more.
  ///   - prefetch: how many items before the last one it asks already.
  public init(_ feed: Observable<ListState>, from start: ItemID, loadMore: Trigger, prefetch: Int = 0) {
    self.feed = feed
    self.start = start
    self.loadMore = loadMore
    self.prefetch = prefetch
  }

  /// One folded state again, fed by the list's.
  public func transform(_ input: Input, on clock: any Scheduler) -> Output {
    let swipes = input.swipe.accepting("id", as: "the id of a listed item", given: feed) { swipe, list in
      swipe.step(in: list.items)
    }
    let pages = Observable.folding(PagerState(on: start, prefetch: prefetch), PagerState.apply) { _ in
      merge(feed.map { .listed($0.items, hasMore: $0.hasMore) }, swipes)
    }
    .skip(1)  // before it has seen the list there is no page
    .do(onNext: { [loadMore] state in if state.asksForMore { try? loadMore.send() } })
    .share(replay: 1)

    return Output(
      page: pages.map(PagerPage.init),
      loading: feed.map(\.isLoading).distinctUntilChanged(),
      error: feed.map(\.failure).distinctUntilChanged())
  }
}

/// The parameters of `swipe`: a direction, or an item's id.
public struct Swipe: Record {
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

  func step(in list: ItemList) -> PagerState.Step? {
    if let id { return list.contains(id) ? .jumped(to: id) : nil }
    return to.map { .turned(to: $0) }
  }
}

/// The value of the `page` output: the item that is shown, and what lies around it.
struct PagerPage: Record, OutputValue, Equatable {
  let id: RawJSON
  let index: Int
  let count: Int
  let item: RawJSON
  let hasPrevious: Bool
  let hasNext: Bool
  let hasMore: Bool

  static let fields = Fields(
    PagerPage.init(id:index:count:item:hasPrevious:hasNext:hasMore:),
    Field("id", \.id, "The item's id."),
    Field("index", \.index, "The item's place in the list, from 0."),
    Field("count", \.count, "How many items are listed."),
    Field("item", \.item, "The item."),
    Field("hasPrevious", \.hasPrevious, "Whether an item is listed before it."),
    Field("hasNext", \.hasNext, "Whether an item is listed after it."),
    Field("hasMore", \.hasMore, "Whether the source has more items than are listed."))

  static var schema: JSONSchema {
    var schema = JSONSchema(properties: fields.properties).titled("PagerPage")
      .described("The item that a pager shows, and what lies around it.")
    // It is written as it stands in the item, and an id all the same.
    schema.properties[0].schema.types = ItemID.schema.types
    return schema
  }
}

extension PagerPage {
  /// Makes an output that keeps the list's bytes: there may be thousands of pagers on one item.
  static func makeSlot(named name: String, for stream: Observable<PagerPage>) -> OutputSlot {
    SharedValueSlot(name, stream, schema: schema)
  }

  static func == (left: PagerPage, right: PagerPage) -> Bool {
    left.index == right.index && left.count == right.count && left.hasPrevious == right.hasPrevious
      && left.hasNext == right.hasNext && left.hasMore == right.hasMore
      && left.id.bytes == right.id.bytes && left.item.bytes == right.item.bytes
  }

  init(_ state: PagerState) {
    let item = state.list[state.index]
    self.init(
      id: item.id, index: state.index, count: state.list.count, item: item.json, hasPrevious: state.index > 0,
      hasNext: state.index < state.list.count - 1, hasMore: state.hasMore)
  }
}
