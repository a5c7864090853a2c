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
/// Versions share a tree of leaves of up to 64 items. Beyond its own bytes an item takes about 45 bytes.
public struct ItemList {
  var tree = ItemTree()
  /// Where ids may stand; shared with other versions.
  var index: ItemIndex

  /// Makes a list without items.
  public init() {
    self.init(labelGap: 1 << 32)
  }

  /// Makes a list without items whose leaves are a given distance apart in the order of labels.
  init(labelGap: Int64) {
    index = ItemIndex(ItemTable(gap: labelGap))
  }

  /// Whether two lists are the same version. O(1).
  ///
  /// - Parameter other: The other list.
  /// - Returns: True where nothing changed between them; false says nothing, ask ``splices(from:to:)``.
  public func isIdentical(to other: ItemList) -> Bool {
    tree.isIdentical(to: other.tree)
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
    find(id, hash: ItemID.hash(of: id)).map { $0.place.start + $0.offset }
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
    find(id.json.span, hash: ItemID.hash(of: id.json.span)).map { $0.place.leaf.item(at: $0.offset) }
  }

  func find(_ id: Span<UInt8>, hash: UInt64) -> (place: ItemLeafPlace, offset: Int)? {
    var search = index.table.search(for: hash)
    guard let first = index.table.nextLeaf(&search) else { return nil }
    guard let second = index.table.nextLeaf(&search) else { return find(id, hash: hash, inLeaf: first) }
    // An id has many entries if its leaf was split many times. The last one mostly holds.
    var numbers = [first, second]
    while let number = index.table.nextLeaf(&search) { numbers.append(number) }
    for number in numbers.reversed() {
      if let found = find(id, hash: hash, inLeaf: number) { return found }
    }
    return nil
  }

  private func find(
    _ id: Span<UInt8>, hash: UInt64, inLeaf number: UInt32
  ) -> (place: ItemLeafPlace, offset: Int)? {
    guard let place = tree.place(label: index.table.label(ofLeaf: number)),
      let offset = place.leaf.offset(ofID: id, tag: UInt16(truncatingIfNeeded: hash))
    else { return nil }
    return (place, offset)
  }
}

extension ItemList: RandomAccessCollection {
  /// How many items there are. O(1).
  public var count: Int { tree.count }

  /// The position of the first item: 0.
  public var startIndex: Int { 0 }

  /// The position after the last item.
  public var endIndex: Int { count }

  /// The item at a position. O(log n).
  ///
  /// - Parameter position: Its position, from 0.
  public subscript(position: Int) -> Item {
    guard position >= 0, position < count, let place = tree.place(position: position) else {
      preconditionFailure("no item at \(position) of \(count)")
    }
    return place.leaf.item(at: position - place.start)
  }

  /// Goes through the items from first to last.
  public func makeIterator() -> Iterator { Iterator(tree: tree) }

  /// The items in their order.
  public struct Iterator: IteratorProtocol {
    private let tree: ItemTree
    private var place: ItemLeafPlace?
    private var position = 0

    init(tree: ItemTree) {
      self.tree = tree
      place = tree.place(position: 0)
    }

    /// The next item, or nil at the end.
    public mutating func next() -> Item? {
      guard position < tree.count else { return nil }
      if let place, position == place.end { self.place = tree.place(position: position) }
      guard let place else { return nil }
      position += 1
      return place.leaf.item(at: position - 1 - place.start)
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
    while position < range.upperBound, let place = tree.place(position: position) {
      let end = Swift.min(place.end, range.upperBound)
      try place.leaf.forEachRun(in: position - place.start..<end - place.start, body)
      position = end
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

extension ItemList {
  /// The items of a range, without a search for each.
  ///
  /// - Parameter range: Their positions.
  /// - Returns: The items.
  package func items(in range: Range<Int>) -> [Item] {
    var items: [Item] = []
    items.reserveCapacity(range.count)
    while items.count < range.count, let place = tree.place(position: range.lowerBound + items.count) {
      for position in range.lowerBound + items.count..<Swift.min(place.end, range.upperBound) {
        items.append(place.leaf.item(at: position - place.start))
      }
    }
    return items
  }

  /// Puts items in the place of neighbours. It costs what goes and what comes, and O(log n).
  ///
  /// - Parameters:
  ///   - range: The positions of those that go.
  ///   - items: Those that come. None of their ids may be listed outside of the range.
  package mutating func replaceSubrange(_ range: Range<Int>, with items: [Item]) {
    guard !range.isEmpty || !items.isEmpty else { return }
    if let first = items.first, isEmpty {
      insert(first, at: 0)
      return replaceSubrange(1..<1, with: Array(items.dropFirst()))
    }
    reserve(items.count + 2 * ItemLeaf.capacity)
    let old = leaves(around: range)
    guard let first = old.first, let last = old.last else { return }
    let (before, after) = (0..<range.lowerBound - first.start, range.upperBound - last.start..<last.leaf.count)
    let count = before.count + items.count + after.count
    guard count > 0 else { return old.forEach { removeLeaf($0) } }
    let leafCount = (count + ItemLeaf.capacity - 1) / ItemLeaf.capacity
    guard let labels = index.table.labels(leafCount - old.count, between: last.label, and: last.nextLabel) else {
      relabel(reserving: leafCount, apart: leafCount + 1)
      return replaceSubrange(range, with: items)
    }
    let numbers = old.map { ($0.label, $0.number) } + labels.map { ($0, index.table.number(ofLeafAt: $0)) }
    let nodes = ContiguousArray(
      zip(0..<leafCount, numbers).map { leaf, name in
        let part = leaf * count / leafCount..<(leaf + 1) * count / leafCount
        var builder = ItemLeafBuilder(capacity: part.count)
        builder.append(part.clamped(to: before), of: first.leaf)
        for item in items[part.clamped(from: before.count, count: items.count)] {
          builder.append(CollectionOfOne(item.entry), in: item.buffer)
        }
        let rest = part.clamped(from: before.count + items.count, count: after.count)
        builder.append(rest.lowerBound + after.lowerBound..<rest.upperBound + after.lowerBound, of: last.leaf)
        return ItemNode(builder.leaf, label: name.0, number: name.1)
      })
    for place in old.dropFirst() { tree.replace(leafAt: place.label, with: []) }
    tree.replace(leafAt: first.label, with: nodes)
    if old.count == 1, leafCount == 1 {
      for item in items { index.table.insert(first.number, for: item.idHash) }
    } else {
      for node in nodes { index.table.insert(node) }
    }
    if count <= ItemLeaf.capacity / 4 { joinNeighbour(ofLeafAt: first.start) }
  }

  /// The leaves that hold the items of a range; where it is empty, the one that holds its position.
  private func leaves(around range: Range<Int>) -> [ItemLeafPlace] {
    var leaves: [ItemLeafPlace] = []
    var position = range.lowerBound
    repeat {
      guard let place = tree.place(position: position) else { break }
      leaves.append(place)
      position = place.end
    } while position < range.upperBound
    return leaves
  }
}

extension Range<Int> {
  /// The part that lies in a range, counted from its start.
  fileprivate func clamped(from start: Int, count: Int) -> Range {
    let part = clamped(to: start..<start + count)
    return part.lowerBound - start..<part.upperBound - start
  }
}
