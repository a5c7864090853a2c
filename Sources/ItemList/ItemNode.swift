/// A node of the tree of items as its parent sees it: a leaf or a branch, how many items it holds, and where its
/// first leaf stands in the order of leaves.
struct ItemNode {
  enum Body {
    case leaf(ItemLeaf)
    case branch(ItemBranch)
  }

  let body: Body
  /// The order label of the first leaf. Labels rise from leaf to leaf.
  let label: Int64
  private let itemCount: UInt32
  /// The number under which the index knows the leaf; 0 for a branch.
  let number: UInt32

  @inline(__always) var count: Int { Int(itemCount) }

  init(_ leaf: ItemLeaf, label: Int64, number: UInt32) {
    body = .leaf(leaf)
    self.label = label
    itemCount = UInt32(leaf.count)
    self.number = number
  }

  private init(_ body: Body, label: Int64, itemCount: UInt32, number: UInt32) {
    self.body = body
    self.label = label
    self.itemCount = itemCount
    self.number = number
  }

  private init(branch children: ContiguousArray<ItemNode>, count: Int, height: Int) {
    body = .branch(ItemBranch(children: children, height: height))
    label = children[0].label
    itemCount = UInt32(count)
    number = 0
  }

  /// Joins nodes of one height under a branch.
  init(branch children: ContiguousArray<ItemNode>) {
    self.init(branch: children, count: children.reduce(0) { $0 + $1.count }, height: children[0].height + 1)
  }

  /// The same leaf with another label and number.
  func with(label: Int64, number: UInt32) -> ItemNode {
    ItemNode(body, label: label, itemCount: itemCount, number: number)
  }

  /// The branches between this node and its leaves, itself included.
  var height: Int {
    switch body {
    case .leaf: 0
    case .branch(let branch): branch.height
    }
  }

  /// The last leaf.
  var lastLeaf: ItemNode {
    switch body {
    case .leaf: self
    case .branch(let branch): branch.children[branch.children.count - 1].lastLeaf
    }
  }

  /// Whether this is the very same node as another, and so all beneath it.
  @inline(__always)
  func isIdentical(to other: ItemNode) -> Bool {
    switch (body, other.body) {
    case (.leaf(let first), .leaf(let second)): first === second
    case (.branch(let first), .branch(let second)): first === second
    default: false
    }
  }

  /// The same with another leaf in the place of one; everything that isn't above it is shared.
  ///
  /// - Parameters:
  ///   - label: A label that belongs under the leaf that goes.
  ///   - start: The position in the list of this node's first item.
  ///   - change: Makes the other leaf, or nil for none, of the leaf and the position of its first item.
  /// - Returns: The node; nil where nothing changes.
  func changing(
    leafAt label: Int64, start: Int, _ change: (_ leaf: ItemLeaf, _ start: Int) -> ItemLeaf?
  ) -> ItemNode? {
    switch body {
    case .leaf(let leaf): return change(leaf, start).map { ItemNode($0, label: self.label, number: number) }
    case .branch(let branch):
      branch.prefetchChildren()
      let (position, itemsBefore) = branch.child(label: label)
      let child = branch.children[position].changing(leafAt: label, start: start + itemsBefore, change)
      guard let child else { return nil }
      var children = branch.children
      let count = count - children[position].count + child.count
      children[position] = child
      return ItemNode(branch: children, count: count, height: branch.height)
    }
  }

  /// The same with one more node of lesser height, or of its own, at the end.
  ///
  /// - Parameter node: What comes.
  /// - Returns: The node with it; or, where it is full, the node as it is and another of its height that has the rest.
  func appending(_ node: ItemNode) -> (node: ItemNode, rest: ItemNode?) {
    guard case .branch(let branch) = body, branch.height > node.height else { return (self, node) }
    let last = branch.children.count - 1
    let (changed, rest) = branch.children[last].appending(node)
    if let rest, last + 1 == ItemBranch.capacity { return (self, ItemNode(branch: [rest])) }
    var children = ContiguousArray<ItemNode>()
    children.reserveCapacity(last + 2)
    children.append(contentsOf: branch.children)
    children[last] = changed
    if let rest { children.append(rest) }
    return (ItemNode(branch: children, count: count + node.count, height: branch.height), nil)
  }

  /// The nodes of this one's height that remain when any number of leaves, in order, takes the place of one.
  ///
  /// - Parameters:
  ///   - label: The label of the leaf that goes.
  ///   - leaves: Those that come.
  /// - Returns: The nodes, none if no leaf remains.
  func replacing(leafAt label: Int64, with leaves: ContiguousArray<ItemNode>) -> ContiguousArray<ItemNode> {
    guard case .branch(let branch) = body else { return leaves }
    var children = branch.children
    let position = branch.position(ofLabel: label)
    let changed = children[position].replacing(leafAt: label, with: leaves)
    children.replaceSubrange(position...position, with: changed)
    if changed.count == 1 { ItemBranch.mergeSmall(at: position, in: &children) }
    return ItemBranch.grouped(children, packed: false)
  }

  /// One node above nodes of one height, if there are any.
  static func root(above nodes: ContiguousArray<ItemNode>, packed: Bool) -> ItemNode? {
    var nodes = nodes
    while nodes.count > 1 { nodes = ItemBranch.grouped(nodes, packed: packed) }
    guard var root = nodes.first else { return nil }
    while case .branch(let branch) = root.body, branch.children.count == 1 { root = branch.children[0] }
    return root
  }
}
