/// A leaf of the tree of items. Versions of a list share leaves: one that more than one of them holds is never changed.
final class ItemLeaf {
  /// The most items that a leaf holds.
  static let capacity = 64

  /// Not checked for overlapping accesses, of which there are none: each step changes one leaf, or reads some.
  @exclusivity(unchecked) private var run: ItemRun

  init(_ items: ItemRun) { unsafe run = items }

  var items: ItemRun {
    @inline(__always) _read { yield unsafe run }
    @inline(__always) _modify { yield unsafe &run }
  }
}
