import Paging

/// The window of a list in a test, and the capabilities of the list's source.
struct WindowSettings {
  var margin = 50
  var mostItems = 10_000
  var hasPositions = false
  var findsItems = false
}

extension Paged {
  /// Creates a list with a window.
  init(
    _ options: PagingOptions, window: WindowSettings?, writes: [EditKind] = [],
    order: [RowOrder] = []
  ) {
    var options = options
    if let window { options.mostItems = window.mostItems }
    let source = SourceCapabilities(
      writes: writes, order: order, positions: window?.hasPositions ?? false, around: window?.findsItems ?? false)
    self.init(options, source: source, margin: window?.margin)
  }
}
