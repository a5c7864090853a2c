internal import ItemList

/// The rows of a list with a window that stay loaded wherever the window is.
struct KeptRows {
  /// The rows that pagers show, as long as the pagers exist. The rows next to them stay loaded too.
  private var shown: [(pager: WeakReference, row: ShownRow)] = []
  /// The rows that were changed in the list but not in its source. Loading their pages again would lose the changes.
  private var own: Set<ItemID> = []

  /// Keeps the row that a pager shows. It replaces the row that the pager showed before.
  mutating func show(_ row: ShownRow?, for pager: AnyObject) {
    shown.removeAll { $0.pager.object == nil || $0.pager.object === pager }
    if let row { shown.append((WeakReference(object: pager), row)) }
  }

  /// Keeps a row that was changed in the list.
  mutating func keep(_ id: ItemID) { own.insert(id) }

  /// Gives an item another id.
  mutating func rename(_ old: ItemID, to new: ItemID) {
    if own.remove(old) != nil { own.insert(new) }
    for index in shown.indices where shown[index].row.item == old {
      shown[index].row = ShownRow(new, distance: shown[index].row.distance)
    }
  }

  /// The positions of the kept rows in a list.
  func positions(in list: SparseList) -> [Range<Int>] {
    own.compactMap(list.position).map { $0..<$0 + 1 }
      + shownPositions(in: list).flatMap { item, shown in
        [item..<item + 1, (shown - 1..<shown + 2).clamped(to: 0..<list.count)]
      }
  }

  /// The position after the last row that a pager shows, even if it is beyond the end of the list; 0 if there is none.
  func end(in list: SparseList) -> Int { shownPositions(in: list).reduce(0) { max($0, $1.shown + 1) } }

  private func shownPositions(in list: SparseList) -> [(item: Int, shown: Int)] {
    shown.compactMap { pager, row in
      guard pager.object != nil, let item = list.position(of: row.item) else { return nil }
      return (item, item + row.distance)
    }
  }
}

/// A weak reference to an object.
private struct WeakReference {
  weak var object: AnyObject?
}
