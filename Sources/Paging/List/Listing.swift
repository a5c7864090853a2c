public import Flow
public import ItemList

/// The rows of a ``Paged``, and whether its source has more.
public struct Listing: Versioned {
  /// The rows, loaded or not.
  public let list: SparseList
  /// Whether the source has a page after the rows.
  public let hasMore: Bool
  /// How many items were removed by edits. Items that disappear because of a page or a reported change don't count.
  public let removals: Int
  /// The ids that the source gave to items.
  private let ids: SourceIDs

  init(list: SparseList, hasMore: Bool, removals: Int, ids: SourceIDs = SourceIDs()) {
    (self.list, self.hasMore, self.removals, self.ids) = (list, hasMore, removals, ids)
  }

  /// The current id of an item, if the source gave it another id than the list had sent. If a row has exactly this id,
  /// the id refers to that row.
  public func currentID(of id: ItemID) -> ItemID { ids.isEmpty || list.position(of: id) != nil ? id : ids[id] }

  /// Whether two listings are the same version.
  public func isSameVersion(as other: Listing) -> Bool {
    hasMore == other.hasMore && list.isIdentical(to: other.list)
  }
}
