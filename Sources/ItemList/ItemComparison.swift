/// Finds the splices between two versions of a list.
///
/// It goes down both trees to the lowest node that has all changes beneath it, and from there over both in the order of
/// labels. Where it meets the same node in both, it passes over it; what lies between two such nodes is a region, whose
/// items are compared one by one.
struct ItemComparison {
  private let old: ItemList
  private let new: ItemList
  private var oldCursor: ItemCursor
  private var newCursor: ItemCursor
  private var oldRegion: ItemRegion
  private var newRegion: ItemRegion
  private(set) var splices: [ItemList.Splice] = []

  init(_ old: ItemList, _ new: ItemList) {
    self.old = old
    self.new = new
    (oldCursor, newCursor) = ItemCursor.pair(old.tree, new.tree)
    oldRegion = ItemRegion(start: oldCursor.position)
    newRegion = ItemRegion(start: newCursor.position)
  }

  mutating func run() {
    while let oldNode = oldCursor.node, let newNode = newCursor.node {
      if oldNode.label < newNode.label {
        oldRegion.advance(&oldCursor)
      } else if oldNode.label > newNode.label {
        newRegion.advance(&newCursor)
      } else if oldNode.isIdentical(to: newNode) {
        ItemCursor.passShared(&oldCursor, &newCursor)
        startRegions()
      } else {
        let difference = oldNode.height - newNode.height
        if difference >= 0 { oldRegion.advance(&oldCursor) }
        if difference <= 0 { newRegion.advance(&newCursor) }
      }
    }
    while oldCursor.node != nil { oldRegion.advance(&oldCursor) }
    while newCursor.node != nil { newRegion.advance(&newCursor) }
    closeRegions()
  }

  /// Compares the regions gathered so far, and starts others where the cursors stand.
  private mutating func startRegions() {
    closeRegions()
    oldRegion = ItemRegion(start: oldCursor.position)
    newRegion = ItemRegion(start: newCursor.position)
  }

  /// Compares the regions gathered so far, from both ends first.
  private mutating func closeRegions() {
    guard oldRegion.count > 0 || newRegion.count > 0 else { return }
    let prefix = ItemRegion.commonPrefix(oldRegion, newRegion)
    let longest = min(oldRegion.count, newRegion.count) - prefix
    let suffix = ItemRegion.commonSuffix(oldRegion, newRegion, atMost: longest)
    align(
      oldRegion.start + prefix..<oldRegion.start + oldRegion.count - suffix,
      newRegion.start + prefix..<newRegion.start + newRegion.count - suffix)
  }

  /// Goes through two ranges side by side. Items with one id stay; of those that changed places the one that has to
  /// go a shorter way waits, the other goes or comes.
  private mutating func align(_ oldRange: Range<Int>, _ newRange: Range<Int>) {
    var (oldRest, newRest) = (oldRange, newRange)
    if !oldRest.isEmpty, !newRest.isEmpty {
      var oldItems = oldRegion.items(from: oldRest.lowerBound - oldRegion.start)
      var newItems = newRegion.items(from: newRest.lowerBound - newRegion.start)
      var (oldItem, newItem) = (oldItems.next(), newItems.next())
      while !oldRest.isEmpty, !newRest.isEmpty, let before = oldItem, let after = newItem {
        let isSame = before.hasSameID(as: after)
        let isInsertion = !isSame && comesFirst(after, in: newRest, before, in: oldRest)
        let oldItemsDone = isInsertion ? 0 : 1
        let newItemsDone = isSame || isInsertion ? 1 : 0
        if !isSame || !before.hasSameBytes(as: after) {
          replace(oldRest.prefix(oldItemsDone), with: newRest.prefix(newItemsDone))
        }
        if oldItemsDone > 0 { oldItem = oldItems.next() }
        if newItemsDone > 0 { newItem = newItems.next() }
        oldRest = oldRest.dropFirst(oldItemsDone)
        newRest = newRest.dropFirst(newItemsDone)
      }
    }
    replace(oldRest, with: newRest)
  }

