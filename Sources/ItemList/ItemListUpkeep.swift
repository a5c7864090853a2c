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
