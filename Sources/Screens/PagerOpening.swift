package import Nagare

/// Outputs of a view model that can open pagers.
package protocol PagerOpening {
  /// Creates a pager on an item. Nil if the item is neither listed nor loadable.
  func pager(on id: ItemID, _ settings: PagerSettings) -> Pager?
}

extension List.Output: PagerOpening {}

extension Search.Output: PagerOpening {
  package func pager(on id: ItemID, _ settings: PagerSettings) -> Pager? { list.pager(on: id, settings) }
}
