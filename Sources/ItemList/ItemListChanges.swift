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

extension ItemList {
  /// One change of a list: some items at a position give way to others.
  public struct Splice: Equatable, Sendable {
    /// The position where it applies, in the list as the splices before left it.
    public let start: Int
    /// How many items go.
    public let deleteCount: Int
    /// Which items come: their positions in the new list. The first is `start`.
    public let items: Range<Int>
  }

  /// What turns one version of a list into another, in time proportional to the changes between them.
  ///
  /// Parts that both versions share are passed over unseen. Lists that have nothing in common give one splice that
  /// replaces all; equal ones give none. An item counts as changed where its bytes differ.
  ///
  /// - Parameters:
  ///   - old: The version to start from.
  ///   - new: The version to arrive at.
  /// - Returns: Splices that apply in order, each to the result of the one before.
  public static func splices(from old: ItemList, to new: ItemList) -> [Splice] {
    var comparison = ItemComparison(old, new)
    comparison.run()
    return comparison.splices
  }
}

extension ItemList {
  mutating func merge(_ page: RawItems, atEnd: Bool) -> Merged {
    var arrivals = expect(page.slices.count, in: page.bytes, atEnd: atEnd)
    var merged = Merged()
    var replaced = Set<Int>()

    /// Puts an item in the place of that with its id, if it is in the leaf.
    func replace(with entry: ItemEntry, at position: Int, inLeafAt label: Int64) -> Bool {
      if arrivals.replace(with: entry, inLeafAt: label) {
        merged.repeated.append(position)
        return true
      }
      let item = Item(buffer: page.bytes, entry: entry)
      guard let known = self.replace(item, inLeafAt: label) else { return false }
      if !replaced.insert(known).inserted { merged.repeated.append(position) }
      return true
    }

    /// Takes in all items in one access to the shared table.
    func takeAll(_ table: inout ItemTable) {
      let (bytes, slices) = (page.bytes.span, page.slices.span)
      var hashes = ItemTable.Hashes(repeating: 0)
      var leaves = ContiguousArray<UInt32>()
      next: for position in slices.indices {
        if position % ItemTable.batchSize == 0 { hashes = table.hashes(of: slices.extracting(position...), in: bytes) }
        let hash = hashes[position % ItemTable.batchSize]
        let entry = ItemEntry(slices[position], hash: hash)
        var search = table.search(for: hash)
        leaves.removeAll(keepingCapacity: true)
        while let number = table.nextLeaf(&search) { leaves.append(number) }
        for number in leaves.reversed() {
          if replace(with: entry, at: position, inLeafAt: table.label(ofLeaf: number)) { continue next }
        }
        let number = arrivals.append(entry, &table)
        if leaves.isEmpty { table.insert(number, at: search) } else { table.insert(number, for: hash) }
      }
    }

    takeAll(&index.table)
    merged.added = arrivals.entries.count
    merged.replaced = replaced.count
    add(arrivals)
    return merged
  }

  /// Gets ready to add items at an end.
  ///
  /// - Parameters:
  ///   - count: How many they are at most.
  ///   - buffer: The bytes that they lie in.
  ///   - atEnd: Whether they go to the end, or to the front.
  /// - Returns: What takes them in.
  mutating func expect(_ count: Int, in buffer: [UInt8], atEnd: Bool) -> ItemArrivals {
    reserve(count)
    let leaves = (count + ItemLeaf.capacity - 1) / ItemLeaf.capacity
    var edge = tree.edge(atEnd: atEnd)
    func firstLabel() -> Int64? {
      guard let edge else { return 0 }
      return index.table.firstLabel(of: leaves, beside: edge.label, atEnd: atEnd)
    }
    var label = firstLabel()
    if label == nil {
      relabel(reserving: leaves)
      edge = tree.edge(atEnd: atEnd)
      label = firstLabel()
    }
    return ItemArrivals(
      in: buffer, count: count, beside: edge, firstLabel: label ?? 0, gap: index.table.gap, atEnd: atEnd)
  }

  /// Puts new items into the tree; the index has their hashes already.
  mutating func add(_ arrivals: ItemArrivals) {
    guard !arrivals.entries.isEmpty else { return }
    let edge = tree.edge(atEnd: arrivals.atEnd)
    let nodes = arrivals.nodes(beside: edge)
    if let edge {
      tree.replace(leafAt: edge.label, with: nodes)
    } else {
      tree = ItemTree(nodes)
    }
  }
}

extension ItemList {
  /// Makes room in the index, and sees to it that what is stale stays bounded by what is live.
  mutating func reserve(_ additions: Int) {
    if index.table.isStale(count: count) { reindex() }
    index.table.reserve(additions)
  }

