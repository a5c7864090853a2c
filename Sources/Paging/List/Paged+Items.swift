public import Flow
public import ItemList
public import WireJSON

// The items of a list and their edits: as values of an app's own type, or as JSON.

extension Paged where Item: Codable & Identifiable, Item.ID: Encodable {
  /// The items in their order. Each id occurs once.
  public var items: Items<Item> { Items(core.value.items) }

  /// The item with an id; nil if it isn't listed.
  public subscript(id: Item.ID) -> Item? {
    Items<Item>.itemID(id).flatMap { items.item(withID: core.value.currentID(of: $0)) }
  }

  /// The item with an id that a client sent. Throws a ``Refusal`` that names the parameter if the item isn't listed.
  @discardableResult
  public func listed(_ id: Item.ID, as parameter: String = "id") throws(Refusal) -> Item where Item.ID: Sendable {
    if let item = self[id] { return item }
    throw Refusal(parameter, mustBe: "the id of a listed item", not: id)
  }

  /// Inserts an item, or replaces the item with the same id. Sends the insertion to the source, if the source supports
  /// insertions.
  ///
  /// - Parameters:
  ///   - item: the item.
  ///   - id: the item before which it is inserted. If that is nil or isn't listed, the item is inserted at the start,
  ///     or at the end given to `PagedList.inserting(_:at:onFailure:)`.
  /// - Throws: an ``ItemFailure`` if the item can't be listed.
  public mutating func insert(_ item: Item, before id: Item.ID? = nil) throws(ItemFailure) {
    let (row, next) = (try Items.row(item), id.flatMap { Items<Item>.itemID($0) }.map { core.value.currentID(of: $0) })
    step { $0.make($0.insert(row, $0.place(before: next)), Edit.insert(item, before: next), .insert) }
  }

  /// Sends an item again whose insertion failed. Only for lists that keep such items: ``OnFailedInsertion/keep``.
  ///
  /// - Throws: a ``Refusal`` if the item has no failed insertion.
  public mutating func retry(_ id: Item.ID) throws(Refusal) where Item.ID: Sendable {
    let current = Items<Item>.itemID(id).map { core.value.currentID(of: $0) }
    if let current, step({ $0.retryInsertion(of: current) }) { return }
    throw Refusal("id", mustBe: "the id of an item whose insertion has failed", not: id)
  }

  /// Adds an item at the end, or replaces the item with the same id. Use it for items that the source has already.
  public mutating func append(_ item: Item) throws(ItemFailure) {
    let row = try Items.listed(CollectionOfOne(item))
    step { $0.append(row) }
  }

  /// Replaces the item with the same id, if it is listed. Sends the change to the source, if the source supports
  /// changes.
  public mutating func update(_ item: Item) throws(ItemFailure) {
    let row = core.value.renamed(try Items.row(item))
    step { core in
      if core.replaceInsertion(of: row, asking: Edit.insert(item, before: nil)) { return }
      guard let time = core.changeUndoTime else {
        let asked = Edit.update(item, renamedBy: core.sent.ids)
        return core.make(core.update([row]), asked, .change)
      }
      let asked = core.makes(.change) ? { Edit.update(item, renamedBy: $0) } : nil
      core.hold(
        [SentEdits.Held.Part(edits: core.update([row]), asked: asked)],
        UndoableEdit([row.itemID], by: "change", for: time))
    }
  }

  /// Replaces the item with the same id, if it is listed, without a request to the source. A later page replaces the
  /// item again.
  public mutating func replace(_ item: Item) throws(ItemFailure) {
    let row = core.value.renamed(try Items.row(item))
    step { $0.replace(row) }
  }

  /// Removes an item, if it is listed. Sends the removal to the source, if the source supports removals.
  public mutating func remove(_ id: Item.ID) {
    guard let id = Items<Item>.itemID(id).map({ core.value.currentID(of: $0) }) else { return }
    step { $0.makeRemoval(of: id, Item.self) }
  }
}

extension Paged where Item == RawJSON {
  /// The items in their order. Each id occurs once.
  public var items: ItemList { core.value.items }

  /// The item with an id that a client sent. Throws a ``Refusal`` that names the parameter if the item isn't listed.
  @discardableResult
  public func listed(_ id: ItemID, as parameter: String = "id") throws(Refusal) -> ItemList.Item {
    if let item = items.item(withID: core.value.currentID(of: id)) { return item }
    throw Refusal(parameter, mustBe: "the id of a listed item", not: id)
  }

  /// Inserts an item before the one with an id, or at the start if that is nil or isn't listed. If the item's own id is
  /// listed, it replaces that item. Sends the insertion to the source, if the source supports insertions.
  public mutating func insert(_ item: ItemList.Item, before id: ItemID? = nil) {
    let id = id.map { core.value.currentID(of: $0) }
    step { $0.make($0.insert(item, .before(id)), Edit.insert(item.json, before: id), .insert) }
  }

  /// Replaces the item with the same id, if it is listed. Sends the change to the source. If the source doesn't support
  /// changes, a later page replaces the item again.
  public mutating func update(_ item: ItemList.Item) {
    let item = core.value.renamed(item)
    step { core in
      guard core.makes(.change) else { return core.replace(item) }
      core.make(core.update([item]), Edit.update(item.json), .change)
    }
  }

  /// Removes an item, if it is listed. Sends the removal to the source, if the source supports removals.
  public mutating func remove(_ id: ItemID) {
    let id = core.value.currentID(of: id)
    step { $0.makeRemoval(of: id, RawJSON.self) }
  }
}

extension Page where Item: Codable & Identifiable, Item.ID: Encodable {
  /// Creates a page of items, with the keys of the next page and of the page before.
  ///
  /// A key is any value by which the source finds the page; nil if the page doesn't exist. Items that can't be listed
  /// are left out and reported as failures of the load.
  public init(_ items: some Sequence<Item>, next: (some Encodable)?, previous: (some Encodable)?) {
    let (items, failures) = Items.encode(items)
    self.init(
      items: items, next: Self.key(next), previous: Self.key(previous),
      failures: failures.map { LoadFailure(code: $0.code, message: $0.message) })
  }

  /// Creates a page of items, with the key of the next page; nil if this is the last page. Items that can't be listed
  /// are left out and reported as failures of the load.
  public init(_ items: some Sequence<Item>, next: (some Encodable)?) {
    self.init(items, next: next, previous: Int?.none)
  }

  /// Creates a page of items, with the key of the page before, for a list that starts at its end. Items that can't be
  /// listed are left out and reported as failures of the load.
  public init(_ items: some Sequence<Item>, previous: (some Encodable)?) {
    self.init(items, next: Int?.none, previous: previous)
  }

  /// Creates the only page of a source, or the last one. Items that can't be listed are left out and reported as
  /// failures of the load.
  public init(_ items: some Sequence<Item>) { self.init(items, next: Int?.none) }

  private static func key(_ key: (some Encodable)?) -> RawJSON? { key.flatMap { try? RawJSON(encoding: $0) } }
}

extension PageRequest {
  /// The key of the page: the `next` or `previous` of another page, or `first` for the first page.
  public func key<Key: Decodable>(first: Key) -> Key { key.flatMap { try? $0.decode(Key.self) } ?? first }
}
