public import Nagare

/// A source whose items come from this client.
public struct ClientSource: Sendable {
  /// Returns the requested page.
  public typealias GivePage = @Sendable (PageRequest) async throws -> SourcePage
  /// Returns the full item with an id, or nil if the item doesn't exist.
  public typealias GiveItem = @Sendable (ItemID) async throws -> RawJSON?
  /// Inserts an item before the item with an id, or at the first position if there is no id.
  public typealias Insert = @Sendable (_ item: RawJSON, _ before: ItemID?) async throws -> Void
  /// Replaces the item that has the same id.
  public typealias Change = @Sendable (RawJSON) async throws -> Void
  /// Inserts an item before the item with an id, or at the first position if there is no id. Returns how the source
  /// stored the item.
  public typealias InsertMaking = @Sendable (_ item: RawJSON, _ before: ItemID?) async throws -> MadeItem
  /// Replaces the item that has the same id. Returns how the source stored the item.
  public typealias ChangeMaking = @Sendable (RawJSON) async throws -> MadeItem
  /// Begins to report changes, for a source that is `live` in the configuration.
  public typealias Watch = @Sendable (SourceWatch) async throws -> SourceWatched
  /// Removes the item with an id.
  public typealias Remove = @Sendable (ItemID) async throws -> Void

  /// Sets some fields of several items at once.
  public typealias ChangeMarked = @Sendable (_ marked: MarkedItems, _ set: RawJSON) async throws -> Void
  /// Removes several items at once.
  public typealias RemoveMarked = @Sendable (MarkedItems) async throws -> Void

  let page: GivePage
  let item: GiveItem?
  let watch: Watch?
  let insert: InsertMaking?
  let change: ChangeMaking?
  let remove: Remove?
  let changeMarked: ChangeMarked?
  let removeMarked: RemoveMarked?

  /// Creates a source. Its edits run one after another.
  ///
  /// - Parameters:
  ///   - page: returns pages.
  ///   - insert: inserts items; nil if the source doesn't support it.
  ///   - change: changes items; nil if the source doesn't support it.
  ///   - remove: removes items; nil if the source doesn't support it.
  ///   - item: returns full items; nil if rows already have all fields.
  ///   - watch: reports changes; nil if the source isn't live.
  ///   - changeMarked: changes several items at once, if the configuration has `"marked"` in `writes`.
  ///   - removeMarked: removes several items at once, if the configuration has `"marked"` in `writes`.
  ///   - insertMaking: inserts items like `insert`, and returns how the source stored them. It takes precedence over
  ///     `insert`.
  ///   - changeMaking: changes items like `change`, and returns how the source stored them. It takes precedence over
  ///     `change`.
  public init(
    page: @escaping GivePage, insert: Insert? = nil, change: Change? = nil, remove: Remove? = nil,
    item: GiveItem? = nil, watch: Watch? = nil, changeMarked: ChangeMarked? = nil, removeMarked: RemoveMarked? = nil,
    insertMaking: InsertMaking? = nil, changeMaking: ChangeMaking? = nil
  ) {
    (self.page, self.item, self.watch) = (page, item, watch)
    self.insert =
      insertMaking
      ?? insert.map { insert in
        { @Sendable item, before in
          try await insert(item, before)
          return .asSent
        }
      }
    self.change =
      changeMaking
      ?? change.map { change in
        { @Sendable item in
          try await change(item)
          return .asSent
        }
      }
    self.remove = remove
    (self.changeMarked, self.removeMarked) = (changeMarked, removeMarked)
  }
}

/// How a source stored an item that was inserted or changed.
public enum MadeItem: Sendable {
  /// The item was stored as it was sent.
  case asSent
  /// The source gave the item this id.
  case id(ItemID)
  /// The item as the source stored it.
  case item(RawJSON)

  /// The result to send.
  var json: RawJSON {
    switch self {
    case .asSent: .emptyObject
    case .id(let id): ["id": id].json
    case .item(let item): ["item": item].json
    }
  }
}

/// The items of an edit of several items.
public enum MarkedItems: Sendable {
  /// The items with these ids.
  case some([ItemID])
  /// All items that match a query and filters, except those with some ids. Nil means no query, or no filters.
  case all(except: [ItemID], query: String?, filters: Filters?)

  /// Reads the marked items of a request. Returns nil if the request is for a single item.
  init?(_ params: RawJSON) {
    func ids(_ member: String) -> [ItemID]? { params.member(member)?.elements.compactMap { ItemID($0) } }
    if let ids = ids("ids") {
      self = .some(ids)
    } else if params.member("all") != nil {
      let (query, filters) = params.criteria
      self = .all(except: ids("except") ?? [], query: query, filters: filters)
    } else {
      return nil
    }
  }
}
