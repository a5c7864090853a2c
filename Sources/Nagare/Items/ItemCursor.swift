/// Walks over a tree from left to right, and past whole subtrees without looking into them.
struct ItemCursor {
  private var path = ContiguousArray<(branch: ItemBranch, position: Int)>()
  /// The node to be entered or passed; nil at the end.
  private(set) var node: ItemNode?
  /// The position in the list of the node's first item.
  private(set) var position = 0

  /// The last leaf, as long as it lies ahead.
  private var tail: ItemNode?

  /// Stands at the root.
  init(_ tree: ItemTree) {
    node = tree.root ?? tree.tail
    tail = tree.root == nil ? nil : tree.tail
    path.reserveCapacity(tree.root?.height ?? 0)
  }

  /// Goes to the first child of a branch, or past a leaf.
  mutating func enter() {
    guard case .branch(let branch) = node?.body else { return pass() }
    enter(branch, at: 0, itemsBefore: 0)
  }

  /// Goes to a child of the branch that it stands at.
  mutating func enter(_ branch: ItemBranch, at child: Int, itemsBefore: Int) {
    path.append((branch, child))
    position += itemsBefore
    node = branch.children[child]
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
    self.node = tail
    tail = nil
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
