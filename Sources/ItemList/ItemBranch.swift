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
