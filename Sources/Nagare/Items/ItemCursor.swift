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
  }

  /// Stands at the leaf that holds the item at a position.
  init(_ tree: ItemTree, at target: Int) {
    self.init(tree)
    if let node, target >= node.count { pass() }
    while case .branch(let branch) = node?.body {
      let (child, itemsBefore) = branch.child(offset: target - position, of: node?.count ?? 0)
      enter(branch, at: child, itemsBefore: itemsBefore)
    }
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

  /// Goes past the next leaf and returns its node.
  mutating func nextLeafNode() -> ItemNode? {
    while case .branch = node?.body { enter() }
    defer { pass() }
    return node
  }

  /// Goes past the next leaf and returns it.
  mutating func nextLeaf() -> ItemLeaf? {
    guard case .leaf(let leaf) = nextLeafNode()?.body else { return nil }
    return leaf
  }
}
