internal import ItemList

/// A page of a state that the rows haven't reached.
struct FuturePage {
  /// How many there are at most. Each change has all of them merged again.
  static let most = 16
  /// How many edits lie on one at most.
  static let mostEdits = 1000

  let state: String
  let page: LoadedPage
  let atEnd: Bool
  /// The edits that the list alone made since it came: the source doesn't know them, so they lie on the page as well.
  var edits: [(ListEdit, ItemList.Item?)] = []

  /// Roughly how many bytes it takes.
  var cost: Int { RowChange.ownCost + state.utf8.count + page.items.bytes.count }

  func add(to rows: inout SourceRows) {
    _ = rows.add(page, atEnd: atEnd)
    for (edit, item) in edits { rows.commit(edit, item, isLast: false) }
  }
}
