public import Nagare

/// What a client answers for: tasks that it presents to the user, and sources whose pages it has.
///
/// ```swift
/// var handlers = Handlers()
/// handlers.present("prompt") { task in .completed("Mei") }
/// handlers.source("mine") { request in SourcePage(rows, next: 20) }
/// let session = try await Session.spawn(["nagare"], answering: handlers)
/// ```
/// Each runs in a task of its own, which is cancelled when its answer is no longer needed. It throws ``ResponseError`` to
/// have a failure shown; any other error is shown by its text.
public struct Handlers: Sendable {
  /// Presents a task.
  public typealias Presenter = @Sendable (PresentedTask) async throws -> TaskOutcome

  private(set) var presenters: [String: Presenter] = [:]
  private(set) var otherPresenter: Presenter?
  private(set) var sources: [String: ClientSource] = [:]

  /// Answers for nothing.
  public init() {}

  /// Presents tasks of some kinds; all that have no other presenter, if none is named.
  ///
  /// - Parameters:
  ///   - kinds: the kinds of task.
  ///   - presenter: presents one, and says how it ended.
  public mutating func present(_ kinds: String..., by presenter: @escaping Presenter) {
    if kinds.isEmpty { otherPresenter = presenter }
    for kind in kinds { presenters[kind] = presenter }
  }

  /// Gives the pages of a source.
  ///
  /// - Parameters:
  ///   - name: the source's name in the server's configuration.
  ///   - page: gives the page that is asked for.
  public mutating func source(_ name: String, page: @escaping ClientSource.GivePage) {
    sources[name] = ClientSource(page: page)
  }

  /// Gives the pages of a source, and makes its edits.
  ///
  /// - Parameters:
  ///   - name: the source's name in the server's configuration.
  ///   - source: what gives and makes them.
  public mutating func source(_ name: String, _ source: ClientSource) { sources[name] = source }

  /// What the server is told of it.
  var capabilities: RawJSON {
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("deltas")
    writer.bool(true)
    writer.key("present")
    writer.bool(otherPresenter != nil || !presenters.isEmpty)
    writer.key("sources")
    sources.keys.sorted().write(to: &writer)
    writer.key("windows")
    writer.bool(true)
    writer.endObject()
    return RawJSON(trusting: writer.bytes, 0..<writer.bytes.count)
  }
}

/// What the user is asked to do, as section 5.5 of the specification has it.
public struct PresentedTask: Sendable {
  /// The name of the view that asks.
  public let view: String
  /// What to present: one of ``TaskKind``, or a kind of the app's own.
  public let kind: String
  /// All that was said of it, an object.
  public let json: RawJSON

  /// A text of the task.
  ///
  /// - Parameter member: the text's name, such as `title`, `message` or `text`.
  /// - Returns: the text; nil where there is none.
  public func text(_ member: String) -> String? { json.member(member)?.string }
}

/// How a task has ended.
public enum TaskOutcome: Sendable {
  /// The user did it, with this value.
  case completed(with: RawJSON?)
  /// The user turned it down.
  case cancelled

  /// The user did it, and it has no value.
  public static var completed: TaskOutcome { .completed(with: nil) }

  /// The user did it.
  ///
  /// - Parameter value: the result: a text, true, an id.
  /// - Returns: the outcome.
  public static func completed(_ value: some JSONEncodable) -> TaskOutcome { .completed(with: value.json) }

  /// The user did it.
  ///
  /// - Parameter value: the result.
  /// - Returns: the outcome.
  /// - Throws: an `EncodingFailure` if the result can't be written as JSON.
  public static func completed(_ value: some Encodable) throws(EncodingFailure) -> TaskOutcome {
    .completed(with: try RawJSON(encoding: value))
  }

  var json: RawJSON {
    switch self {
    case .cancelled: ["outcome": "cancelled"].json
    case .completed(let value): ["outcome": "completed".json, "value": value].compactMapValues(\.self).json
    }
  }
}

/// A source whose items this client has.
public struct ClientSource: Sendable {
  /// Gives the page that is asked for.
  public typealias GivePage = @Sendable (PageRequest) async throws -> SourcePage
  /// Gives the whole item with an id; nil where there is none.
  public typealias GiveItem = @Sendable (ItemID) async throws -> RawJSON?
  /// Puts an item before that with an id; first, if there is none.
  public typealias Insert = @Sendable (_ item: RawJSON, _ before: ItemID?) async throws -> Void
  /// Puts an item in the place of the one with its id.
  public typealias Change = @Sendable (RawJSON) async throws -> Void
  /// Tells how what is looked for changes: of a source that is `live` in the configuration.
  public typealias Watch = @Sendable (SourceWatch) async throws -> SourceWatched
  /// Takes out the item with an id.
  public typealias Remove = @Sendable (ItemID) async throws -> Void

