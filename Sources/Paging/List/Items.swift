public import Flow
public import ItemList
internal import WireJSON

/// The items of a list screen as values of a type: an ``ItemList`` that encodes each value once, when it is added.
///
/// It is as cheap as that: adding a page costs what the page costs, however long the list is, and a client that takes
/// deltas is told splices. A value is decoded when it is asked for.
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
/// It is a collection: `items.first` and `items.prefix(3)` decode only the items that they return. A search such as
/// `items.first { $0.isUnread }` decodes each item up to the result. To find an item quickly, use its id, or search from the nearer end.
///
/// An id is listed once. What can't be listed is an error that names it, and then nothing changes: a value that isn't an
/// object in JSON or can't be read from it again, as with a number that is infinite, and one whose id is neither a string
/// nor a number there.
public struct Items<Element: Codable & Identifiable> where Element.ID: Encodable {
  /// The items as JSON.
  public private(set) var list = ItemList()

  /// No items.
  public init() {}

  /// The items of a list of what was checked when it was listed.
  init(_ list: ItemList) { self.list = list }

  /// How many items there are.
  public var count: Int { list.count }
  /// Whether there are none.
  public var isEmpty: Bool { list.isEmpty }

  /// The item with an id; nil where it isn't listed.
  public subscript(id: Element.ID) -> Element? { Self.itemID(id).flatMap(list.item).flatMap(decode) }

  /// The position of the item with an id, from 0; nil where it isn't listed.
  public func index(of id: Element.ID) -> Int? { Self.itemID(id).flatMap(list.index) }

  /// The item at a position; nil where there is none.
  public func item(at position: Int) -> Element? {
    list.indices.contains(position) ? decode(list[position]) : nil
  }

  /// Adds a page at the end, in its order. An item whose id is already listed replaces that one where it stands. If any
  /// can't be listed, none is.
  @discardableResult
  public mutating func append(_ page: some Sequence<Element>) throws(ItemFailure) -> ItemList.Merged {
    list.append(try Self.listed(page))
  }

  /// Adds a page at the front, in its order. An item whose id is already listed replaces that one where it stands. If
  /// any can't be listed, none is.
  @discardableResult
  public mutating func prepend(_ page: some Sequence<Element>) throws(ItemFailure) -> ItemList.Merged {
    list.prepend(try Self.listed(page))
  }

  /// Puts an item at a position, from 0 to the count; where its id is already listed, in the place of that one, and
  /// false comes back. Throws as well where there is no such position.
  @discardableResult
  public mutating func insert(_ item: Element, at position: Int) throws(ItemFailure) -> Bool {
    guard (0...count).contains(position) else {
      throw ItemFailure(message: "no \(Element.self) can be inserted at \(position) of \(count)")
    }
    return list.insert(try Self.row(item), at: position)
  }

  /// Puts an item in the place of that with its id; false where that isn't listed.
  @discardableResult
  public mutating func replace(_ item: Element) throws(ItemFailure) -> Bool {
    list.replace(try Self.row(item))
  }

  /// Removes the item with an id, and gives the position that it had; nil where it isn't listed.
  @discardableResult
  public mutating func remove(_ id: Element.ID) -> Int? { Self.itemID(id).flatMap { list.remove($0) } }

  /// Removes all items.
  public mutating func removeAll() { list.removeAll() }

  /// One item as it is listed.
  static func row(_ item: Element) throws(ItemFailure) -> ItemList.Item {
    ItemList.Item(try listed(CollectionOfOne(item)), at: 0)
  }

  static func listed(_ page: some Sequence<Element>) throws(ItemFailure) -> RawItems {
    let (items, failures) = encode(page)
    if let first = failures.first { throw first }
    return items
  }

  /// Writes items, and their ids behind them: not every type has its id among its members. What can't be listed is a
  /// failure.
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

  /// An item as JSON that it can be read from again.
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

  /// Nil is for a type that refuses what it has read before, as one that looks at a clock might.
  private func decode(_ item: ItemList.Item) -> Element? { try? item.json.decode() }
}

/// Why a value can't be one of ``Items``.
public struct ItemFailure: FailureReason, Hashable, CustomStringConvertible {
  /// Which value, and what is wrong with it.
  public let message: String
  /// The number of a broken record.
  public var code: Int { -32013 }
  /// False: the same value is as wrong the next time.
  public var isRetryable: Bool { false }
  /// The message.
  public var description: String { message }
}

extension Items: Versioned {
  /// Whether two lists are the same version. O(1).
  public func isSameVersion(as other: Items) -> Bool { list.isIdentical(to: other.list) }

  /// Whether two lists hold the same items in the same order. It takes as long as there are changes from one to the
  /// other.
  public static func == (left: Items, right: Items) -> Bool { left.list == right.list }
}

extension Items: BidirectionalCollection {
  /// The position of an item. It isn't an integer, because an id may be one.
  public struct Index: Comparable, Hashable, Sendable {
    /// The number of items before it.
    public let offset: Int

    /// Whether one position is before another.
    public static func < (left: Index, right: Index) -> Bool { left.offset < right.offset }
  }

  /// The position of the first item.
  public var startIndex: Index { Index(offset: 0) }
  /// The position after the last item.
  public var endIndex: Index { Index(offset: list.count) }

  /// The position after another.
  public func index(after index: Index) -> Index { Index(offset: index.offset + 1) }

  /// The position before another.
  public func index(before index: Index) -> Index { Index(offset: index.offset - 1) }

  /// Decodes the item at a position.
  ///
  /// The item was decoded before, to check it when it was listed. If its type refuses it now, the program ends; ``item(at:)``
  /// returns nil instead.
  public subscript(index: Index) -> Element {
    guard let item = item(at: index.offset) else {
      preconditionFailure("there is no \(Element.self) at \(index.offset) of \(count) that can be read")
    }
    return item
  }

  /// An item is found by its id, or by ``item(at:)``.
  @available(*, unavailable, message: "use item(at: 0), or items[id] with the id of an item")
  @_disfavoredOverload
  public subscript(position: Int) -> Element { preconditionFailure() }

  /// Goes through the items from first to last, and decodes each as it comes to it.
  public func makeIterator() -> some IteratorProtocol<Element> { list.lazy.compactMap(decode).makeIterator() }
}

extension Items: Encodable {
  /// Writes the items, in their order.
  public func encode(to encoder: any Encoder) throws { try list.encode(to: encoder) }
}
