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
      let (query, filters) = params.criteria
      self = .all(except: ids("except") ?? [], query: query, filters: filters)
    } else {
      return nil
    }
  }
}
