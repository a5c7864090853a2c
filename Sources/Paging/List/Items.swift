public import Flow
public import ItemList
internal import WireJSON

/// The items of a list as values of an app's own type. Each value is encoded to JSON once, when it is added, and stored
/// in an ``ItemList``.
///
/// ```swift
/// struct Article: Codable, Identifiable {
///   let id: String
///   let title: String
/// }
///
/// var articles = Items<Article>()
/// try articles.append(page)
/// articles["a7"]?.title
/// ```
/// - The cost of adding a page depends on the page only, not on the length of the list. A client that supports deltas
///   receives splices.
/// - A value is decoded each time it is read. `items.first` and `items.prefix(3)` decode only the items that they
///   return. A search such as `items.first { $0.isUnloaded }` decodes each item up to the result, so prefer a search by
///   id, or from the nearer end.
/// - An id is listed once.
/// - Some values can't be listed: their JSON isn't an object, or can't be decoded again (an infinite number, for
///   example), or their id isn't a string or a number in JSON. Adding such a value throws an error that names it, and
///   the list doesn't change.
public struct Items<Element: Codable & Identifiable> where Element.ID: Encodable {
  /// The items as JSON.
  public private(set) var list = ItemList()

  /// Creates an empty list.
  public init() {}

  /// Wraps a list whose items were all checked when they were added.
  init(_ list: ItemList) { self.list = list }

  /// The number of items.
  public var count: Int { list.count }
  /// Whether the list is empty.
  public var isEmpty: Bool { list.isEmpty }

  /// The item with an id; nil if it isn't listed.
  public subscript(id: Element.ID) -> Element? { Self.itemID(id).flatMap(list.item).flatMap(decode) }

  /// The position of the item with an id, from 0; nil if it isn't listed.
  public func index(of id: Element.ID) -> Int? { Self.itemID(id).flatMap(list.index) }

  /// The item at a position; nil if there is none.
  public func item(at position: Int) -> Element? {
    list.indices.contains(position) ? decode(list[position]) : nil
  }

  /// Adds a page at the end, in its order. An item whose id is listed already replaces the listed item in its position.
  /// If any item can't be listed, the list doesn't change.
  @discardableResult
  public mutating func append(_ page: some Sequence<Element>) throws(ItemFailure) -> ItemList.Merged {
    list.append(try Self.listed(page))
  }

  /// Adds a page at the start, in its order. An item whose id is listed already replaces the listed item in its
  /// position. If any item can't be listed, the list doesn't change.
  @discardableResult
  public mutating func prepend(_ page: some Sequence<Element>) throws(ItemFailure) -> ItemList.Merged {
    list.prepend(try Self.listed(page))
  }

  /// Inserts an item at a position from 0 to ``count``. If its id is listed already, it replaces the listed item in its
  /// position, and the result is false. Throws if the position doesn't exist, or if the item can't be listed.
  @discardableResult
  public mutating func insert(_ item: Element, at position: Int) throws(ItemFailure) -> Bool {
    guard (0...count).contains(position) else {
      throw ItemFailure(message: "no \(Element.self) can be inserted at \(position) of \(count)")
    }
    return list.insert(try Self.row(item), at: position)
  }

  /// Replaces the item with the same id. Returns false if it isn't listed.
  @discardableResult
  public mutating func replace(_ item: Element) throws(ItemFailure) -> Bool {
    list.replace(try Self.row(item))
  }

  /// Removes the item with an id. Returns its position; nil if it isn't listed.
  @discardableResult
  public mutating func remove(_ id: Element.ID) -> Int? { Self.itemID(id).flatMap { list.remove($0) } }

  /// Removes all items.
  public mutating func removeAll() { list.removeAll() }

  /// Encodes one item as a row.
  static func row(_ item: Element) throws(ItemFailure) -> ItemList.Item {
    ItemList.Item(try listed(CollectionOfOne(item)), at: 0)
  }

  static func listed(_ page: some Sequence<Element>) throws(ItemFailure) -> RawItems {
    let (items, failures) = encode(page)
    if let first = failures.first { throw first }
    return items
  }

