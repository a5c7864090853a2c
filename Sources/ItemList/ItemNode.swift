/// A node of the tree of items: a leaf, or a branch whose children all have the same height.
///
/// Versions of a list share nodes. A change follows the path to one leaf. It copies the nodes on the path that other
/// versions share, and changes the others in place. So after a snapshot, only the first change in each part of the list
/// copies anything.
struct ItemNode {
  /// The most children of a branch.
  static let capacity = 8

  /// The children of a branch; empty in a leaf.
  private(set) var children: ContiguousArray<ItemNode> = []
  /// The items of a leaf; nil in a branch, and in an empty tree.
  private(set) var leaf: ItemLeaf?
  /// The number of items below the node.
  private(set) var count = 0
  /// The key of the first item below the node.
  private(set) var key: Int64 = 0

  /// The part of the list in which a change happens. It determines how a full node is divided: at an end, where more
  /// items will follow, one part stays full; in the middle, the node is divided in half.
  enum Side { case start, middle, end }

  /// Creates an empty tree.
  init() {}

  /// Creates a branch of nodes of equal height.
  init(_ children: ContiguousArray<ItemNode>) {
    self.children = children
    refresh()
  }

  private init(_ items: LeafItems) {
    leaf = ItemLeaf(items)
    leaf?.items.tidy()
    refresh()
  }

  /// The number of levels below this node; 0 for a leaf.
  var height: Int { children.isEmpty ? 0 : children[0].height + 1 }

  /// Whether two nodes are the same node, and therefore everything below them.
  @inline(__always)
  func isIdentical(to other: ItemNode) -> Bool {
    leaf === other.leaf && count == other.count && children.span.isIdentical(to: other.children.span)
  }

  // MARK: - Finding leaves

  /// A leaf, and the position of its first item in the list.
  typealias LeafPosition = (leaf: ItemLeaf, start: Int)

  /// The leaf that holds the item at a position below this node, or the last leaf for the position after the last item.
  /// Nil if there are no items. `start` is the position of the node's first item in the list.
  func place(at position: Int, start: Int = 0) -> LeafPosition? {
    guard !children.isEmpty else { return leaf.map { ($0, start) } }
    let (child, itemsBefore) = child(at: position)
    return children[child].place(at: position - itemsBefore, start: start + itemsBefore)
  }

  /// The leaf that holds the item with a key, if it is below this node.
  func place(ofKey key: Int64, start: Int = 0) -> LeafPosition? {
    guard !children.isEmpty else { return leaf.map { ($0, start) } }
    var (child, start) = (0, start)
    while child + 1 < children.count, children[child + 1].key <= key {
      start += children[child].count
      child += 1
    }
    return children[child].place(ofKey: key, start: start)
  }

  /// The child that holds the item at a position (or the last child), and how many items precede the child.
  @inline(__always)
  private func child(at position: Int) -> (child: Int, itemsBefore: Int) {
    // Most pages are added at the end.
    let last = children.count - 1
    if position >= count - children[last].count { return (last, count - children[last].count) }
    var (child, itemsBefore) = (0, 0)
    while itemsBefore + children[child].count <= position {
      itemsBefore += children[child].count
      child += 1
    }
    return (child, itemsBefore)
  }

  // MARK: - Changes

  /// Changes the leaf that holds the item at a position below this node, or the last leaf for the position after the
  /// last item. The change may add at most one leaf's capacity of items. If the node becomes too large, it is split;
  /// returns the node that must follow it.
  mutating func update(at position: Int, _ side: Side, _ change: (inout LeafItems, _ offset: Int) -> Void) -> ItemNode?
  {
    var rest: ItemNode?
    if side == .end, let leaf, leaf.items.count == ItemLeaf.capacity {
      // A full leaf stays as it is; the items go to a new one.
      var items = LeafItems()
      change(&items, 0)
      return items.count > 0 ? ItemNode(items) : nil
    }
    if children.isEmpty {
      rest = changeLeaf { items in
        change(&items, position)
        guard items.count > ItemLeaf.capacity else { return nil }
        return ItemNode(items.split(at: side.cut(items.count, ItemLeaf.capacity)))
      }
    } else {
      let (child, itemsBefore) = child(at: position)
      if let rest = children[child].update(at: position - itemsBefore, side, change) {
        children.insert(rest, at: child + 1)
      } else {
        joinIfSmall(child)
      }
      if children.count > ItemNode.capacity {
        let cut = side.cut(children.count, ItemNode.capacity)
        rest = ItemNode(ContiguousArray(children[cut...]))
        children = ContiguousArray(children[..<cut])
      }
    }
    refresh()
    return rest
  }

  /// Changes the leaf in place, unless it has another owner.
  private mutating func changeLeaf<Result>(_ change: (inout LeafItems) -> Result) -> Result {
    if !isKnownUniquelyReferenced(&leaf) { leaf = ItemLeaf(leaf?.items ?? LeafItems()) }
    guard let leaf else { preconditionFailure("a leaf was made") }
    defer { leaf.items.tidy() }
    return change(&leaf.items)
  }

  private mutating func refresh() {
    if let leaf {
      (count, key) = (leaf.items.count, leaf.items.firstKey)
    } else {
      (count, key) = (0, children.isEmpty ? 0 : children[0].key)
      // A loop over the children themselves would copy each of them.
      for index in children.indices { count += children[index].count }
    }
  }

  /// How full the node is, in sixteenths of its capacity.
  private var fill: Int {
    let (count, capacity) = leaf.map { ($0.items.count, ItemLeaf.capacity) } ?? (children.count, ItemNode.capacity)
    return (count * 16 + capacity - 1) / capacity
  }

  /// Removes an empty child. Merges a small child with a neighbour that has room.
  private mutating func joinIfSmall(_ child: Int) {
    let fill = children[child].fill
    if fill == 0 { children.remove(at: child) }
    guard fill <= 4, fill > 0 else { return }
    for left in [child - 1, child] where left >= 0 && left + 1 < children.count {
      guard children[left].fill + children[left + 1].fill <= 12 else { continue }
      let right = children.remove(at: left + 1)
      return children[left].append(right)
    }
  }

  /// Adds everything below a node of the same height.
  private mutating func append(_ other: ItemNode) {
    if let leaf = other.leaf { changeLeaf { $0.append(leaf.items) } }
    children += other.children
    refresh()
  }
}

extension ItemNode.Side {
  /// The offset at which an oversized node is split.
  fileprivate func cut(_ count: Int, _ capacity: Int) -> Int {
    switch self {
    case .start: count - capacity
    case .middle: count / 2
    case .end: capacity
    }
  }
}
