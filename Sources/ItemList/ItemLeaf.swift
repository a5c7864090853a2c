/// A leaf of the tree of items. Versions of a list share leaves. A leaf with several owners is never changed.
final class ItemLeaf {
  /// The most items in a leaf.
  static let capacity = 64

  /// Run-time checks for overlapping accesses are off. Such accesses don't occur, because each operation either changes
  /// one leaf or reads some.
  @exclusivity(unchecked) private var run: LeafItems

  init(_ items: LeafItems) { unsafe run = items }

  var items: LeafItems {
    @inline(__always) _read { yield unsafe run }
    @inline(__always) _modify { yield unsafe &run }
  }
}
