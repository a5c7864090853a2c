public import Nagare

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
  /// Inserts an item before the one with an id, or first if there is none. Returns what the source made of the item.
  public typealias InsertMaking = @Sendable (_ item: RawJSON, _ before: ItemID?) async throws -> MadeItem
  /// Puts an item in the place of the one with its id. Returns what the source made of the item.
  public typealias ChangeMaking = @Sendable (RawJSON) async throws -> MadeItem
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
  let insert: InsertMaking?
  let change: ChangeMaking?
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
  ///   - insertMaking: inserts items like `insert`, and returns what the source made of each. It takes precedence over `insert`.
  ///   - changeMaking: changes items like `change`, and returns what the source made of each. It takes precedence over `change`.
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

/// What a source made of an item that was inserted or changed.
public enum MadeItem: Sendable {
  /// The source has the item as it was sent.
  case asSent
  /// The source gave the item this id.
  case id(ItemID)
  /// The item as the source has it.
  case item(RawJSON)

  /// The result of the request.
  var json: RawJSON {
    switch self {
    case .asSent: .emptyObject
    case .id(let id): ["id": id].json
    case .item(let item): ["item": item].json
    }
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
      let (query, filters) = params.criteria
      self = .all(except: ids("except") ?? [], query: query, filters: filters)
    } else {
      return nil
    }
  }
}