  /// Whether, of two items with different ids where both lists have come to, the new one is to be inserted, and not
  /// the old one deleted.
  private func comesFirst(
    _ after: ItemList.Item, in newRest: Range<Int>, _ before: ItemList.Item, in oldRest: Range<Int>
  )
    -> Bool
  {
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
struct ItemCursor {
  private var path = ContiguousArray<(branch: ItemBranch, position: Int)>()
  /// The node to be entered or passed; nil at the end.
  private(set) var node: ItemNode?
  /// The position in the list of the node's first item.
  private(set) var position = 0

  /// The tree's parts that lie ahead.
  private var rest: ArraySlice<ItemNode>

  /// Stands at a tree's first part.
  init(_ tree: ItemTree) {
    self.init(tree.parts[...], position: 0)
  }

  private init(_ parts: ArraySlice<ItemNode>, position: Int) {
    node = parts.first
    self.position = position
    rest = parts.dropFirst()
    path.reserveCapacity(node?.height ?? 0)
  }

  /// Cursors for a walk side by side, which stand at the lowest nodes that have beneath them all that the trees don't
  /// share.
  static func pair(_ first: ItemTree, _ second: ItemTree) -> (ItemCursor, ItemCursor) {
    guard let (node, other, itemsBefore) = first.onlyDifference(from: second) else {
      return (ItemCursor(first), ItemCursor(second))
    }
    return pair(node, other, position: itemsBefore)
  }

  private static func pair(_ first: ItemNode, _ second: ItemNode, position: Int) -> (ItemCursor, ItemCursor) {
    if case .branch(let branch) = first.body, case .branch(let other) = second.body,
      let (child, itemsBefore) = branch.onlyDifference(from: other)
    {
      return pair(branch.children[child], other.children[child], position: position + itemsBefore)
    }
    return (ItemCursor([first], position: position), ItemCursor([second], position: position))
  }

  /// Goes to the first child of a branch, or past a leaf.
  mutating func enter() {
    guard case .branch(let branch) = node?.body else { return pass() }
    path.append((branch, 0))
    node = branch.children[0]
  }

  /// Goes past the node and all beneath it.
  mutating func pass() {
    guard let node else { return }
    position += node.count
    while let (branch, child) = path.last {
      if child + 1 < branch.children.count {
        path[path.count - 1].position = child + 1
        self.node = branch.children[child + 1]
        return
      }
      path.removeLast()
    }
    self.node = rest.popFirst()
  }

  /// Takes two cursors past a node at which both stand, and the nodes right after it that both have as well. Those are
  /// only compared, not held: in a large tree each would have to come from memory.
  static func passShared(_ first: inout ItemCursor, _ second: inout ItemCursor) {
    if let (branch, child) = first.path.last, let (other, otherChild) = second.path.last {
      let longest = min(branch.children.count - child, other.children.count - otherChild)
      var (shared, items) = (1, 0)
      while shared < longest, branch.children[child + shared].isIdentical(to: other.children[otherChild + shared]) {
        items += branch.children[child + shared].count
        shared += 1
      }
      first.skip(shared - 1, items: items)
      second.skip(shared - 1, items: items)
    }
    first.pass()
    second.pass()
  }

  /// Counts siblings as passed, before ``pass()`` goes on to the one after them.
  private mutating func skip(_ siblings: Int, items: Int) {
    path[path.count - 1].position += siblings
    position += items
  }

  /// Goes past the next leaf and returns its node.
  mutating func nextLeafNode() -> ItemNode? {
    while case .branch = node?.body { enter() }
    defer { pass() }
    return node
  }
}

/// Neighbouring leaves of one version that the other doesn't share.
struct ItemRegion {
  /// The position of the first item.
  let start: Int
  private(set) var count = 0
  private var leaves = ContiguousArray<ItemLeaf>()

  init(start: Int) {
    self.start = start
  }

  /// Takes in the node at a cursor if it is a leaf; else goes on to its children.
  mutating func advance(_ cursor: inout ItemCursor) {
    if case .leaf(let leaf) = cursor.node?.body {
      leaves.append(leaf)
      count += leaf.count
    }
    cursor.enter()
  }

  /// Goes through the items from an offset on.
  func items(from offset: Int) -> Items { Items(leaves: leaves[...], offset: offset) }

  /// The items of a region in their order.
  struct Items: IteratorProtocol {
    fileprivate var leaves: ContiguousArray<ItemLeaf>.SubSequence
    /// The next item's offset from the start of those leaves.
    fileprivate var offset: Int

    mutating func next() -> ItemList.Item? {
      while let leaf = leaves.first {
        if offset < leaf.count {
          offset += 1
          return leaf.item(at: offset - 1)
        }
        offset -= leaf.count
        leaves = leaves.dropFirst()
      }
      return nil
    }
  }

  /// How many items are the same from the front.
  static func commonPrefix(_ old: ItemRegion, _ new: ItemRegion) -> Int {
    var prefix = 0
    var (oldStart, newStart) = (0, 0)
    var (oldLeaves, newLeaves) = (old.leaves[...], new.leaves[...])
    while let oldLeaf = oldLeaves.first, let newLeaf = newLeaves.first {
      let longest = min(oldLeaf.count - oldStart, newLeaf.count - newStart)
      var length = oldLeaf === newLeaf && oldStart == newStart ? longest : 0
      while length < longest, oldLeaf.hasSameItem(at: oldStart + length, as: newLeaf, at: newStart + length) {
        length += 1
      }
      prefix += length
      if length < longest { break }
      oldStart += length
      newStart += length
      if oldStart == oldLeaf.count { (oldLeaves, oldStart) = (oldLeaves.dropFirst(), 0) }
      if newStart == newLeaf.count { (newLeaves, newStart) = (newLeaves.dropFirst(), 0) }
    }
    return prefix
  }

  /// How many items are the same from the back, up to a number.
  static func commonSuffix(_ old: ItemRegion, _ new: ItemRegion, atMost limit: Int) -> Int {
    var suffix = 0
    var (oldEnd, newEnd) = (0, 0)
    var (oldLeaves, newLeaves) = (old.leaves[...], new.leaves[...])
    while suffix < limit, let oldLeaf = oldLeaves.last, let newLeaf = newLeaves.last {
      let longest = min(oldLeaf.count - oldEnd, newLeaf.count - newEnd, limit - suffix)
      var length = oldLeaf === newLeaf && oldEnd == newEnd ? longest : 0
      while length < longest,
        oldLeaf.hasSameItem(
          at: oldLeaf.count - oldEnd - length - 1, as: newLeaf, at: newLeaf.count - newEnd - length - 1)
      {
        length += 1
      }
      suffix += length
      if length < longest { break }
      oldEnd += length
      newEnd += length
      if oldEnd == oldLeaf.count { (oldLeaves, oldEnd) = (oldLeaves.dropLast(), 0) }
      if newEnd == newLeaf.count { (newLeaves, newEnd) = (newLeaves.dropLast(), 0) }
    }
    return suffix
  }
}
