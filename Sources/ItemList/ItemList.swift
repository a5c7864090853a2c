internal import WireJSON

/// The items of a list: a value that is cheap to copy, to change, and to compare with an older version.
///
/// - Adding a page costs only what the page costs, even in a long list.
/// - An item is found by its id in O(log n).
/// - A copy costs nothing, and doesn't change when the original does.
/// - ``splices(from:to:)`` compares two versions. The time depends on the number of changes between them.
/// - Items are stored as the bytes in which they were received.
/// - Each id is listed once. Ids are equal if their types and values are.
///
/// ```swift
/// var items = ItemList()
/// items.append(page)
/// let shown = items
/// items.append(nextPage)
/// for splice in ItemList.splices(from: shown, to: items) { … }
/// ```
///
/// All versions share a tree whose leaves have up to 64 items. Each item takes about 60 bytes in addition to its own.
public struct ItemList {
  /// The contents, which copies share until one of them changes.
  var version: ItemVersion

  /// Creates an empty list.
  public init() { self.init(keyGap: 1 << 32) }

  /// Creates an empty list with a given distance between the keys of items that are added at an end.
  init(keyGap: Int64) {
    version = ItemVersion(ItemNode(), ItemIndex(ItemTable(gap: keyGap)))
  }

  var root: ItemNode { version.root }
  var index: ItemIndex { version.index }
  var gap: Int64 { index.table.gap }

  /// Whether two lists are the same version. O(1). If not, use ``splices(from:to:)`` to compare them.
  public func isIdentical(to other: ItemList) -> Bool {
    version === other.version || root.isIdentical(to: other.root)
  }

  // MARK: - Lookup

  /// The position of the item with an id; nil if it isn't listed. O(log n).
  public func index(of id: ItemID) -> Int? { index(ofRawID: id.json.span) }

  /// The position of the item with an id, given as JSON in any spelling; nil if it isn't listed. O(log n).
  public func index(ofRawID id: Span<UInt8>) -> Int? {
    find(id, hash: CanonicalScalar.hash(of: id)) { place, offset in place.start + offset }
  }

  /// Whether an id is listed. O(log n).
  public func contains(_ id: ItemID) -> Bool { index(of: id) != nil }

  /// The item with an id; nil if it isn't listed. O(log n).
  public func item(withID id: ItemID) -> Item? {
    let text = id.json.span
    return find(text, hash: CanonicalScalar.hash(of: text)) { place, offset in place.leaf.items.item(at: offset) }
  }

  /// Finds an item by its id.
  ///
  /// - Parameters:
  ///   - id: The id's JSON.
  ///   - hash: The id's hash.
  ///   - found: Returns the result for the item's leaf and its offset there. It mustn't keep the leaf. Otherwise the
  ///     next change would have to copy the leaf.
  /// - Returns: The result; nil if the id isn't listed.
  func find<Found>(
    _ id: Span<UInt8>, hash: UInt64, _ found: (_ place: ItemNode.LeafPosition, _ offset: Int) -> Found
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

  /// Finds an item by its id, if it has a given key.
  func find<Found>(
    _ id: Span<UInt8>, hash: UInt64, underKey key: Int64,
    _ found: (_ place: ItemNode.LeafPosition, _ offset: Int) -> Found
  ) -> Found? {
    guard let place = root.place(ofKey: key), let offset = place.leaf.items.offset(of: id, hash, key: key) else {
      return nil
    }
    return found(place, offset)
  }
}

extension ItemList: RandomAccessCollection {
  /// The number of items. O(1).
  public var count: Int { root.count }

  /// The position of the first item: 0.
  public var startIndex: Int { 0 }

  /// The position after the last item.
  public var endIndex: Int { count }

  /// The item at a position, counted from 0. O(log n).
  public subscript(position: Int) -> Item {
    guard position >= 0, position < count, let place = root.place(at: position) else {
      preconditionFailure("no item at \(position) of \(count)")
    }
    return place.leaf.items.item(at: position - place.start)
  }

  /// Iterates over the items from first to last.
  public func makeIterator() -> Iterator { Iterator(root: root) }

  /// An iterator over the items in their order.
  public struct Iterator: IteratorProtocol {
    private let root: ItemNode
    private var place: ItemNode.LeafPosition?
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