  /// Gives many items some members at once, each in place of the item's own.
  public typealias ChangeMarked = @Sendable (_ marked: MarkedItems, _ set: RawJSON) async throws -> Void
  /// Takes out many items at once.
  public typealias RemoveMarked = @Sendable (MarkedItems) async throws -> Void

  let page: GivePage
  let item: GiveItem?
  let watch: Watch?
  let insert: Insert?
  let change: Change?
  let remove: Remove?
  let changeMarked: ChangeMarked?
  let removeMarked: RemoveMarked?

  /// A source. Its edits are made one after another.
  ///
  /// - Parameters:
  ///   - page: gives pages.
  ///   - insert: puts items in; nil where none can be.
  ///   - change: changes items; nil where none can be.
  ///   - remove: takes items out; nil where none can be.
  ///   - item: gives whole items; nil where rows are all there is.
  ///   - watch: tells how the source changes; nil where it stands still.
  ///   - changeMarked: changes many items at once, where the configuration has `"marked"` in `writes`.
  ///   - removeMarked: takes many items out at once, where the configuration has `"marked"` in `writes`.
  public init(
    page: @escaping GivePage, insert: Insert? = nil, change: Change? = nil, remove: Remove? = nil,
    item: GiveItem? = nil, watch: Watch? = nil, changeMarked: ChangeMarked? = nil, removeMarked: RemoveMarked? = nil
  ) {
    (self.page, self.item, self.watch) = (page, item, watch)
    (self.insert, self.change, self.remove) = (insert, change, remove)
    (self.changeMarked, self.removeMarked) = (changeMarked, removeMarked)
  }
}

/// The items that an edit of many is for.
public enum MarkedItems: Sendable {
  /// Those with these ids.
  case some([ItemID])
  /// All that a query and filters look for but those with some ids; nil where nothing is looked for or filtered by.
  case all(except: [ItemID], query: String?, filters: Filters?)

  /// What a request names; nil where it is for one item.
  init?(_ params: RawJSON) {
    func ids(_ member: String) -> [ItemID]? { params.member(member)?.elements.compactMap { ItemID($0) } }
    if let ids = ids("ids") {
      self = .some(ids)
    } else if params.member("all") != nil {
      let filters = params.member("filters").flatMap { try? Filters(json: $0) }
      self = .all(except: ids("except") ?? [], query: params.member("query")?.string, filters: filters)
    } else {
      return nil
    }
  }
}

/// One page of items, as section 6 of the specification has it.
public struct SourcePage: Sendable {
  let json: RawJSON

  /// A page.
  ///
  /// - Parameters:
  ///   - items: the items.
  ///   - next: the key of the next page, any JSON value; nil at the end.
  ///   - previous: the key of the page before, for a list that begins in the middle.
  ///   - total: how many items there are, if that is known.
  ///   - isExact: whether the total is known; else it is an estimate.
  ///   - position: how many items come before the page, of a source that has positions.
  ///   - state: the state that the items were read at, of a live source that keeps states.
  public init<Item: JSONEncodable>(
    _ items: some Sequence<Item>, next: (any JSONEncodable)? = nil, previous: (any JSONEncodable)? = nil,
    total: Int? = nil, isExact: Bool = true, position: Int? = nil, state: String? = nil
  ) {
    self.init(
      items: Array(items).json, next: next?.json, previous: previous?.json, total: total,
      isExact: isExact, position: position, state: state)
  }

  /// A page.
  ///
  /// - Parameters:
  ///   - items: the items.
  ///   - next: the key of the next page, any value; nil at the end.
  ///   - previous: the key of the page before, for a list that begins in the middle.
  ///   - total: how many items there are, if that is known.
  ///   - isExact: whether the total is known; else it is an estimate.
  ///   - position: how many items come before the page, of a source that has positions.
  ///   - state: the state that the items were read at, of a live source that keeps states.
  /// - Throws: an `EncodingFailure` if one of them can't be written as JSON.
  public init<Item: Encodable>(
    _ items: some Sequence<Item>, next: (any Encodable)? = nil, previous: (any Encodable)? = nil, total: Int? = nil,
    isExact: Bool = true, position: Int? = nil, state: String? = nil
  ) throws(EncodingFailure) {
    func written(_ key: (any Encodable)?) throws(EncodingFailure) -> RawJSON? {
      guard let key else { return nil }
      return try RawJSON(encoding: key)
    }
    self.init(
      items: try RawJSON(encoding: Array(items)), next: try written(next), previous: try written(previous),
      total: total,
      isExact: isExact, position: position, state: state)
  }

  private init(
    items: RawJSON, next: RawJSON?, previous: RawJSON?, total: Int?, isExact: Bool, position: Int?, state: String?
  ) {
    let members = [
      "items": items, "next": next, "previous": previous, "total": total?.json,
      "exact": isExact ? nil : false.json, "position": position?.json, "state": state?.json,
    ]
    json = members.compactMapValues(\.self).json
  }
}
