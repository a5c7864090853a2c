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