  /// Passes the bytes of a range of items to a closure, in order and in as few pieces as possible.
  ///
  /// A piece is one item, or several items that are separated by a comma in the bytes of their page. Pieces can be
  /// copied into a JSON array unchanged, with a comma between them.
  ///
  /// - Parameters:
  ///   - range: The items' positions.
  ///   - body: Receives each piece.
  /// - Throws: Any error of `body`.
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
  func leaves(of range: Range<Int>) -> [ItemNode.LeafPosition] {
    var leaves: [ItemNode.LeafPosition] = []
    var position = range.lowerBound
    while position < range.upperBound, let place = root.place(at: position) {
      leaves.append(place)
      position = place.start + place.leaf.items.count
    }
    return leaves
  }

  /// The items of a range. It is faster than reading each of them by its position.
  package func items(in range: Range<Int>) -> [Item] {
    leaves(of: range).flatMap { place in
      range.clamped(to: place.start..<place.start + place.leaf.items.count).map {
        place.leaf.items.item(at: $0 - place.start)
      }
    }
  }
}

extension ItemList: Equatable {
  /// Whether two lists hold the same items in the same order. The time depends on the number of changes between them.
  public static func == (left: ItemList, right: ItemList) -> Bool {
    ItemList.splices(from: left, to: right).isEmpty
  }
}

extension ItemList: Encodable {
  /// Writes the items in their order.
  public func encode(to encoder: any Encoder) throws {
    var array = encoder.unkeyedContainer()
    for item in self { try array.encode(item.json) }
  }
}

extension ItemList {
  /// The result of adding a page.
  public struct Merged: Equatable, Sendable {
    /// How many items were added.
    public var added = 0
    /// How many items that were listed before were replaced, including those whose bytes stayed equal.
    public var replaced = 0
    /// The positions in the page of items whose id occurred earlier in it. Each replaced the earlier item.
    public var repeated: [Int] = []
  }

  /// Adds a page at the end, in its order. An item whose id is listed already replaces the listed item in its position.
  /// If an id occurs twice in the page, the last item takes the position of the first.
  @discardableResult
  public mutating func append(_ page: RawItems) -> Merged { merge(page, atEnd: true) }

  /// Adds a page at the start, in its order. Items whose ids are listed or occur twice are handled as by
  /// ``append(_:)``.
  @discardableResult
  public mutating func prepend(_ page: RawItems) -> Merged { merge(page, atEnd: false) }

  /// Replaces the item with the same id. Returns false if it isn't listed. O(log n).
  @discardableResult
  public mutating func replace(_ item: Item) -> Bool {
    let known = find(item.rawID.span, hash: item.idHash) { place, offset in
      (place.start + offset, place.leaf.items.item(at: offset).hasSameBytes(as: item))
    }
    guard let (position, isSame) = known else { return false }
    if !isSame { replace(at: position, with: item) }
    return true
  }

  /// Inserts an item at a position from 0 to ``count``. If its id is listed already, it replaces the listed item in its
  /// position, and the result is false. O(log n).
  @discardableResult
  public mutating func insert(_ item: Item, at position: Int) -> Bool {
    precondition((0...count).contains(position), "an item inserted at \(position) of \(count)")
    if replace(item) { return false }
    insert(CollectionOfOne(item), at: position)
    return true
  }

  /// Removes the item with an id. Returns its position; nil if it isn't listed. O(log n).
  @discardableResult
  public mutating func remove(_ id: ItemID) -> Int? { remove(rawID: id.json.span) }

  /// Removes the item with an id, given as JSON in any spelling. Returns its position; nil if it isn't listed.
  /// O(log n).
  @discardableResult
  public mutating func remove(rawID id: Span<UInt8>) -> Int? {
    guard let position = index(ofRawID: id) else { return nil }
    remove(position..<position + 1)
    return position
  }

  /// Removes all items.
  public mutating func removeAll() { self = ItemList(keyGap: gap) }

  /// Replaces a range of items by others, whose ids must not be listed elsewhere. Costs O(log n) plus the number of
  /// removed and inserted items. Positions beyond the end are ignored.
  package mutating func replaceSubrange(_ range: Range<Int>, with items: [Item]) {
    let range = range.clamped(to: indices)
    remove(range)
    insert(items, at: range.lowerBound)
  }
}

extension ItemList {
  /// Ensures that no copy shares this version, so that it can be changed in place.
  mutating func own() {
    if !isKnownUniquelyReferenced(&version) { version = ItemVersion(root, index) }
  }

  private mutating func replace(at position: Int, with item: Item) {
    own()
    version.update(at: position) { items, offset in items.replace(at: offset, with: item) }
  }

