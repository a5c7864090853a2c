extension ItemList {
  /// One difference between two lists: some adjacent items are replaced by others.
  public struct Splice: Equatable, Sendable {
    /// The position of the change, in the list after all earlier splices.
    public let start: Int
    /// How many items are removed.
    public let deleteCount: Int
    /// The inserted items, as positions in the new list. The range begins at `start`.
    public let items: Range<Int>

    package init(start: Int, deleteCount: Int, items: Range<Int>) {
      (self.start, self.deleteCount, self.items) = (start, deleteCount, items)
    }
  }

  /// The splices that turn one version of a list into another. The time depends on the number of changes between them.
  ///
  /// Parts that both versions share are skipped. Lists without common items give one splice that replaces everything.
  /// Equal lists give none. An item counts as changed if its bytes differ.
  ///
  /// - Parameters:
  ///   - old: The version to start from.
  ///   - new: The version to arrive at.
  /// - Returns: Splices that apply in order, each to the result of the splice before it.
  public static func splices(from old: ItemList, to new: ItemList) -> [Splice] {
    if old.isIdentical(to: new) { return [] }
    var comparison = ItemComparison(old, new)
    comparison.run()
    return comparison.splices
  }
}

/// Finds the splices between two versions of a list.
///
/// It walks through both trees in the order of their keys. Nodes that both trees share are skipped. The items between
/// two shared nodes form a region, and only their items are compared.
private struct ItemComparison {
  private let old: ItemList
  private let new: ItemList
  private var oldCursor: ItemCursor
  private var newCursor: ItemCursor
  private var oldRegion = ItemRegion(start: 0)
  private var newRegion = ItemRegion(start: 0)
  private(set) var splices: [ItemList.Splice] = []

  init(_ old: ItemList, _ new: ItemList) {
    (self.old, self.new) = (old, new)
    (oldCursor, newCursor) = (ItemCursor(old.root), ItemCursor(new.root))
  }

  mutating func run() {
    while !oldCursor.isAtEnd, !newCursor.isAtEnd {
      if oldCursor.isAtSameNode(as: newCursor) {
        compareRegions()
        oldCursor.pass()
        newCursor.pass()
        oldRegion = ItemRegion(start: oldCursor.position)
        newRegion = ItemRegion(start: newCursor.position)
      } else {
        // The cursor at the lower key advances. If the keys are equal, the cursor at the higher node advances. If the
        // heights are equal too, both advance.
        let (old, new) = (oldCursor.node, newCursor.node)
        let lead = old.key == new.key ? new.height - old.height : old.key < new.key ? -1 : 1
        if lead <= 0 { oldRegion.advance(&oldCursor) }
        if lead >= 0 { newRegion.advance(&newCursor) }
      }
    }
    while !oldCursor.isAtEnd { oldRegion.advance(&oldCursor) }
    while !newCursor.isAtEnd { newRegion.advance(&newCursor) }
    compareRegions()
  }

  /// Compares the regions collected so far. Equal items at both ends are skipped first.
  private mutating func compareRegions() {
    guard oldRegion.count > 0 || newRegion.count > 0 else { return }
    let shorter = min(oldRegion.count, newRegion.count)
    let prefix = ItemRegion.common(oldRegion, newRegion, atMost: shorter, fromEnd: false)
    let suffix = ItemRegion.common(oldRegion, newRegion, atMost: shorter - prefix, fromEnd: true)
    align(
      oldRegion.start + prefix..<oldRegion.start + oldRegion.count - suffix,
      newRegion.start + prefix..<newRegion.start + newRegion.count - suffix)
  }

  /// Walks through two ranges side by side. Items with equal ids are kept. If two items have changed places, one is
  /// kept and the other is removed and inserted: the one that moves farther.
  private mutating func align(_ oldRange: Range<Int>, _ newRange: Range<Int>) {
    var (oldRest, newRest) = (oldRange, newRange)
    var (oldLeaf, newLeaf) = (0, 0)
    while let oldPosition = oldRest.first, let newPosition = newRest.first {
      let before = oldRegion.item(at: oldPosition - oldRegion.start, &oldLeaf)
      let after = newRegion.item(at: newPosition - newRegion.start, &newLeaf)
      let isSame = before.hasSameID(as: after)
      let isInsertion = !isSame && comesFirst(after, in: newRest, before, in: oldRest)
      let (gone, come) = (oldRest.prefix(isInsertion ? 0 : 1), newRest.prefix(isSame || isInsertion ? 1 : 0))
      if !isSame || !before.hasSameBytes(as: after) { replace(gone, with: come) }
      (oldRest, newRest) = (oldRest.dropFirst(gone.count), newRest.dropFirst(come.count))
    }
    replace(oldRest, with: newRest)
  }

