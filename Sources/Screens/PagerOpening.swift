package import Nagare

/// The outputs of what has pagers.
package protocol PagerOpening {
  /// Makes a pager on an item, listed or not; nil if it is neither listed nor to be had.
  func pager(on id: ItemID, _ settings: PagerSettings) -> Pager?
}

extension List.Output: PagerOpening {}

extension Search.Output: PagerOpening {
  package func pager(on id: ItemID, _ settings: PagerSettings) -> Pager? { list.pager(on: id, settings) }
}
