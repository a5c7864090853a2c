internal import WireJSON

/// The fixed settings of a list. They never change, so all versions of the list share one object.
final class ListDeclaration {
  let options: PagingOptions
  let source: SourceCapabilities
  /// How many rows a client holds on either side of the viewport; nil if it holds the whole list.
  let margin: Int?
  /// Whether a ``PagedList`` loads the list, rather than an app's own code.
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