  /// Given the next item of each list, with different ids: whether to insert the new one, rather than delete the old
  /// one.
  private func comesFirst(
    _ after: ItemList.Item, in newRest: Range<Int>, _ before: ItemList.Item, in oldRest: Range<Int>
  ) -> Bool {
    guard let oldPosition = old.index(ofRawID: after.rawID.span), oldRest.contains(oldPosition) else { return true }
    guard let newPosition = new.index(ofRawID: before.rawID.span), newRest.contains(newPosition) else { return false }
    return newPosition - newRest.lowerBound < oldPosition - oldRest.lowerBound
  }

  /// Adds a splice. It is merged with the last one if they are adjacent.
  private mutating func replace(_ oldRange: Range<Int>, with newRange: Range<Int>) {
    guard !oldRange.isEmpty || !newRange.isEmpty else { return }
    if let last = splices.last, last.items.upperBound == newRange.lowerBound {
      splices[splices.count - 1] = ItemList.Splice(
        start: last.start, deleteCount: last.deleteCount + oldRange.count,
        items: last.start..<newRange.upperBound)
    } else {
      splices.append(
        ItemList.Splice(start: newRange.lowerBound, deleteCount: oldRange.count, items: newRange))
    }
  }
}

/// Walks through a tree from left to right. It can skip a whole subtree without visiting it.
private struct ItemCursor {
  /// The path from the root to the current node. It stores arrays of siblings and an index, rather than nodes. Storing
  /// a node would load it from memory, which is slow in a large tree.
  private var path: ContiguousArray<(siblings: ContiguousArray<ItemNode>, index: Int)>
  /// The position in the list of the node's first item.
  private(set) var position = 0

  init(_ root: ItemNode) {
    path = []
    guard root.count > 0 else { return }
    path.reserveCapacity(root.height + 1)
    // The root's children are an array already. An array for the root itself would have to be allocated.
    path.append((root.children.isEmpty ? [root] : root.children, 0))
  }

  var isAtEnd: Bool { path.isEmpty }
  private var last: Int { path.count - 1 }

  /// The current node.
  @inline(__always)
  var node: ItemNode { path[last].siblings[path[last].index] }

  @inline(__always)
  func isAtSameNode(as other: ItemCursor) -> Bool {
    path[last].siblings[path[last].index]
      .isIdentical(to: other.path[other.last].siblings[other.path[other.last].index])
  }

  /// Moves to the first child of a branch, or past a leaf.
  mutating func enter() {
    let children = node.children
    if children.isEmpty { pass() } else { path.append((children, 0)) }
  }

  /// Moves past the node and everything below it.
  mutating func pass() {
    position += node.count
    path[last].index += 1
    while !isAtEnd, path[last].index == path[last].siblings.count {
      path.removeLast()
      if !isAtEnd { path[last].index += 1 }
    }
  }
}

/// Adjacent leaves of one version that the other version doesn't share.
private struct ItemRegion {
  /// The position of the first item.
  let start: Int
  private(set) var count = 0
  /// The leaves, each with the offset of its first item in the region.
  private var leaves = ContiguousArray<ItemNode.LeafPosition>()

  init(start: Int) { self.start = start }

  /// Adds the node at a cursor if it is a leaf, and moves the cursor on.
  mutating func advance(_ cursor: inout ItemCursor) {
    if let leaf = cursor.node.leaf {
      leaves.append((leaf, count))
      count += leaf.items.count
    }
    cursor.enter()
  }

  /// The item at an offset in the region. `leaf` is the index of the leaf at which the search starts, and becomes the
  /// index of the item's leaf.
  func item(at offset: Int, _ leaf: inout Int) -> ItemList.Item {
    let place = place(of: offset, &leaf)
    return place.leaf.items.item(at: offset - place.start)
  }

  private func place(of offset: Int, _ leaf: inout Int) -> ItemNode.LeafPosition {
    while offset < leaves[leaf].start { leaf -= 1 }
    while offset >= leaves[leaf].start + leaves[leaf].leaf.items.count { leaf += 1 }
    return leaves[leaf]
  }

  /// How many items at the start (or end) of two regions are equal, up to a limit.
  static func common(_ old: ItemRegion, _ new: ItemRegion, atMost limit: Int, fromEnd: Bool) -> Int {
    var (oldLeaf, newLeaf) = fromEnd ? (old.leaves.count - 1, new.leaves.count - 1) : (0, 0)
    var length = 0
    while length < limit {
      let offset = fromEnd ? old.count - 1 - length : length
      let newOffset = fromEnd ? new.count - 1 - length : length
      let (place, newPlace) = (old.place(of: offset, &oldLeaf), new.place(of: newOffset, &newLeaf))
      guard
        place.leaf.items.hasSameItem(at: offset - place.start, as: newPlace.leaf.items, at: newOffset - newPlace.start)
      else { break }
      length += 1
    }
    return length
  }
}
