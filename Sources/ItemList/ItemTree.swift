/// The items of one version of a list: a tree of leaves, and the last leaves on their own, so that adding small pages
/// copies a leaf, now and then a branch of leaves, and the way down the tree hardly ever.
struct ItemTree {
  /// All leaves but the last ones, if there are more.
  private(set) var root: ItemNode?
  /// A branch of the leaves between these and the last, if there are any.
  private(set) var recent: ItemNode?
  /// The last leaf; nil only where there are no items.
  private(set) var tail: ItemNode?

  init() {}

  /// Builds a tree over leaves.
  init(_ leaves: ContiguousArray<ItemNode>) {
    root = .root(above: ContiguousArray(leaves.dropLast()), packed: true)
    tail = leaves.last
  }

  /// What it is made of, in order.
  var parts: [ItemNode] { [root, recent, tail].compactMap { $0 } }

  var count: Int { tailStart + (tail?.count ?? 0) }

  /// How many items stand before the tail.
  private var tailStart: Int { (root?.count ?? 0) + (recent?.count ?? 0) }

  func isIdentical(to other: ItemTree) -> Bool {
    ItemTree.areIdentical(tail, other.tail) && ItemTree.areIdentical(recent, other.recent)
      && ItemTree.areIdentical(root, other.root)
  }

  /// The one part that another tree has otherwise, and how many items come before it; nil if more than that differs.
  func onlyDifference(from other: ItemTree) -> (node: ItemNode, other: ItemNode, itemsBefore: Int)? {
    let (mine, others) = ([root, recent, tail], [other.root, other.recent, other.tail])
    let different = mine.indices.filter { !ItemTree.areIdentical(mine[$0], others[$0]) }
    guard different.count == 1, let node = mine[different[0]], let otherNode = others[different[0]] else { return nil }
    return (node, otherNode, mine[..<different[0]].reduce(0) { $0 + ($1?.count ?? 0) })
  }

  private static func areIdentical(_ first: ItemNode?, _ second: ItemNode?) -> Bool {
    guard let first, let second else { return first == nil && second == nil }
    return first.isIdentical(to: second)
  }

  // MARK: - Looking for leaves

  /// The leaf under which a label belongs: that with the label, or the one before it, which has taken in its items.
  func place(label: Int64) -> ItemLeafPlace? {
    guard let tail else { return nil }
    if tail.label <= label { return tail.place(start: tailStart) }
    if let recent, recent.label <= label {
      return recent.place(label: label, start: root?.count ?? 0, nextLabel: tail.label)
    }
    return root?.place(label: label, start: 0, nextLabel: recent?.label ?? tail.label)
  }

  /// The leaf that holds the item at a position; the last one for a position at the end; nil in an empty tree.
  func place(position: Int) -> ItemLeafPlace? {
    let rootCount = root?.count ?? 0
    if position < rootCount {
      return root?.place(position: position, start: 0, nextLabel: recent?.label ?? tail?.label)
    }
    guard position < tailStart else { return tail?.place(start: tailStart) }
    return recent?.place(position: position, start: rootCount, nextLabel: tail?.label)
  }

  /// The first leaf, or the last.
  func edge(atEnd: Bool) -> ItemLeafPlace? { place(position: atEnd ? count : 0) }

  // MARK: - Changes

  /// Puts another leaf in the place of one, on one way down the tree.
  ///
  /// - Parameters:
  ///   - label: A label that belongs under the leaf that goes.
  ///   - change: Makes the other leaf, or nil for none, of the leaf and the position of its first item.
  mutating func change(leafAt label: Int64, _ change: (_ leaf: ItemLeaf, _ start: Int) -> ItemLeaf?) {
    if let tail, tail.label <= label {
      self.tail = tail.changing(leafAt: label, start: tailStart, change) ?? tail
    } else if let recent, recent.label <= label {
      self.recent = recent.changing(leafAt: label, start: root?.count ?? 0, change) ?? recent
    } else {
      root = root?.changing(leafAt: label, start: 0, change) ?? root
    }
  }

  /// Puts any number of leaves, in order, in the place of one.
  ///
  /// - Parameters:
  ///   - label: The label of the leaf that goes.
  ///   - leaves: Those that come.
  mutating func replace(leafAt label: Int64, with leaves: ContiguousArray<ItemNode>) {
    if tail?.label == label {
      for leaf in leaves.dropLast() { push(leaf) }
      tail = leaves.last
      if tail == nil { takeTail() }
    } else if let recent, recent.label <= label {
      self.recent = nil
      for branch in recent.replacing(leafAt: label, with: leaves) {
        self.recent.map { append($0) }
        self.recent = branch
      }
    } else {
      root = root.flatMap { .root(above: $0.replacing(leafAt: label, with: leaves), packed: false) }
    }
  }

