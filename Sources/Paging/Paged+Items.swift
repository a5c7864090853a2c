public import Flow
public import ItemList
public import WireJSON

// What is listed, and edits of it: as values of an app's own type, or as JSON.

extension Paged where Item: Codable & Identifiable, Item.ID: Encodable {
  /// The items, in order, each id once.
  public var items: Items<Item> { Items(edits.list.items) }

  /// The item with an id; nil where it isn't listed.
  ///
  /// - Parameter id: the id.
  public subscript(id: Item.ID) -> Item? { items[id] }

  /// The item that an input names.
  ///
  /// - Parameters:
  ///   - id: its id.
  ///   - parameter: the name of the input's parameter.
  /// - Returns: the item.
  /// - Throws: a refusal of an id that isn't listed.
  @discardableResult
  public func listed(_ id: Item.ID, as parameter: String = "id") throws(Refusal) -> Item where Item.ID: Sendable {
    if let item = self[id] { return item }
    throw Refusal(parameter, mustBe: "the id of a listed item", not: id)
  }

  /// Puts an item before the one with an id. Where the item's own id is listed, it takes the place of that one.
  ///
  /// - Parameters:
  ///   - item: the item.
  ///   - id: the id of the item that it is to stand before; first where that is nil or isn't listed.
  /// - Throws: what keeps it from being listed.
  public mutating func insert(_ item: Item, before id: Item.ID? = nil) throws(ItemFailure) {
    let (row, next) = (try Items.row(item), id.flatMap { Items<Item>.itemID($0) })
    edits.make(edits.list.insert(row, before: next), .insert(item, before: next), .insert)
  }

  /// Adds an item that the source has by now at the end, or in the place of the one with its id.
  ///
  /// - Parameter item: the item.
  /// - Throws: what keeps it from being listed.
  public mutating func append(_ item: Item) throws(ItemFailure) {
    edits.list.append(try Items.listed(CollectionOfOne(item)))
  }

  /// Puts an item in the place of the one with its id, if that is listed.
  ///
  /// - Parameter item: the item.
  /// - Throws: what keeps it from being listed.
  public mutating func update(_ item: Item) throws(ItemFailure) {
    edits.make(edits.list.update(try Items.row(item)), .update(item), .insert)
  }

  /// Puts an item in the place of the one with its id, if that is listed. It is the list's own matter: pages that hold the
  /// item say what it is.
  ///
  /// - Parameter item: the item.
  /// - Throws: what keeps it from being listed.
  public mutating func replace(_ item: Item) throws(ItemFailure) { edits.list.replace(try Items.row(item)) }

  /// Takes an item out, if it is listed.
  ///
  /// - Parameter id: its id.
  public mutating func remove(_ id: Item.ID) {
    guard let id = Items<Item>.itemID(id) else { return }
    edits.make(edits.list.remove(id), .remove(id), .remove)
  }
}

extension Paged where Item == RawJSON {
  /// The items, in order, each id once.
  public var items: ItemList { edits.list.items }

  /// The item that an input names.
  ///
  /// - Parameters:
  ///   - id: its id.
  ///   - parameter: the name of the input's parameter.
  /// - Returns: the item.
  /// - Throws: a refusal of an id that isn't listed.
  @discardableResult
  public func listed(_ id: ItemID, as parameter: String = "id") throws(Refusal) -> ItemList.Item {
    if let item = items.item(withID: id) { return item }
    throw Refusal(parameter, mustBe: "the id of a listed item", not: id)
  }

  /// Puts an item before the one with an id. Where the item's own id is listed, it takes the place of that one.
  ///
  /// - Parameters:
  ///   - item: the item.
  ///   - id: the id of the item that it is to stand before; first where that is nil or isn't listed.
  public mutating func insert(_ item: ItemList.Item, before id: ItemID? = nil) {
    edits.make(edits.list.insert(item, before: id), .insert(item.json, before: id), .insert)
  }

  /// Puts an item in the place of the one with its id, if that is listed. It is the list's own matter: pages that hold the
  /// item say what it is.
  ///
  /// - Parameter item: the item.
  public mutating func replace(_ item: ItemList.Item) { edits.list.replace(item) }

  /// Takes an item out, if it is listed.
  ///
  /// - Parameter id: its id.
  public mutating func remove(_ id: ItemID) { edits.make(edits.list.remove(id), .remove(id), .remove) }
}

extension Page where Item: Codable & Identifiable, Item.ID: Encodable {
  /// A page of items. Those that can't be listed are left out, and are a failure of the load.
  ///
  /// - Parameters:
  ///   - items: the items.
  ///   - next: the key of the next page, any value that the source can find it by; nil where there is none.
  ///   - previous: the key of the page before; nil where there is none.
  public init(_ items: some Sequence<Item>, next: (some Encodable)?, previous: (some Encodable)?) {
    let (items, faults) = Items.encode(items)
    self.init(
      items: items, next: Self.key(next), previous: Self.key(previous),
      faults: faults.map { LoadFailure(code: $0.code, message: $0.message) })
  }

  /// A page of items that can be gone on from. Those that can't be listed are left out, and are a failure of the load.
  ///
  /// - Parameters:
  ///   - items: the items.
  ///   - next: the key of the next page, any value that the source can find it by; nil where there is none.
  public init(_ items: some Sequence<Item>, next: (some Encodable)?) {
    self.init(items, next: next, previous: Int?.none)
  }

  /// The only page of items, or the last. Those that can't be listed are left out, and are a failure of the load.
  ///
  /// - Parameter items: the items.
  public init(_ items: some Sequence<Item>) { self.init(items, next: Int?.none) }

  private static func key(_ key: (some Encodable)?) -> RawJSON? { key.flatMap { try? RawJSON(encoding: $0) } }
}

extension PageRequest {
  /// The key of the page, as the page before it has named it.
  ///
  /// - Parameter first: what stands for the key of the first page.
  /// - Returns: the key.
  public func key<Key: Decodable>(first: Key) -> Key { key.flatMap { try? $0.decode(Key.self) } ?? first }
}
