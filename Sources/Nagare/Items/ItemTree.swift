/// The items of one version of a list: a tree of leaves, and the last leaf on its own, so that adding small pages
/// copies no branches until that leaf is full.
struct ItemTree {
  /// All leaves but the last, if there are any.
  private(set) var root: ItemNode?
  /// The last leaf; nil only where there are no items.
  private(set) var tail: ItemNode?

  init() {}

  /// Builds a tree over leaves.
  init(_ leaves: ContiguousArray<ItemNode>) {
    root = .root(above: ContiguousArray(leaves.dropLast()), packed: true)
    tail = leaves.last
  }

  var count: Int { (root?.count ?? 0) + (tail?.count ?? 0) }

  func isIdentical(to other: ItemTree) -> Bool {
    func isIdentical(_ first: ItemNode?, _ second: ItemNode?) -> Bool {
      guard let first, let second else { return first == nil && second == nil }
      return first.isIdentical(to: second)
    }
    return isIdentical(root, other.root) && isIdentical(tail, other.tail)
  }

  // MARK: - Looking for leaves

  /// The leaf with a label.
  func place(label: Int64) -> ItemLeafPlace? {
    guard let tail else { return nil }
    let start = root?.count ?? 0
    let place = tail.label <= label ? tail.place(start: start) : root?.place(label: label, nextLabel: tail.label)
    return place?.label == label ? place : nil
  }

  /// The leaf that holds the item at a position; the last one for a position at the end; nil in an empty tree.
  func place(position: Int) -> ItemLeafPlace? {
    guard let root, position < root.count else { return tail?.place(start: root?.count ?? 0) }
    return root.place(position: position, nextLabel: tail?.label)
  }

  /// The first leaf, or the last.
  func edge(atEnd: Bool) -> ItemLeafPlace? { place(position: atEnd ? count : 0) }

  // MARK: - Changes

  /// Puts another leaf in the place of one, on one way down the tree.
  ///
  /// - Parameters:
  ///   - label: The label of the leaf that goes. Where there is none, nothing changes.
  ///   - change: Makes the other leaf, or nil for none, of the leaf and the position of its first item.
  mutating func change(leafAt label: Int64, _ change: (_ leaf: ItemLeaf, _ start: Int) -> ItemLeaf?) {
    if let tail, tail.label <= label {
      self.tail = tail.changing(leafAt: label, start: root?.count ?? 0, change) ?? tail
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
    guard tail?.label == label else {
      root = root.flatMap { .root(above: $0.replacing(leafAt: label, with: leaves), packed: false) }
      return
    }
    for leaf in leaves.dropLast() { push(leaf) }
    tail = leaves.last
    guard tail == nil, let root else { return }
    tail = root.lastLeaf
    self.root = .root(above: root.replacing(leafAt: root.lastLeaf.label, with: []), packed: false)
  }

  /// Adds a leaf at the end of the root.
  private mutating func push(_ leaf: ItemNode) {
    guard let root else { return self.root = leaf }
    let (node, rest) = root.appending(leaf)
    self.root = rest.map { ItemNode(branch: [node, $0]) } ?? node
  }
}
