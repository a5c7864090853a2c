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

  /// For how long removals and edits of marked items can be undone; nil if they can't.
  var removalUndo: Milliseconds? { options.undo.flatMap { $0.count > 0 ? $0 : nil } }
  /// For how long a change of one item can be undone; nil if it can't.
  var changeUndo: Milliseconds? { rules.changeUndo.flatMap { $0.count > 0 ? $0 : nil } }
}
