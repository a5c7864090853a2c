public import Nagare
public import RPC
public import WireJSON

// What is listed, and edits of it: as values of an app's own type, or as JSON.

extension Paged where Item: Record & Identifiable, Item.ID: JSONEncodable {
  /// The items, in order, each id once.
  public var items: Items<Item> { Items(edits.list.items) }

  /// The item with an id; nil where it isn't listed.
  ///
  /// - Parameter id: the id.
  public subscript(id: Item.ID) -> Item? { items[id] }

  /// Puts an item before the one with an id. Where the item's own id is listed, it takes the place of that one.
  ///
  /// - Parameters:
  ///   - item: the item.
  ///   - id: the id of the item that it is to stand before; first where that is nil or isn't listed.
  public mutating func insert(_ item: Item, before id: Item.ID? = nil) {
    guard let row = ItemList.Item(item.json, id: "id") else { return }
    let next = id.flatMap { ItemID($0.json) }
    edits.make(edits.list.insert(row, before: next), .insert(item, before: next), .insert)
  }

  /// Adds an item that the source has by now at the end, or in the place of the one with its id.
  ///
  /// - Parameter item: the item.
  public mutating func append(_ item: Item) { edits.list.append(RawItems(CollectionOfOne(item))) }

  /// Puts an item in the place of the one with its id, if that is listed. It is the list's own matter: pages that hold the
  /// item say what it is.
  ///
  /// - Parameter item: the item.
  public mutating func replace(_ item: Item) {
    if let row = ItemList.Item(item.json, id: "id") { edits.list.replace(row) }
  }

  /// Takes an item out, if it is listed.
  ///
  /// - Parameter id: its id.
  public mutating func remove(_ id: Item.ID) {
    guard let id = ItemID(id.json) else { return }
    edits.make(edits.list.remove(id), .remove(id), .remove)
  }
}

extension Paged where Item == RawJSON {
  /// The items, in order, each id once.
  public var items: ItemList { edits.list.items }

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

extension Page where Item: Record & Identifiable, Item.ID: JSONEncodable {
  /// A page of items. One whose id is neither a string nor a number isn't listed, and is a failure of the load.
  ///
  /// - Parameters:
  ///   - items: the items.
  ///   - next: the key of the next page, any that the source can find it by; nil where there is none.
  ///   - previous: the key of the page before; nil where there is none.
  public init(_ items: some Sequence<Item>, next: (any JSONEncodable)? = nil, previous: (any JSONEncodable)? = nil) {
    let raw = RawItems(items)
    let faults = raw.problems.map { problem in
      LoadFailure(.badRecord, "item \(problem.index) of a page has no \"id\" that is a string or a number")
    }
    self.init(items: raw, next: next?.json, previous: previous?.json, faults: faults)
  }
}

extension PageRequest {
  /// The key of the page, as the page before it has named it.
  ///
  /// - Parameter first: what stands for the key of the first page.
  /// - Returns: the key.
  public func key<Key: JSONDecodable>(first: Key) -> Key { key.flatMap { try? Key(json: $0) } ?? first }
}
