public import Flow
internal import WireJSON

/// The items of a list screen: a value that is cheap to keep, to change and to compare with an older one.
///
/// Adding a page costs what the page costs, however long the list is; an item is found by its id without a search; a
/// copy is a snapshot that costs nothing and never changes; and ``splices(from:to:)`` tells two versions apart in time
/// proportional to what changed between them. Items stay the bytes that they came in.
///
/// An id is listed once. Ids are equal when type and value are.
///
/// ```swift
/// var items = ItemList()
/// items.append(page)
/// let shown = items
/// items.append(nextPage)
/// for splice in ItemList.splices(from: shown, to: items) { … }
/// ```
///
/// Versions share a tree of leaves of up to 64 items. Beyond its own bytes an item takes about 60 bytes.
public struct ItemList {
  /// What is shared with copies until one of them changes.
  var version: ItemVersion

  /// Makes a list without items.
  public init() { self.init(keyGap: 1 << 32) }

  /// Makes a list without items whose keys are a given distance apart where they are added at an end.
  init(keyGap: Int64) {
    version = ItemVersion(ItemNode(), ItemIndex(ItemTable(gap: keyGap)))
  }

  var root: ItemNode { version.root }
  var index: ItemIndex { version.index }
  var gap: Int64 { index.table.gap }

  /// Whether two lists are the same version. O(1).
  ///
  /// - Parameter other: The other list.
  /// - Returns: True where nothing changed between them; false says nothing, ask ``splices(from:to:)``.
  public func isIdentical(to other: ItemList) -> Bool {
    version === other.version || root.isIdentical(to: other.root)
  }

  // MARK: - Lookup

  /// Finds an item by its id. O(log n).
  ///
  /// - Parameter id: The id.
  /// - Returns: The item's position, or nil where the id isn't listed.
  public func index(of id: ItemID) -> Int? { index(ofRawID: id.json.span) }

  /// Finds an item by its id. O(log n).
  ///
  /// - Parameter id: The id's JSON text, in any spelling.
  /// - Returns: The item's position, or nil where the id isn't listed.
  public func index(ofRawID id: Span<UInt8>) -> Int? {
    find(id, hash: CanonicalScalar.hash(of: id)) { place, offset in place.start + offset }
  }

  /// Looks whether an id is listed. O(log n).
  ///
  /// - Parameter id: The id.
  /// - Returns: Whether it is.
  public func contains(_ id: ItemID) -> Bool { index(of: id) != nil }

  /// Finds an item by its id. O(log n).
  ///
  /// - Parameter id: The id.
  /// - Returns: The item, or nil where the id isn't listed.
  public func item(withID id: ItemID) -> Item? {
    let text = id.json.span
    return find(text, hash: CanonicalScalar.hash(of: text)) { place, offset in place.leaf.items.item(at: offset) }
  }

  /// Finds an item by its id.
  ///
  /// - Parameters:
  ///   - id: The id's JSON text.
  ///   - hash: Its hash.
  ///   - found: Makes the result of the item's leaf and its offset there. It mustn't keep the leaf, which couldn't be
  ///     changed where it lies any more.
  /// - Returns: The result, or nil where the id isn't listed.
  func find<Found>(
    _ id: Span<UInt8>, hash: UInt64, _ found: (_ place: ItemNode.Place, _ offset: Int) -> Found
  ) -> Found? {
    var search = index.table.search(for: hash)
    var (result, stale): (Found?, Int) = (nil, 0)
    while result == nil, let key = index.table.nextKey(&search) {
      result = find(id, hash: hash, underKey: key, found)
      if result == nil { stale += 1 }
    }
    index.prune(hash, stale: stale)
    return result
  }

  /// Finds an item by its id, if it has a key.
  func find<Found>(
    _ id: Span<UInt8>, hash: UInt64, underKey key: Int64, _ found: (_ place: ItemNode.Place, _ offset: Int) -> Found
  ) -> Found? {
    guard let place = root.place(ofKey: key), let offset = place.leaf.items.offset(of: id, hash, key: key) else {
      return nil
    }
    return found(place, offset)
  }
}

extension ItemList: RandomAccessCollection {
  /// How many items there are. O(1).
  public var count: Int { root.count }

  /// The position of the first item: 0.
  public var startIndex: Int { 0 }

  /// The position after the last item.
  public var endIndex: Int { count }

  /// The item at a position. O(log n).
  ///
  /// - Parameter position: Its position, from 0.
  public subscript(position: Int) -> Item {
    guard position >= 0, position < count, let place = root.place(at: position) else {
      preconditionFailure("no item at \(position) of \(count)")
    }
    return place.leaf.items.item(at: position - place.start)
  }

  /// Goes through the items from first to last.
  public func makeIterator() -> Iterator { Iterator(root: root) }

  /// The items in their order.
  public struct Iterator: IteratorProtocol {
    private let root: ItemNode
    private var place: ItemNode.Place?
    private var position = 0

    init(root: ItemNode) {
      self.root = root
      place = root.place(at: 0)
    }

    /// The next item, or nil at the end.
    public mutating func next() -> Item? {
      guard position < root.count else { return nil }
      if let place, position == place.start + place.leaf.items.count { self.place = root.place(at: position) }
      guard let place else { return nil }
      position += 1
      return place.leaf.items.item(at: position - 1 - place.start)
    }
  }

  /// Hands out the bytes of the items of a range, in order, in as few pieces as they lie in.
  ///
  /// A piece is one item, or several as they stood in their page with just a comma between: text that can be copied
  /// into a JSON array as it is. Between pieces the array needs a comma of its own.
  ///
  /// - Parameters:
  ///   - range: The items' positions.
  ///   - body: What to do with each piece.
  /// - Throws: What `body` throws.
  public func forEachRun<E: Error>(in range: Range<Int>, _ body: (Span<UInt8>) throws(E) -> Void) throws(E) {
    precondition(range.lowerBound >= 0 && range.upperBound <= count, "the items \(range) of \(count)")
    var position = range.lowerBound
    while position < range.upperBound, let place = root.place(at: position) {
      let end = Swift.min(range.upperBound, place.start + place.leaf.items.count)
      try place.leaf.items.forEachRun(in: position - place.start..<end - place.start, body)
      position = end
    }
  }

  /// The leaves that hold the items of a range.
  func leaves(of range: Range<Int>) -> [ItemNode.Place] {
    var leaves: [ItemNode.Place] = []
    var position = range.lowerBound
    while position < range.upperBound, let place = root.place(at: position) {
      leaves.append(place)
      position = place.start + place.leaf.items.count
    }
    return leaves
  }

  /// The items of a range, without a search for each.
  ///
  /// - Parameter range: Their positions.
  /// - Returns: The items.
  package func items(in range: Range<Int>) -> [Item] {
    leaves(of: range).flatMap { place in
      range.clamped(to: place.start..<place.start + place.leaf.items.count).map {
        place.leaf.items.item(at: $0 - place.start)
      }
    }
  }
}

extension ItemList: Versioned {
  /// Whether two lists are the same version. O(1).
  public func isSameVersion(as other: ItemList) -> Bool { isIdentical(to: other) }

  /// Whether two lists hold the same items in the same order. It takes as long as there are changes from one to the other.
  public static func == (left: ItemList, right: ItemList) -> Bool {
    left.isIdentical(to: right) || ItemList.splices(from: left, to: right).isEmpty
  }
}

extension ItemList: Encodable {
  /// Writes the items, in their order.
  public func encode(to encoder: any Encoder) throws {
    var array = encoder.unkeyedContainer()
    for item in self { try array.encode(item.json) }
  }
}