  /// Makes the last of the other leaves the tail, if there are any.
  private mutating func takeTail() {
    if let recent {
      tail = recent.lastLeaf
      self.recent = recent.replacing(leafAt: recent.lastLeaf.label, with: []).first
    } else if let root {
      tail = root.lastLeaf
      self.root = .root(above: root.replacing(leafAt: root.lastLeaf.label, with: []), packed: false)
    }
  }

  /// Adds a leaf before the tail.
  private mutating func push(_ leaf: ItemNode) {
    guard let recent else { return self.recent = ItemNode(branch: [leaf]) }
    let (node, rest) = recent.appending(leaf)
    self.recent = rest ?? node
    if rest != nil { append(node) }
  }

  /// Adds a branch of leaves at the end of the root.
  private mutating func append(_ branch: ItemNode) {
    guard var root else { return self.root = branch }
    while root.height < branch.height { root = ItemNode(branch: [root]) }
    let (node, rest) = root.appending(branch)
    self.root = rest.map { ItemNode(branch: [node, $0]) } ?? node
  }
}

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

/// An inner node of the tree of items.
final class ItemBranch {
  /// The most children that a branch has.
  static let capacity = 16

  let children: ContiguousArray<ItemNode>
  let height: Int

  init(children: ContiguousArray<ItemNode>, height: Int) {
    self.children = children
    self.height = height
  }

  /// Looks at all children, so that in a large tree the processor fetches them together and not one after the other
  /// when a copy of the branch retains each.
  func prefetchChildren() {
    var total = 0
    for child in 0..<children.count {
      switch children[child].body {
      case .leaf(let leaf): total |= leaf.count
      case .branch(let branch): total |= branch.height
      }
    }
    // Always true; it keeps the optimizer from dropping the loop.
    precondition(total > 0)
  }

  /// The child under which a label belongs.
  @inline(__always)
  func position(ofLabel label: Int64) -> Int {
    var position = children.count - 1
    while position > 0, children[position].label > label { position -= 1 }
    return position
  }

  /// The child under which a label belongs, and how many items come before that child.
  @inline(__always)
  func child(label: Int64) -> (position: Int, itemsBefore: Int) {
    let position = position(ofLabel: label)
    var itemsBefore = 0
    for child in 0..<position { itemsBefore += children[child].count }
    return (position, itemsBefore)
  }

  /// The child that holds the item at an offset. An offset at the end belongs to the last child.
  ///
  /// - Parameters:
  ///   - offset: The offset of the item in this branch.
  ///   - count: How many items the branch holds.
  /// - Returns: The child, and how many items come before it.
  @inline(__always)
  func child(offset: Int, of count: Int) -> (position: Int, itemsBefore: Int) {
    var (position, itemsBefore) = (children.count - 1, count - children[children.count - 1].count)
    while position > 0, itemsBefore > offset {
      position -= 1
      itemsBefore -= children[position].count
    }
    return (position, itemsBefore)
  }

  /// The one child that another branch has otherwise, and how many items come before it; nil if more than that differs.
  func onlyDifference(from other: ItemBranch) -> (position: Int, itemsBefore: Int)? {
    guard height == other.height, children.count == other.children.count else { return nil }
    var (first, itemsBefore) = (0, 0)
    while first < children.count, children[first].isIdentical(to: other.children[first]) {
      itemsBefore += children[first].count
      first += 1
    }
    var last = children.count - 1
    while last > first, children[last].isIdentical(to: other.children[last]) { last -= 1 }
    return first == last ? (first, itemsBefore) : nil
  }

  /// Branches over nodes of one height.
  ///
  /// - Parameters:
  ///   - nodes: The nodes.
  ///   - packed: Whether they are full ones and a rest, not even: right where a list grows at its end.
  /// - Returns: The branches, or the one.
  static func grouped(_ nodes: ContiguousArray<ItemNode>, packed: Bool) -> ContiguousArray<ItemNode> {
    guard nodes.count > capacity else { return nodes.isEmpty ? [] : [ItemNode(branch: nodes)] }
    let groups = (nodes.count + capacity - 1) / capacity
    return ContiguousArray(
      (0..<groups).map { group in
        let range =
          packed
          ? group * capacity..<min((group + 1) * capacity, nodes.count)
          : group * nodes.count / groups..<(group + 1) * nodes.count / groups
        return ItemNode(branch: ContiguousArray(nodes[range]))
      })
  }

  /// Joins a branch that has become small with a neighbour that has room.
  static func mergeSmall(at position: Int, in nodes: inout ContiguousArray<ItemNode>) {
    guard case .branch(let branch) = nodes[position].body, branch.children.count <= capacity / 4 else { return }
    for left in [position - 1, position] where nodes.indices.contains(left) && nodes.indices.contains(left + 1) {
      guard case .branch(let first) = nodes[left].body, case .branch(let second) = nodes[left + 1].body,
        first.children.count + second.children.count <= capacity * 3 / 4
      else { continue }
      nodes.replaceSubrange(left...left + 1, with: [ItemNode(branch: first.children + second.children)])
      return
    }
  }
}
