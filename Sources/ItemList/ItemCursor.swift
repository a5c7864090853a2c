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
