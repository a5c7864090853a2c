internal import ItemList

/// A page of a state that the rows haven't reached.
struct FuturePage {
  let state: String
  let page: LoadedPage
  let atEnd: Bool
  /// The edits that the list alone made since it came: the source doesn't know them, so they lie on the page as well.
  var edits: [(ListEdit, ItemList.Item?)] = []

  func add(to rows: inout SourceRows) {
    _ = rows.add(page, atEnd: atEnd)
    for (edit, item) in edits { rows.commit(edit, item, isLast: false) }
  }
}
