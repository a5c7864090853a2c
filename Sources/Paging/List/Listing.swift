public import Flow
public import ItemList

/// What a ``Paged`` lists, and whether its source has more.
public struct Listing: Versioned {
  /// The rows, read or not.
  public let list: SparseList
  /// Whether the source has a page after them.
  public let hasMore: Bool
  /// How many items were removed; others go because what came doesn't hold them.
  public let removals: Int

  /// Whether two are the same version.
  public func isSameVersion(as other: Listing) -> Bool {
    hasMore == other.hasMore && list.isIdentical(to: other.list)
  }
}
