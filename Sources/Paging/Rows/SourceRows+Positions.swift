internal import ItemList
internal import WireJSON

// Where rows are, and where items belong.

extension SourceRows {
  /// Where a row stands among all, whose source doesn't count what it has taken and not reported.
  func place(ofPosition position: Int) -> Int {
    inserted.compactMap(all.position).sorted()
      .reduce(max(0, position - arrivals.count)) { place, unreported in unreported <= place ? place + 1 : place }
  }

  /// How many rows the source has before one that is read, but for those that are read; fewer than none if less than
  /// zero.
  func uncounted(before row: Int) -> Int {
    arrivals.count - inserted.count { id in all.rows.index(of: id).map { $0 < row } ?? false }
  }

  /// Whether a read row's place by the order is what it was. The user may have put other rows beside it that aren't in order.
  func keepsPlace(_ item: ItemList.Item) -> Bool {
    guard let index = all.rows.index(ofRawID: item.rawID.span) else { return false }
    let old = all.rows[index]
    return !order.places(item, before: old) && !order.places(old, before: item)
  }

  /// Where a place is that lies in a page that was let go.
  func unreadPosition(of place: RowPlace, before row: Int, isHolding: Bool) -> Int? {
    guard let pageTable, all.isAfterUnread(row) else { return nil }
    switch place {
    case .ordered where order.isEmpty: return row == 0 && !isHolding && pageTable.beginsUnread ? 0 : nil
    case .ordered: return row > 0 || pageTable.beginsWithFirst ? all.position(ofRow: row) - 1 : nil
    case .end: return pageTable.endsUnread ? all.count - 1 : nil
    case .before, .after: return nil
    }
  }

  /// A position among the arrivals and the rows behind them; nil outside of what is loaded. Where an item stands that the
  /// source hasn't reported, only the source knows, so it is a place for nothing.
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

  /// The places of the pages that can be let go, and the positions of their rows among those that are listed. One that holds
  /// what the source has taken and not reported stays.
  var evictablePages: [(index: Int, range: Range<Int>)] {
    guard let pageTable else { return [] }
    let hidden = removed.compactMap(all.position)
    let unreported = hidden + inserted.compactMap(all.position)
    return zip(pageTable.pages, pageTable.ranges).enumerated().compactMap { index, page in
      let (page, range) = page
      guard page.isRead, page.hasKey, !range.isEmpty, !unreported.contains(where: range.contains) else { return nil }
      let hiddenBefore = hidden.count { $0 < range.lowerBound }
      return (index, range.lowerBound - hiddenBefore..<range.upperBound - hiddenBefore)
    }
  }
}
