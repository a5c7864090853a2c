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

  /// The same with one leaf in the place of that with its label; everything that isn't above it is shared.
  func replacing(_ leaf: ItemNode) -> ItemNode {
    guard case .branch(let branch) = body else { return leaf }
    var children = branch.children
    let position = branch.position(ofLabel: leaf.label)
    let changed = children[position].replacing(leaf)
    let count = count - children[position].count + changed.count
    children[position] = changed
    return ItemNode(branch: children, count: count, height: branch.height)
  }

  /// The nodes of this one's height that remain when any number of leaves, in order, takes the place of one.
  ///
  /// - Parameters:
  ///   - label: The label of the leaf that goes.
  ///   - leaves: Those that come.
  ///   - packed: Whether overfull branches are split into full ones and a rest, not in halves: right where a list
  ///     grows at its end.
  func replacing(
    leafAt label: Int64, with leaves: ContiguousArray<ItemNode>, packed: Bool
  ) -> ContiguousArray<ItemNode> {
    guard case .branch(let branch) = body else { return leaves }
    var children = branch.children
    let position = branch.position(ofLabel: label)
    let changed = children[position].replacing(leafAt: label, with: leaves, packed: packed)
    children.replaceSubrange(position...position, with: changed)
    if changed.count == 1 { ItemBranch.mergeSmall(at: position, in: &children) }
    return ItemBranch.grouped(children, packed: packed)
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

  /// The child that holds the item at an offset, and how many items come before that child. An offset at the end
  /// belongs to the last child.
  ///
  /// - Parameters:
  ///   - offset: The offset of the item in this branch.
  ///   - count: How many items the branch holds.
  @inline(__always)
  func child(offset: Int, of count: Int) -> (position: Int, itemsBefore: Int) {
    var (position, itemsBefore) = (children.count - 1, count - children[children.count - 1].count)
    while position > 0, itemsBefore > offset {
      position -= 1
      itemsBefore -= children[position].count
    }
    return (position, itemsBefore)
  }

  /// Branches over nodes of one height.
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

/// A leaf and where it stands in a tree.
struct ItemLeafPlace {
  let leaf: ItemLeaf
  let label: Int64
  let number: UInt32
  /// The position in the list of the leaf's first item.
  let start: Int
  /// The label of the leaf after it.
  let nextLabel: Int64?
}

extension ItemNode {
  /// What a leaf is looked for by.
  private enum Target {
    case label(Int64)
    case position(Int)
  }

  /// The leaf under which a label belongs.
  ///
  /// - Parameters:
  ///   - label: The label.
  ///   - nextLabel: The label of the leaf after all of these.
  func place(label: Int64, nextLabel: Int64?) -> ItemLeafPlace {
    place(.label(label), start: 0, nextLabel: nextLabel)
  }

  /// The leaf that holds the item at a position; the last one for a position at the end.
  ///
  /// - Parameters:
  ///   - position: The position.
  ///   - nextLabel: The label of the leaf after all of these.
  func place(position: Int, nextLabel: Int64?) -> ItemLeafPlace {
    place(.position(position), start: 0, nextLabel: nextLabel)
  }

  /// The last leaf, for a node whose first item has a position in the list.
  func place(start: Int) -> ItemLeafPlace {
    place(.position(start + count), start: start, nextLabel: nil)
  }

  private func place(_ target: Target, start: Int, nextLabel: Int64?) -> ItemLeafPlace {
    switch body {
    case .leaf(let leaf):
      return ItemLeafPlace(leaf: leaf, label: label, number: number, start: start, nextLabel: nextLabel)
    case .branch(let branch):
      let (position, itemsBefore) =
        switch target {
        case .label(let label): branch.child(label: label)
        case .position(let position): branch.child(offset: position - start, of: count)
        }
      let next = position + 1 < branch.children.count ? branch.children[position + 1].label : nextLabel
      return branch.children[position].place(target, start: start + itemsBefore, nextLabel: next)
    }
  }
}
