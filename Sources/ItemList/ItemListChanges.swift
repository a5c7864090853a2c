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
    let id = item.rawID.span
    guard let (place, offset) = find(id, hash: item.idHash) else { return false }
    if !place.leaf.item(at: offset).hasSameBytes(as: item) {
      tree.change(leafAt: place.label) { leaf, _ in leaf.replacing(at: offset, with: item) }
    }
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
    reserve(2 * ItemLeaf.capacity + 1)
    guard position < count else {
      var arrivals = expect(1, in: item.buffer, atEnd: true)
      let number = arrivals.append(item.entry, &index.table)
      index.table.insert(number, for: item.idHash)
      add(arrivals)
      return true
    }
    insert(item, before: position)
    return true
  }

  /// Removes the item with an id. O(log n).
  ///
  /// - Parameter id: The id.
  /// - Returns: The position that the item had, or nil where the id isn't listed.
  @discardableResult
  public mutating func remove(_ id: ItemID) -> Int? {
    remove(rawID: id.json.span)
  }

  /// Removes the item with an id. O(log n).
  ///
  /// - Parameter id: The id's JSON text, in any spelling.
  /// - Returns: The position that the item had, or nil where the id isn't listed.
  @discardableResult
  public mutating func remove(rawID id: Span<UInt8>) -> Int? {
    let hash = ItemID.hash(of: id)
    guard let (place, offset) = find(id, hash: hash) else { return nil }
    let remaining = place.leaf.count - 1
    if remaining == 0 {
      removeLeaf(place)
    } else {
      var builder = ItemLeafBuilder(capacity: remaining)
      builder.append(0..<offset, of: place.leaf)
      builder.append(offset + 1..<place.leaf.count, of: place.leaf)
      let leaf = builder.leaf
      tree.change(leafAt: place.label) { _, _ in leaf }
      if remaining <= ItemLeaf.capacity / 4 { joinNeighbour(ofLeafAt: place.start) }
    }
    return place.start + offset
  }

  /// Removes all items.
  public mutating func removeAll() {
    self = ItemList(labelGap: index.table.gap)
  }
}

extension ItemList {
  private mutating func insert(_ item: Item, before position: Int) {
    guard let place = tree.place(position: position) else { return }
    var items = ItemLeafBuilder(capacity: place.leaf.count + 1)
    items.append(0..<position - place.start, of: place.leaf)
    items.append(CollectionOfOne(item.entry), in: item.buffer)
    items.append(position - place.start..<place.leaf.count, of: place.leaf)
    let leaf = items.leaf
    if leaf.count <= ItemLeaf.capacity {
      tree.change(leafAt: place.label) { _, _ in leaf }
      index.table.insert(place.number, for: item.idHash)
    } else {
      replace(place, withHalvesOf: leaf, insertedAt: position - place.start)
    }
  }

  /// Puts an item in the place of that with its id, if it is in a leaf. It stays where the bytes are the same.
  ///
  /// - Parameters:
  ///   - item: The item.
  ///   - label: A label that belongs under the leaf.
  /// - Returns: The item's position, or nil where the id isn't in the leaf.
  mutating func replace(_ item: Item, inLeafAt label: Int64) -> Int? {
    var position: Int?
    tree.change(leafAt: label) { leaf, start in
      leaf.prefetchBuffers()
      let id = item.buffer.span.extracting(item.entry.idRange)
      guard let offset = leaf.offset(ofID: id, tag: item.entry.tag) else { return nil }
      position = start + offset
      return leaf.item(at: offset).hasSameBytes(as: item) ? nil : leaf.replacing(at: offset, with: item)
    }
    return position
  }
}
