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

  /// Whether two lists are the same version, O(1): then nothing differs. Otherwise ``splices(from:to:)`` tells.
  public func isIdentical(to other: ItemList) -> Bool {
    version === other.version || root.isIdentical(to: other.root)
  }

  // MARK: - Lookup

  /// The position of the item with an id; nil where it isn't listed. O(log n).
  public func index(of id: ItemID) -> Int? { index(ofRawID: id.json.span) }

  /// The position of the item with an id, whose JSON text may be in any spelling; nil where it isn't listed. O(log n).
  public func index(ofRawID id: Span<UInt8>) -> Int? {
    find(id, hash: CanonicalScalar.hash(of: id)) { place, offset in place.start + offset }
  }

  /// Whether an id is listed. O(log n).
  public func contains(_ id: ItemID) -> Bool { index(of: id) != nil }

  /// The item with an id; nil where it isn't listed. O(log n).
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

  /// Finds an item by its id, if it has a key.
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
  /// How many items there are. O(1).
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

  /// Goes through the items from first to last.
  public func makeIterator() -> Iterator { Iterator(root: root) }

  /// The items in their order.
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
  func leaves(of range: Range<Int>) -> [ItemNode.LeafPosition] {
    var leaves: [ItemNode.LeafPosition] = []
    var position = range.lowerBound
    while position < range.upperBound, let place = root.place(at: position) {
      leaves.append(place)
      position = place.start + place.leaf.items.count
    }
    return leaves
  }

  /// The items at some positions, without a search for each.
  package func items(in range: Range<Int>) -> [Item] {
    leaves(of: range).flatMap { place in
      range.clamped(to: place.start..<place.start + place.leaf.items.count).map {
        place.leaf.items.item(at: $0 - place.start)
      }
    }
  }
}

extension ItemList: Equatable {
  /// Whether two lists hold the same items in the same order. It takes as long as there are changes from one to the other.
  public static func == (left: ItemList, right: ItemList) -> Bool {
    ItemList.splices(from: left, to: right).isEmpty
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
  /// What became of the items of a page.
  public struct Merged: Equatable, Sendable {
    /// How many were added.
    public var added = 0
    /// How many of the items listed before were replaced, by equal bytes or others.
    public var replaced = 0
    /// The positions in the page of items whose id stood in the page before; each replaced the one before.
    public var repeated: [Int] = []
  }

  /// Adds a page at the end, in its order. An item whose id is already listed replaces that one where it stands; of several
  /// with one id in the page the last counts, at the place of the first. Gives what was added, replaced and repeated.
  @discardableResult
  public mutating func append(_ page: RawItems) -> Merged { merge(page, atEnd: true) }

  /// Adds a page at the front, in its order, by the same rule as ``append(_:)``.
  @discardableResult
  public mutating func prepend(_ page: RawItems) -> Merged { merge(page, atEnd: false) }

  /// Puts an item in the place of that with its id; false where the id isn't listed. O(log n).
  @discardableResult
  public mutating func replace(_ item: Item) -> Bool {
    let known = find(item.rawID.span, hash: item.idHash) { place, offset in
      (place.start + offset, place.leaf.items.item(at: offset).hasSameBytes(as: item))
    }
    guard let (position, isSame) = known else { return false }
    if !isSame { replace(at: position, with: item) }
    return true
  }

  /// Inserts an item before that at a position, from 0 to the count; where its id is already listed, it replaces that one
  /// instead, which false tells. O(log n).
  @discardableResult
  public mutating func insert(_ item: Item, at position: Int) -> Bool {
    precondition((0...count).contains(position), "an item inserted at \(position) of \(count)")
    if replace(item) { return false }
    insert(CollectionOfOne(item), at: position)
    return true
  }

  /// Removes the item with an id, and gives its position; nil where the id isn't listed. O(log n).
  @discardableResult
  public mutating func remove(_ id: ItemID) -> Int? { remove(rawID: id.json.span) }

  /// The same for an id's JSON text, in any spelling.
  @discardableResult
  public mutating func remove(rawID id: Span<UInt8>) -> Int? {
    guard let position = index(ofRawID: id) else { return nil }
    remove(position..<position + 1)
    return position
  }

  /// Removes all items.
  public mutating func removeAll() { self = ItemList(keyGap: gap) }

  /// Replaces neighbours by items, none of whose ids is listed elsewhere. It costs what goes and what comes, and
  /// O(log n). Positions that the list doesn't have are left out.
  package mutating func replaceSubrange(_ range: Range<Int>, with items: [Item]) {
    let range = range.clamped(to: indices)
    remove(range)
    insert(items, at: range.lowerBound)
  }
}

extension ItemList {
  /// Sees to it that no copy has this version.
  mutating func own() {
    if !isKnownUniquelyReferenced(&version) { version = ItemVersion(root, index) }
  }

  private mutating func replace(at position: Int, with item: Item) {
    own()
    version.update(at: position) { items, offset in items.replace(at: offset, with: item) }
  }

  /// Removes items. The list must have all of these positions, or removing would never end.
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
      // What lies in the same bytes goes in together.
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

    /// Puts an item in the place of the one with its id, if that has a key.
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

    /// Takes in all items in one access to the shared table.
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
    // At the end the last leaf is filled up, and those behind it are full ones.
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

  /// Makes room in the index, and sees to it that what is stale stays bounded by what is live.
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
