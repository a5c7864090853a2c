public import Nagare
public import Paging

/// The settings of a list, from its screen's definition.
public struct ListSettings {
  /// The name of the field that is the items' id.
  public var id = "id"
  /// The options for pages, edits and marks.
  public var options = PagingOptions()
  /// The first query; empty for all items.
  public var query = ""
  /// The later queries, for example the value of a store; nil if only inputs change the query.
  public var queries: Driver<WireText>?
  /// The filters and the order of the items. If it is empty, the list can't be filtered.
  public var filters: [FilterSetting] = []
  /// The number of rows that a client's window has on either side of the viewport; nil if the client holds all loaded
  /// rows.
  public var margin: Int?
  /// The name of the screen that `select` opens; nil if it opens none.
  public var detail: String?
  /// Whether the opened pager requests full items, because rows are summaries.
  public var isDetailWhole = false

  /// The default settings.
  public init() {}

  /// Returns the settings of a pager on this list. Full items come from the list's source, if it provides them.
  func pager(_ settings: PagerSettings, _ source: Source<RawJSON>) -> PagerSettings {
    var settings = settings
    settings.prefetch = options.prefetch
    if source.capabilities.items { settings.item = source.loadItem }
    return settings
  }
}
