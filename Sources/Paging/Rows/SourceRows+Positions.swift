internal import ItemList
internal import WireJSON

// The positions of rows, and the positions where items belong.

extension SourceRows {
  /// Converts the source's position of a row to a position in ``SourceRows/all``. The source doesn't count the user's
  /// insertions that it hasn't reported yet.
  func place(ofPosition position: Int) -> Int {
    inserted.compactMap(all.position).sorted()
      .reduce(max(0, position - arrivals.count)) { place, unreported in unreported <= place ? place + 1 : place }
  }

  /// How many more rows the source has before a loaded row than the list has: deferred rows, less insertions that the
  /// source hasn't reported. It can be negative.
  func uncounted(before row: Int) -> Int {
    arrivals.count - inserted.count { id in all.rows.index(of: id).map { $0 < row } ?? false }
  }

  /// Whether a changed row keeps its position in the order. The rows next to it don't decide: they may be the user's
  /// insertions, which aren't in order.
  func keepsPlace(_ item: ItemList.Item) -> Bool {
    guard let index = all.rows.index(ofRawID: item.rawID.span) else { return false }
    let old = all.rows[index]
    return !order.places(item, before: old) && !order.places(old, before: item)
  }

  /// The position of an item's place, if that is in an evicted page; nil otherwise.
  func unloadedPosition(of place: RowPlace, before row: Int, isHolding: Bool) -> Int? {
    guard let pageTable, all.isAfterUnloaded(row) else { return nil }
    switch place {
    case .ordered where order.isEmpty: return row == 0 && !isHolding && pageTable.beginsUnloaded ? 0 : nil
    case .ordered: return row > 0 || pageTable.beginsWithFirst ? all.position(ofRow: row) - 1 : nil
    case .end: return pageTable.endsUnloaded ? all.count - 1 : nil
    case .before, .after: return nil
    }
  }

  /// The position for an item among the deferred rows and the rows after them; nil if the place is outside of the
  /// loaded rows.
  ///
  /// A place next to an insertion that the source hasn't reported gives nil, because only the source knows where that
  /// item is.
  func position(of place: RowPlace, for item: ItemList.Item) -> Int? {
    switch place {
    case .ordered where order.isEmpty: return previous == nil ? 0 : nil
    case .ordered: return extent.excludes(item, by: order) ? nil : order.position(of: item, in: arrivals, all.rows)
    case .before(let id): return inserted.contains(id) ? nil : position(of: id)
    case .after(let id): return inserted.contains(id) ? nil : position(of: id).map { $0 + 1 }
    case .end: return next == nil ? arrivals.count + all.rows.count : nil
    }
  }

  func position(of id: ItemID) -> Int? {
    arrivals.index(of: id) ?? all.rows.index(of: id).map { $0 + arrivals.count }
  }

  /// The pages that can be evicted: each page's index, and the positions of its rows among the listed ones. A page with
  /// an edit that the source hasn't reported stays.
  var evictablePages: [(index: Int, range: Range<Int>)] {
    guard let pageTable else { return [] }
    let hidden = removed.compactMap(all.position)
    let unreported = hidden + inserted.compactMap(all.position)
    return zip(pageTable.pages, pageTable.ranges).enumerated().compactMap { index, page in
      let (page, range) = page
      guard page.isLoaded, page.hasKey, !range.isEmpty, !unreported.contains(where: range.contains) else { return nil }
      let hiddenBefore = hidden.count { $0 < range.lowerBound }
      return (index, range.lowerBound - hiddenBefore..<range.upperBound - hiddenBefore)
    }
  }
}