  /// Removes items. The list must have all of these positions; otherwise the loop would never end.
  private mutating func remove(_ range: Range<Int>) {
    own()
    var rest = range.count
    while rest > 0 {
      version.update(at: range.lowerBound) { run, offset in
        let end = Swift.min(run.count, offset + rest)
        run.remove(offset..<end)
        rest -= end - offset
      }
    }
  }

  /// Inserts items whose ids aren't listed.
  private mutating func insert(_ items: some Collection<Item>, at position: Int) {
    guard !items.isEmpty else { return }
    let keys = keys(for: items.count, at: position)
    own()
    reserve(items.count)
    var (number, rest) = (0, items[...])
    while let first = rest.first {
      // Items in the same buffer are inserted together.
      let part = rest.prefix(ItemLeaf.capacity).prefix { $0.buffer.span.isIdentical(to: first.buffer.span) }
      let entries = zip(part, number...).map { item, number in
        var entry = item.entry
        entry.key = keys[number]
        index.table.insert(entry.key, for: item.idHash)
        return entry
      }
      version.update(at: position + number) { $0.insert(entries, in: first.buffer, at: $1) }
      number += entries.count
      rest = rest.dropFirst(entries.count)
    }
  }

  private mutating func merge(_ page: RawItems, atEnd: Bool) -> Merged {
    guard !page.isEmpty else { return Merged() }
    let start = atEnd ? count : 0
    let keys = keys(for: page.count, at: start)
    own()
    reserve(page.count)
    var merged = Merged()
    var replaced = Set<Int>()
    var arrivals = ContiguousArray<ItemEntry>()
    arrivals.reserveCapacity(page.count)

    /// Replaces the item that has a given key, if it has the same id. Returns whether it did.
    func replace(with entry: ItemEntry, _ hash: UInt64, at position: Int, underKey key: Int64) -> Bool {
      let id = page.bytes.span.extracting(entry.idRange)
      if let number = keys.number(of: key, among: arrivals.count) {
        guard CanonicalScalar.equal(page.bytes.span.extracting(arrivals[number].idRange), id) else { return false }
        arrivals[number] = entry
        arrivals[number].key = key
        merged.repeated.append(position)
        return true
      }
      let known = find(id, hash: hash, underKey: key) { place, offset in
        let item = Item(buffer: page.bytes, entry: entry)
        return (place.start + offset, place.leaf.items.item(at: offset).hasSameBytes(as: item))
      }
      guard let (known, isSame) = known else { return false }
      if !isSame { self.replace(at: known, with: Item(page, at: position)) }
      if !replaced.insert(known).inserted { merged.repeated.append(position) }
      return true
    }

    /// Adds all items of the page while it holds access to the shared table once.
    func takeAll(_ table: inout ItemTable) {
      let (bytes, slices) = (page.bytes.span, page.slices.span)
      var hashes = ItemTable.Hashes(repeating: 0)
      next: for position in slices.indices {
        if position % ItemTable.batchSize == 0 { hashes = table.hashes(of: slices.extracting(position...), in: bytes) }
        let hash = hashes[position % ItemTable.batchSize]
        var entry = ItemEntry(slices[position], hash: hash)
        var search = table.search(for: hash)
        entry.key = keys[arrivals.count]
        var isEntered = false
        while let key = table.nextKey(&search) {
          if replace(with: entry, hash, at: position, underKey: key) { continue next }
          isEntered = isEntered || key == entry.key
        }
        if !isEntered { table.insert(entry.key, at: search) }
        arrivals.append(entry)
      }
    }

    takeAll(&index.table)
    // At the end of the list, the last leaf is filled, and the leaves after it are filled completely.
    var (room, rest) = (ItemLeaf.capacity, arrivals[...])
    if atEnd, let last = root.place(at: start)?.leaf.items.count, last < room { room -= last }
    while !rest.isEmpty {
      let part = rest.prefix(room)
      version.update(at: start + arrivals.count - rest.count) { $0.insert(part, in: page.bytes, at: $1) }
      (room, rest) = (ItemLeaf.capacity, rest.dropFirst(room))
    }
    merged.added = arrivals.count
    merged.replaced = replaced.count
    return merged
  }

  /// Reserves capacity in the index. If the index has too many outdated hints, this version gets a new one.
  mutating func reserve(_ additions: Int) {
    if index.table.isStale(count: count) {
      index.table.raiseLimit()
      var table = ItemTable(gap: gap)
      table.reserve(count)
      for place in leaves(of: 0..<count) { table.insert(place.leaf.items) }
      version = ItemVersion(root, ItemIndex(table))
    }
    index.table.reserve(additions)
  }
}