  /// Encodes items as a JSON array, with their ids in the bytes after it, because not every type has its id among its
  /// fields. Items that can't be listed are left out and returned as failures.
  static func encode(_ page: some Sequence<Element>) -> (items: RawItems, failures: [ItemFailure]) {
    var writer = JSONWriter()
    var slices: [RawItems.Slice] = []
    var ids: [UInt8] = []
    var failures: [ItemFailure] = []
    writer.beginArray()
    for (index, item) in page.enumerated() {
      do throws(ItemFailure) {
        let (json, id) = try checked(item, at: index)
        writer.raw(json)
        slices.append(
          RawItems.Slice(
            start: UInt32(writer.bytes.count - json.count), length: UInt32(json.count), idStart: UInt32(ids.count),
            idLength: UInt32(id.json.count)))
        ids += id.json
      } catch {
        failures.append(error)
      }
    }
    writer.endArray()
    for index in slices.indices { slices[index].idStart += UInt32(writer.bytes.count) }
    return (RawItems(bytes: writer.bytes + ids, slices: slices), failures)
  }

  /// Encodes an item, and checks that its JSON can be decoded again.
  private static func checked(_ item: Element, at index: Int) throws(ItemFailure) -> (json: RawJSON, id: ItemID) {
    let id = itemID(item.id)
    func failure(_ reason: String) -> ItemFailure {
      let name = id.map { " (\($0))" } ?? ""
      return ItemFailure(message: "the \(Element.self) at \(index) of the page\(name) can't be listed: \(reason)")
    }
    guard let id else { throw failure("its id must be a string or a number in JSON") }
    let json: RawJSON
    do throws(EncodingFailure) {
      json = try RawJSON(encoding: item)
    } catch {
      throw failure(error.message)
    }
    guard json.kind == .object else { throw failure("it must be an object in JSON, not \(json.kind)") }
    do throws(DecodingFailure) {
      _ = try json.decode(Element.self)
    } catch {
      throw failure("it can't be decoded from its own JSON: \(error.message)")
    }
    return (json, id)
  }

  /// The item with an id; nil if it isn't listed.
  func item(withID id: ItemID) -> Element? { list.item(withID: id).flatMap(decode) }

  static func itemID(_ id: Element.ID) -> ItemID? { (try? RawJSON(encoding: id)).flatMap { ItemID($0) } }

  /// Decodes an item. Nil only if a type refuses JSON that it accepted before, for example because it depends on the
  /// time.
  private func decode(_ item: ItemList.Item) -> Element? { try? item.json.decode() }
}

/// The reason why a value can't be an element of ``Items``.
public struct ItemFailure: FailureReason, Hashable, CustomStringConvertible {
  /// A sentence that names the value and the fault.
  public let message: String
  /// The code of a broken record.
  public var code: Int { -32013 }
  /// False: the same value fails again.
  public var isRetryable: Bool { false }
  /// The message.
  public var description: String { message }
}

extension Items: Versioned {
  /// Whether two lists are the same version. O(1).
  public func isSameVersion(as other: Items) -> Bool { list.isIdentical(to: other.list) }

  /// Whether two lists hold the same items in the same order. The time depends on the number of changes between them.
  public static func == (left: Items, right: Items) -> Bool { left.list == right.list }
}

extension Items: BidirectionalCollection {
  /// The position of an item. It isn't an integer, because an id may be an integer.
  public struct Index: Comparable, Hashable, Sendable {
    /// The number of items before the position.
    public let offset: Int

    /// Whether one position is before another one.
    public static func < (left: Index, right: Index) -> Bool { left.offset < right.offset }
  }

  /// The position of the first item.
  public var startIndex: Index { Index(offset: 0) }
  /// The position after the last item.
  public var endIndex: Index { Index(offset: list.count) }

  /// The position after another one.
  public func index(after index: Index) -> Index { Index(offset: index.offset + 1) }

  /// The position before another one.
  public func index(before index: Index) -> Index { Index(offset: index.offset - 1) }

  /// Decodes the item at a position.
  ///
  /// The item could be decoded when it was added. If its type refuses it now, the program ends; ``item(at:)`` returns
  /// nil instead.
  public subscript(index: Index) -> Element {
    guard let item = item(at: index.offset) else {
      preconditionFailure("there is no \(Element.self) at \(index.offset) of \(count) that can be read")
    }
    return item
  }

  /// Unavailable: use an id, or ``item(at:)``.
  @available(*, unavailable, message: "use item(at: 0), or items[id] with the id of an item")
  @_disfavoredOverload
  public subscript(position: Int) -> Element { preconditionFailure() }

  /// Iterates over the items in their order, and decodes each item when it is reached.
  public func makeIterator() -> some IteratorProtocol<Element> { list.lazy.compactMap(decode).makeIterator() }
}

extension Items: Encodable {
  /// Writes the items in their order.
  public func encode(to encoder: any Encoder) throws { try list.encode(to: encoder) }
}
