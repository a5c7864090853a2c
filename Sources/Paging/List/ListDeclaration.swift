internal import WireJSON

/// What an author declares of a list. It never changes, so all versions of the list share it.
final class ListDeclaration {
  let options: PagingOptions
  let source: SourceCapabilities
  /// How many rows a client holds on either side of those in sight; nil if it holds the whole list.
  let margin: Int?
  /// Whether a ``PagedList`` loads the list, and not the rules of an author.
  let isServed: Bool
  let rules: EditRules

  init(
    _ options: PagingOptions, _ source: SourceCapabilities, margin: Int?, isServed: Bool,
    rules: EditRules = EditRules()
  ) {
    (self.options, self.source, self.margin, self.isServed) = (options, source, margin, isServed)
    self.rules = rules
  }
}
