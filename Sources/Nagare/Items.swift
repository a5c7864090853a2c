public import Flow
public import WireJSON

/// The items of a list screen as values of a type: an ``ItemList`` that encodes each value once, when it is added.
///
/// It is as cheap as that: adding a page costs what the page costs, however long the list is, and a client that takes
/// deltas is told splices. A value is decoded when it is asked for.
///
/// ```swift
/// struct Article: Record, Identifiable {
///   let id: String
///   let title: String
///   static let fields = Fields(Article.init, Field("id", \.id), Field("title", \.title))
/// }
///
/// var articles = Items<Article>()
/// articles.append(page)
/// articles["a7"]?.title
/// ```
/// An id is listed once. Ids are strings or numbers on the wire; a value whose id is neither isn't listed.
public struct Items<Element: Record & Identifiable> where Element.ID: JSONEncodable {
  /// The items as JSON.
  public private(set) var list = ItemList()
  private let key: String

  /// No items.
  ///
  /// - Parameter key: the member that holds an item's `id` on the wire.
  public init(id key: String = "id") {
    guard Element.fields.properties.contains(where: { $0.name == key }) else {
      // A mistake in the program, which no input can make: it depends on the type alone.
      fatalError("\(Element.self).fields has no \"\(key)\"; Items(id:) takes the name of the member that holds the id")
    }
    self.key = key
  }

  /// The values of a list whose items have their ids at "id".
  package init(_ list: ItemList) {
    self.init()
    self.list = list
  }

  /// How many items there are.
  public var count: Int { list.count }
  /// Whether there are none.
  public var isEmpty: Bool { list.isEmpty }

  /// The item with an id; nil where it isn't listed.
  ///
  /// - Parameter id: the id.
  public subscript(id: Element.ID) -> Element? { ItemID(id.json).flatMap(list.item).flatMap { decode($0) } }

  /// Finds an item by its id.
  ///
  /// - Parameter id: the id.
  /// - Returns: the item's position, from 0; nil where it isn't listed.
  public func index(of id: Element.ID) -> Int? { ItemID(id.json).flatMap(list.index) }

  /// The item at a position; nil where there is none.
  ///
  /// - Parameter position: from 0.
  /// - Returns: the item.
  public func item(at position: Int) -> Element? {
    list.indices.contains(position) ? decode(list[position]) : nil
  }

  /// Adds a page at the end, in its order. An item whose id is already listed replaces that one where it stands.
  ///
  /// - Parameter page: the items.
  /// - Returns: what was added and replaced.
  @discardableResult
  public mutating func append(_ page: some Sequence<Element>) -> ItemList.Merged { list.append(encode(page)) }

  /// Adds a page at the front, in its order. An item whose id is already listed replaces that one where it stands.
  ///
  /// - Parameter page: the items.
  /// - Returns: what was added and replaced.
  @discardableResult
  public mutating func prepend(_ page: some Sequence<Element>) -> ItemList.Merged { list.prepend(encode(page)) }

  /// Puts an item before that at a position; where its id is already listed, in the place of that one.
  ///
  /// - Parameters:
  ///   - item: the item.
  ///   - position: the position that it will have, from 0 to the count.
  /// - Returns: whether it was inserted.
  @discardableResult
  public mutating func insert(_ item: Element, at position: Int) -> Bool {
    encoded(item).map { list.insert($0, at: position) } ?? false
  }

  /// Puts an item in the place of that with its id.
  ///
  /// - Parameter item: the item.
  /// - Returns: whether the id is listed; nothing changes where it isn't.
  @discardableResult
  public mutating func replace(_ item: Element) -> Bool { encoded(item).map { list.replace($0) } ?? false }

  /// Removes an item.
  ///
  /// - Parameter id: its id.
  /// - Returns: the position that it had; nil where it isn't listed.
  @discardableResult
  public mutating func remove(_ id: Element.ID) -> Int? { ItemID(id.json).flatMap { list.remove($0) } }

  /// Removes all items.
  public mutating func removeAll() { list.removeAll() }

  private func encode(_ page: some Sequence<Element>) -> RawItems { RawItems(page, id: key) }

  private func encoded(_ item: Element) -> ItemList.Item? { ItemList.Item(item.json, id: key) }

  private func decode(_ item: ItemList.Item) -> Element? { try? Element(json: item.json) }
}

extension Items: Versioned {
  /// Whether two lists are the same version. O(1).
  public func isSameVersion(as other: Items) -> Bool { list.isIdentical(to: other.list) }

  /// Whether two lists hold the same items in the same order. It takes as long as there are changes from one to the
  /// other.
  public static func == (left: Items, right: Items) -> Bool { left.list == right.list }
}

extension Items: Sequence {
  /// Goes through the items from first to last, and decodes each as it comes to it.
  public func makeIterator() -> some IteratorProtocol<Element> {
    var items = list.makeIterator()
    return AnyIterator {
      while let item = items.next() { if let item = decode(item) { return item } }
      return nil
    }
  }
}

extension Items: OutputValue {
  /// Makes an output that says the items, as splices to a client that takes these.
  public static func makeSlot(named name: String, for stream: Observable<Items>) -> OutputSlot {
    var schema = JSONSchema(type: .array)
    schema.items = Element.schema
    return ItemsSlot(name, stream.map(\.list), schema: schema)
  }
}

extension RawItems {
  /// Encodes values. Those without a usable id are left out and named in ``problems``.
  ///
  /// - Parameters:
  ///   - values: the values.
  ///   - key: the member that holds their id.
  package init(_ values: some Sequence<some JSONEncodable>, id key: String = "id") {
    var writer = JSONWriter()
    writer.beginArray()
    for value in values { value.write(to: &writer) }
    writer.endArray()
    let array = RawJSON(trusting: writer.bytes, 0..<writer.bytes.count)
    self = RawItems(arrayOf: array, id: key) ?? RawItems(bytes: [], slices: [])
  }
}
