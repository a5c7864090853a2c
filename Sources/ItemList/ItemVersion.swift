/// The contents of a list. Copies of the list share it until one of them changes.
final class ItemVersion {
  /// Run-time checks for overlapping accesses are off, because code that changes a leaf never accesses the tree.
  @exclusivity(unchecked) private var tree: ItemNode
  let index: ItemIndex
  /// The version's index in ``ItemIndex``.
  var place = 0

  init(_ root: ItemNode = ItemNode(), _ index: ItemIndex) {
    unsafe tree = root
    self.index = index
    place = index.add(self)
  }

  private(set) var root: ItemNode {
    @inline(__always) _read { yield unsafe tree }
    @inline(__always) _modify { yield unsafe &tree }
  }

  deinit { index.remove(at: place) }

  /// Changes the leaf that holds the item at a position, or the last leaf for the position after the last item.
  func update(at position: Int, _ change: (inout LeafItems, _ offset: Int) -> Void) {
    let side: ItemNode.Side = position == root.count ? .end : position == 0 ? .start : .middle
    if let rest = root.update(at: position, side, change) { root = ItemNode([root, rest]) }
    while root.children.count == 1 { root = root.children[0] }
  }
}
