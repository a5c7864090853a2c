extension ItemList {
  /// One change of a list: some items at a position give way to others.
  public struct Splice: Equatable, Sendable {
    /// The position where it applies, in the list as the splices before left it.
    public let start: Int
    /// How many items go.
    public let deleteCount: Int
    /// Which items come: their positions in the new list. The first is `start`.
    public let items: Range<Int>

    package init(start: Int, deleteCount: Int, items: Range<Int>) {
      (self.start, self.deleteCount, self.items) = (start, deleteCount, items)
    }
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
    if old.isIdentical(to: new) { return [] }
    var comparison = ItemComparison(old, new)
    comparison.run()
    return comparison.splices
  }
}

/// Finds the splices between two versions of a list.
///
/// It goes over both trees in the order of keys. Where it meets the same node in both, it passes over it; what lies between
/// two such nodes is a region, whose items are compared one by one.
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
        // The one that is behind goes on; of two that begin alike, the one with more beneath it.
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

  /// Compares the regions gathered so far, from both ends first.
  private mutating func compareRegions() {
    guard oldRegion.count > 0 || newRegion.count > 0 else { return }
    let shorter = min(oldRegion.count, newRegion.count)
    let prefix = ItemRegion.common(oldRegion, newRegion, atMost: shorter, fromEnd: false)
    let suffix = ItemRegion.common(oldRegion, newRegion, atMost: shorter - prefix, fromEnd: true)
    align(
      oldRegion.start + prefix..<oldRegion.start + oldRegion.count - suffix,
      newRegion.start + prefix..<newRegion.start + newRegion.count - suffix)
  }

  /// Goes through two ranges side by side. Items with one id stay; of those that changed places the one that has to
  /// go a shorter way waits, the other goes or comes.
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

  /// Whether, of two items with different ids where both lists have come to, the new one is to be inserted, and not
  /// the old one deleted.
  private func comesFirst(
    _ after: ItemList.Item, in newRest: Range<Int>, _ before: ItemList.Item, in oldRest: Range<Int>
  ) -> Bool {
    guard let oldPosition = old.index(ofRawID: after.rawID.span), oldRest.contains(oldPosition) else { return true }
    guard let newPosition = new.index(ofRawID: before.rawID.span), newRest.contains(newPosition) else { return false }
    return newPosition - newRest.lowerBound < oldPosition - oldRest.lowerBound
  }

  /// Notes a splice, as a part of the last one where they touch.
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

/// Walks over a tree from left to right, and past whole subtrees without looking into them.
private struct ItemCursor {
  /// The way to a node. Nodes are looked at where they lie: in a large tree each would have to come from memory to be held.
  private var path: ContiguousArray<(siblings: ContiguousArray<ItemNode>, index: Int)>
  /// The position in the list of the node's first item.
  private(set) var position = 0

  init(_ root: ItemNode) {
    path = []
    guard root.count > 0 else { return }
    path.reserveCapacity(root.height + 1)
    // A root's children lie in an array already. One for the root alone would be made.
    path.append((root.children.isEmpty ? [root] : root.children, 0))
  }

  var isAtEnd: Bool { path.isEmpty }
  private var last: Int { path.count - 1 }

  /// The node to be entered or passed.
  @inline(__always)
  var node: ItemNode { path[last].siblings[path[last].index] }

  @inline(__always)
  func isAtSameNode(as other: ItemCursor) -> Bool {
    path[last].siblings[path[last].index]
      .isIdentical(to: other.path[other.last].siblings[other.path[other.last].index])
  }

  /// Goes to the first child of a branch, or past a leaf.
  mutating func enter() {
    let children = node.children
    if children.isEmpty { pass() } else { path.append((children, 0)) }
  }

  /// Goes past the node and all beneath it.
  mutating func pass() {
    position += node.count
    path[last].index += 1
    while !isAtEnd, path[last].index == path[last].siblings.count {
      path.removeLast()
      if !isAtEnd { path[last].index += 1 }
    }
  }
}

/// Neighbouring leaves of one version that the other doesn't share.
private struct ItemRegion {
  /// The position of the first item.
  let start: Int
  private(set) var count = 0
  /// The leaves, and where in the region each begins.
  private var leaves = ContiguousArray<ItemNode.LeafPosition>()

  init(start: Int) { self.start = start }

  /// Takes in the node at a cursor if it is a leaf; else goes on to its children.
  mutating func advance(_ cursor: inout ItemCursor) {
    if let leaf = cursor.node.leaf {
      leaves.append((leaf, count))
      count += leaf.items.count
    }
    cursor.enter()
  }

  /// The item at an offset in the region. `leaf` is the number of a leaf near to it, or with it, and becomes that of its leaf.
  func item(at offset: Int, _ leaf: inout Int) -> ItemList.Item {
    let place = place(of: offset, &leaf)
    return place.leaf.items.item(at: offset - place.start)
  }

  private func place(of offset: Int, _ leaf: inout Int) -> ItemNode.LeafPosition {
    while offset < leaves[leaf].start { leaf -= 1 }
    while offset >= leaves[leaf].start + leaves[leaf].leaf.items.count { leaf += 1 }
    return leaves[leaf]
  }

  /// How many items two regions have in common at their starts, or at their ends, up to a number.
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