  /// Gives the list an index that knows just this version, and its leaves new labels and numbers.
  private mutating func reindex() {
    index.table.raiseLimits()
    let (leaves, gap) = renewLabels(reserving: 0, apart: 2) { position, _ in UInt32(position + 1) }
    var table = ItemTable(gap: gap)
    table.reserve(count)
    for leaf in leaves {
      _ = table.number(ofLeafAt: leaf.label)
      table.insert(leaf)
    }
    index = ItemIndex(table)
  }

  /// Spreads the leaves' labels anew where there is no room between two of them.
  ///
  /// - Parameters:
  ///   - newLeaves: How many leaves there will be besides.
  ///   - leastGap: How far labels must be apart.
  mutating func relabel(reserving newLeaves: Int, apart leastGap: Int = 2) {
    let old = tree
    let (leaves, gap) = renewLabels(reserving: newLeaves, apart: leastGap) { _, leaf in leaf.number }
    index = ItemIndex(
      index.table.relabelled(leaves, gap: gap) { label in old.place(label: label)?.number })
  }

  /// Builds the tree anew over the same leaves, with labels that leave room between them and on both sides.
  private mutating func renewLabels(
    reserving newLeaves: Int, apart leastGap: Int, number: (Int, ItemNode) -> UInt32
  ) -> (leaves: ContiguousArray<ItemNode>, gap: Int64) {
    var leaves = ContiguousArray<ItemNode>()
    var cursor = ItemCursor(tree)
    while let leaf = cursor.nextLeafNode() { leaves.append(leaf) }
    let wished = Swift.max(index.table.gap, Int64(leastGap))
    let gap = Swift.min(wished, Int64.max / Int64(leaves.count + newLeaves + 1) / 2)
    let first = -gap * Int64((leaves.count + newLeaves) / 2)
    for position in leaves.indices {
      let label = first + gap * Int64(position)
      leaves[position] = leaves[position].with(label: label, number: number(position, leaves[position]))
    }
    tree = ItemTree(leaves)
    return (leaves, gap)
  }

  /// Puts two leaves in the place of one.
  ///
  /// The half that has got an item keeps label and number, for there the next ones will go, too: what they go beside is
  /// entered once, however many there are.
  ///
  /// - Parameters:
  ///   - place: The leaf that goes.
  ///   - items: What the two will hold.
  ///   - offset: Where in the leaf the newest item is.
  mutating func replace(_ place: ItemLeafPlace, withHalvesOf items: ItemLeaf, insertedAt offset: Int) {
    let middle = items.count / 2
    let isFirstNew = offset >= middle
    let previous = isFirstNew && place.start > 0 ? tree.place(position: place.start - 1) : nil
    let label =
      if let previous {
        index.table.label(between: previous.label, and: place.label)
      } else if isFirstNew {
        index.table.firstLabel(of: 1, beside: place.label, atEnd: false)
      } else {
        index.table.label(between: place.label, and: place.nextLabel)
      }
    guard let label else {
      relabel(reserving: 1)
      return replace(tree.place(position: place.start) ?? place, withHalvesOf: items, insertedAt: offset)
    }
    let number = index.table.number(ofLeafAt: label)
    func half(_ range: Range<Int>, isNew: Bool) -> ItemNode {
      ItemNode(items.part(range), label: isNew ? label : place.label, number: isNew ? number : place.number)
    }
    let halves: ContiguousArray = [
      half(0..<middle, isNew: isFirstNew), half(middle..<items.count, isNew: !isFirstNew),
    ]
    for half in halves { index.table.insert(half) }
    // The new label belonged under the leaf before.
    if let previous { index.table.insert(ItemNode(previous.leaf, label: previous.label, number: previous.number)) }
    tree.replace(leafAt: place.label, with: halves)
  }

  /// Joins a leaf that has become small with a neighbour that has room.
  ///
  /// - Parameter start: The position of its first item.
  mutating func joinNeighbour(ofLeafAt start: Int) {
    reserve(0)
    guard let small = tree.place(position: start) else { return }
    for position in [start + small.leaf.count, start - 1] where indices.contains(position) {
      guard let other = tree.place(position: position),
        small.leaf.count + other.leaf.count <= ItemLeaf.capacity * 3 / 4
      else { continue }
      let (left, right) = other.start < start ? (other, small) : (small, other)
      var items = ItemLeafBuilder(capacity: left.leaf.count + right.leaf.count)
      items.append(left.leaf)
      items.append(0..<right.leaf.count, of: right.leaf)
      let joined = items.leaf
      // The labels of the right one belong under the left one from now on, so the index needs no entries.
      tree.change(leafAt: left.label) { _, _ in joined }
      removeLeaf(right)
      return
    }
  }

  /// Takes a leaf out whose items are gone, or have joined the leaf before it.
  mutating func removeLeaf(_ place: ItemLeafPlace) {
    tree.replace(leafAt: place.label, with: [])
    // After the leaf that is the last one now, others may come with labels that belonged under it.
    guard place.nextLabel == nil, let last = tree.tail else { return }
    index.table.reserve(last.count)
    index.table.insert(last)
  }
}
