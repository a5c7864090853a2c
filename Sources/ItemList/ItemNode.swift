/// A node of the tree of items: a leaf, or a branch over nodes of one height.
///
/// Nodes are values whose contents lie apart, so versions of a list share them. A change goes down to one leaf; what it
/// meets that another version shares is copied, and what it alone has is changed where it lies. So of many changes between
/// two snapshots only the first at each place copies anything.
struct ItemNode {
  /// The most children that a branch has.
  static let capacity = 8

  /// Of a branch; none of a leaf.
  private(set) var children: ContiguousArray<ItemNode> = []
  /// Of a leaf; nil of a branch, and of the tree without items.
  private(set) var leaf: ItemLeaf?
  /// How many items there are beneath it.
  private(set) var count = 0
  /// The key of the first of them.
  private(set) var key: Int64 = 0

  /// Where a change is, which says how full nodes are made: those at an end, where more will come, are not halved.
  enum Side { case start, middle, end }

  /// The tree without items.
  init() {}

  /// Joins nodes of one height.
  init(_ children: ContiguousArray<ItemNode>) {
    self.children = children
    refresh()
  }

  private init(_ items: LeafItems) {
    leaf = ItemLeaf(items)
    leaf?.items.tidy()
    refresh()
  }

  /// The branches between this node and its leaves, itself included.
  var height: Int { children.isEmpty ? 0 : children[0].height + 1 }

  /// Whether this is the very same node as another, and so all beneath it.
  @inline(__always)
  func isIdentical(to other: ItemNode) -> Bool {
    leaf === other.leaf && count == other.count && children.span.isIdentical(to: other.children.span)
  }

  // MARK: - Looking for leaves

  /// A leaf, and the position of its first item in the list.
  typealias LeafPosition = (leaf: ItemLeaf, start: Int)

  /// The leaf that holds the item at a position beneath this node, the last one for a position at the end; nil where there is
  /// no item. The node begins at `start` in the list.
  func place(at position: Int, start: Int = 0) -> LeafPosition? {
    guard !children.isEmpty else { return leaf.map { ($0, start) } }
    let (child, itemsBefore) = child(at: position)
    return children[child].place(at: position - itemsBefore, start: start + itemsBefore)
  }

  /// The leaf in which the item with a key is, if it is beneath this node.
  func place(ofKey key: Int64, start: Int = 0) -> LeafPosition? {
    guard !children.isEmpty else { return leaf.map { ($0, start) } }
    var (child, start) = (0, start)
    while child + 1 < children.count, children[child + 1].key <= key {
      start += children[child].count
      child += 1
    }
    return children[child].place(ofKey: key, start: start)
  }

  /// The child that holds the item at a position, or the last one, and how many items come before it.
  @inline(__always)
  private func child(at position: Int) -> (child: Int, itemsBefore: Int) {
    // Most pages come at the end.
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

  /// Changes the leaf that holds the item at a position beneath this node, the last one for a position at the end, by the
  /// capacity of one at most; gives what goes after this node, if it came to be too much for one.
  mutating func update(at position: Int, _ side: Side, _ change: (inout LeafItems, _ offset: Int) -> Void) -> ItemNode?
  {
    var rest: ItemNode?
    if side == .end, let leaf, leaf.items.count == ItemLeaf.capacity {
      // What is full stays as it is.
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

  /// Changes the leaf where it lies, if nothing else holds it.
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

  /// How full it is: how many sixteenths of its capacity are taken.
  private var fill: Int {
    let (count, capacity) = leaf.map { ($0.items.count, ItemLeaf.capacity) } ?? (children.count, ItemNode.capacity)
    return (count * 16 + capacity - 1) / capacity
  }

  /// Takes a child out that is empty; joins one that has become small with a neighbour that has room.
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

  /// Takes over all that is beneath a node of the same height.
  private mutating func append(_ other: ItemNode) {
    if let leaf = other.leaf { changeLeaf { $0.append(leaf.items) } }
    children += other.children
    refresh()
  }
}

extension ItemNode.Side {
  /// Where a node is split that has come to hold too much.
  fileprivate func cut(_ count: Int, _ capacity: Int) -> Int {
    switch self {
    case .start: count - capacity
    case .middle: count / 2
    case .end: capacity
    }
  }
}
