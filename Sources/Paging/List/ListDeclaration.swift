internal import WireJSON

/// What an author declares of a list. It never changes, so all versions of the list share it.
final class ListDeclaration {
  let options: PagingOptions
  let source: SourceCapabilities
  /// How many rows a client holds on either side of those in sight; nil if it holds the whole list.
  let margin: Int?
  /// Whether a ``PagedList`` loads the list, and not the rules of an author.
  let isServed: Bool
  let insertions: InsertionRule

  init(
    _ options: PagingOptions, _ source: SourceCapabilities, margin: Int?, isServed: Bool,
    insertions: InsertionRule = InsertionRule()
  ) {
    (self.options, self.source, self.margin, self.isServed) = (options, source, margin, isServed)
    self.insertions = insertions
  }
}

/// How a list inserts items.
struct InsertionRule {
  /// Where it inserts items that no place is given for.
  var end = ListEnd.start
  /// What happens to an item if the source refuses it.
  var onFailure = OnFailedInsertion.remove
}

/// An end of a list.
public enum ListEnd: Sendable {
  /// Before the first row.
  case start
  /// Behind the last row.
  case end
}
