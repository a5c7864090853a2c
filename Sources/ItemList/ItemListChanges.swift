internal import WireJSON

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

  /// Adds a page at the end, in its order. An item whose id is already listed replaces that one where it stands; of
  /// several with one id in the page the last counts, at the place of the first.
  ///
  /// - Parameter page: The page.
  /// - Returns: What was added, replaced, and repeated within the page.
  @discardableResult
  public mutating func append(_ page: RawItems) -> Merged { merge(page, atEnd: true) }

  /// Adds a page at the front, in its order, by the same rule as ``append(_:)``.
  ///
  /// - Parameter page: The page.
  /// - Returns: What was added, replaced, and repeated within the page.
  @discardableResult
  public mutating func prepend(_ page: RawItems) -> Merged { merge(page, atEnd: false) }

  /// Puts an item in the place of that with its id. O(log n).
  ///
  /// - Parameter item: The item.
  /// - Returns: Whether the id is listed; nothing changes where it isn't.
  @discardableResult
  public mutating func replace(_ item: Item) -> Bool {
    let known = find(item.rawID.span, hash: item.idHash) { place, offset in
      (place.start + offset, place.leaf.items.item(at: offset).hasSameBytes(as: item))
    }
    guard let (position, isSame) = known else { return false }
    if !isSame { replace(at: position, with: item) }
    return true
  }

  /// Inserts an item before that at a position; where its id is already listed, it replaces that one instead.
  /// O(log n).
  ///
  /// - Parameters:
  ///   - item: The item.
  ///   - position: The position it will have, from 0 to the count.
  /// - Returns: Whether it was inserted.
  @discardableResult
  public mutating func insert(_ item: Item, at position: Int) -> Bool {
    precondition((0...count).contains(position), "an item inserted at \(position) of \(count)")
    if replace(item) { return false }
    insert(CollectionOfOne(item), at: position)
    return true
  }

  /// Removes the item with an id. O(log n).
  ///
  /// - Parameter id: The id.
  /// - Returns: The position that the item had, or nil where the id isn't listed.
  @discardableResult
  public mutating func remove(_ id: ItemID) -> Int? { remove(rawID: id.json.span) }

  /// Removes the item with an id. O(log n).
  ///
  /// - Parameter id: The id's JSON text, in any spelling.
  /// - Returns: The position that the item had, or nil where the id isn't listed.
  @discardableResult
  public mutating func remove(rawID id: Span<UInt8>) -> Int? {
    guard let position = index(ofRawID: id) else { return nil }
    remove(position..<position + 1)
    return position
  }

  /// Removes all items.
  public mutating func removeAll() { self = ItemList(keyGap: gap) }

  /// Puts items in the place of neighbours. It costs what goes and what comes, and O(log n).
  ///
  /// - Parameters:
  ///   - range: The positions of those that go.
  ///   - items: Those that come. None of their ids may be listed outside of the range.
  package mutating func replaceSubrange(_ range: Range<Int>, with items: [Item]) {
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
