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
  /// The ids that the source gave items.
  private let ids: SourceIDs

  init(list: SparseList, hasMore: Bool, removals: Int, ids: SourceIDs = SourceIDs()) {
    (self.list, self.hasMore, self.removals, self.ids) = (list, hasMore, removals, ids)
  }

  /// The id that an item has now, if the source gave it another one than that with which it was sent. A row that has this id
  /// is meant by it.
  public func currentID(of id: ItemID) -> ItemID { ids.isEmpty || list.position(of: id) != nil ? id : ids[id] }

  /// Whether two are the same version.
  public func isSameVersion(as other: Listing) -> Bool {
    hasMore == other.hasMore && list.isIdentical(to: other.list)
  }
}
