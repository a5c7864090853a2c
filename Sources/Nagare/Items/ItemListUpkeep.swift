extension ItemList {
  /// Makes room in the index, and sees to it that what is stale stays bounded by what is live.
  mutating func reserve(_ additions: Int) {
    if index.used > 2 * count + 128 || index.nextNumber > index.numberLimit {
      reindex(additions)
    } else if !index.hasRoom(for: additions) {
      index = index.grown(by: additions)
    }
  }

  /// Gives the list an index that knows just this version, and its leaves new labels and numbers.
  private mutating func reindex(_ additions: Int) {
    guard let root else {
      index = ItemIndex(capacity: additions, gap: index.gap)
      return
    }
    let leaves = leaves(of: root)
    let (first, gap) = labels(leaves.count)
    let nodes = ContiguousArray(
      leaves.enumerated().map { position, leaf in
        leaf.with(label: first + gap * Int64(position), number: UInt32(position + 1))
      })
    index = ItemIndex(capacity: count + additions, labels: ContiguousArray(nodes.map(\.label)), gap: gap)
    for node in nodes { enter(node) }
    self.root = .root(above: nodes, packed: true)
  }

  /// Spreads the leaves' labels anew where there is no room between two of them.
  ///
  /// - Parameter newLeaves: How many leaves there will be besides.
  mutating func relabel(reserving newLeaves: Int) {
    guard let root else { return }
    let leaves = leaves(of: root)
    let (first, gap) = labels(leaves.count + newLeaves)
    let nodes = ContiguousArray(
      leaves.enumerated().map { position, leaf in
        leaf.with(label: first + gap * Int64(position), number: leaf.number)
      })
    index = index.relabelled(nodes, gap: gap)
    self.root = .root(above: nodes, packed: true)
  }

  /// The first label and the distance to the next, for so many leaves that room is left on both sides.
  private func labels(_ count: Int) -> (first: Int64, gap: Int64) {
    let gap = Swift.min(index.gap, Int64.max / Int64(count + 1) / 2)
    return (-gap * Int64(count / 2), gap)
  }

  private func leaves(of root: ItemNode) -> ContiguousArray<ItemNode> {
    var leaves = ContiguousArray<ItemNode>()
    var cursor = ItemCursor(root)
    while let leaf = cursor.nextLeafNode() { leaves.append(leaf) }
    return leaves
  }

  /// Enters the ids of a leaf.
  private func enter(_ node: ItemNode) {
    guard case .leaf(let leaf) = node.body else { return }
    for entry in leaf.entries {
      let buffer = leaf.buffers[Int(entry.buffer)]
      index.insert(ItemIndex.key(entry.idHash(in: buffer.span)), number: node.number)
    }
  }

  /// Puts two leaves in the place of one.
  ///
  /// - Parameters:
  ///   - place: The leaf that goes.
  ///   - items: What the two will hold.
  mutating func replace(_ place: ItemLeafPlace, withHalvesOf items: ItemLeaf) {
    guard let root else { return }
    guard let label = index.label(between: place.label, and: place.nextLabel) else {
      relabel(reserving: 1)
      return replace(self.root?.place(position: place.start) ?? place, withHalvesOf: items)
    }
    let middle = items.count / 2
    let number = index.addLeaf(label: label)
    let halves: ContiguousArray = [
      ItemNode(items.part(0..<middle), label: place.label, number: place.number),
      ItemNode(items.part(middle..<items.count), label: label, number: number),
    ]
    for half in halves { enter(half) }
    self.root = .root(above: root.replacing(leafAt: place.label, with: halves, packed: false), packed: false)
  }

  /// Joins a leaf that has become small with a neighbour that has room.
  ///
  /// - Parameter start: The position of its first item.
  mutating func joinNeighbour(ofLeafAt start: Int) {
    guard let root else { return }
    let small = root.place(position: start)
    for position in [start + small.leaf.count, start - 1] where indices.contains(position) {
      let other = root.place(position: position)
      guard small.leaf.count + other.leaf.count <= ItemLeaf.capacity * 3 / 4 else { continue }
      let (left, right) = other.start < start ? (other, small) : (small, other)
      var items = ItemLeafBuilder(left.leaf, capacity: left.leaf.count + right.leaf.count)
      items.append(0..<right.leaf.count, of: right.leaf)
      let joined = ItemNode(items.leaf, label: left.label, number: left.number)
      enter(joined)
      let rest = ItemNode.root(above: root.replacing(leafAt: right.label, with: [], packed: false), packed: false)
      self.root = rest?.replacing(joined)
      return
    }
  }
}
