/// A leaf of the tree of items. Versions of a list share leaves: one that more than one of them holds is never changed.
final class ItemLeaf {
  /// The most items that a leaf holds.
  static let capacity = 64

  /// Not checked for overlapping accesses, of which there are none: each step changes one leaf, or reads some.
  @exclusivity(unchecked) private var run: LeafItems

  init(_ items: LeafItems) { unsafe run = items }

  var items: LeafItems {
    @inline(__always) _read { yield unsafe run }
    @inline(__always) _modify { yield unsafe &run }
  }
}
