internal import ItemList

/// A page of a later state than the rows have reached. It is merged once the source's reports reach its state.
struct FuturePage {
  /// The most such pages of a list. Each reported change merges all of them again.
  static let most = 16
  /// The most edits on one page.
  static let mostEdits = 1000

  let state: String
  let page: LoadedPage
  let atEnd: Bool
  /// The edits that the list made alone since the page came. The source doesn't know them, so they are applied to the
  /// page as well.
  var edits: [(ListEdit, ItemList.Item?)] = []

  /// The approximate number of bytes in memory.
  var cost: Int { RowChange.ownCost + state.utf8.count + page.items.bytes.count }

  func add(to rows: inout SourceRows) {
    _ = rows.add(page, atEnd: atEnd)
    for (edit, item) in edits { rows.commit(edit, item, isLast: false) }
  }
}
