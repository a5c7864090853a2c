internal import ItemList

/// The rows of a windowed list that stay read wherever the window is.
struct KeptRows {
  /// The rows that pagers show, as long as these exist. The rows beside them stay, too.
  private var shown: [(pager: WeakReference, row: ShownRow)] = []
  /// The rows that were changed in the list and not in its source: no page would bring them as they are.
  private var own: Set<ItemID> = []

  /// Keeps the row that a pager shows, in place of the row that it showed before.
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

  /// The positions of the rows in a list.
  func positions(in list: SparseList) -> [Range<Int>] {
    own.compactMap(list.position).map { $0..<$0 + 1 }
      + shownPositions(in: list).flatMap { item, shown in
        [item..<item + 1, (shown - 1..<shown + 2).clamped(to: 0..<list.count)]
      }
  }

  /// The end of the last row that is shown, even if the list doesn't reach it; 0 if none is.
  func end(in list: SparseList) -> Int { shownPositions(in: list).reduce(0) { max($0, $1.shown + 1) } }

  private func shownPositions(in list: SparseList) -> [(item: Int, shown: Int)] {
    shown.compactMap { pager, row in
      guard pager.object != nil, let item = list.position(of: row.item) else { return nil }
      return (item, item + row.distance)
    }
  }
}

/// A reference to an object that may be gone.
private struct WeakReference {
  weak var object: AnyObject?
}
