public import Nagare
public import Paging

/// How a list behaves: the part of a screen's definition that its view model reads.
public struct ListSettings {
  /// The member of an item that is its id.
  public var id = "id"
  /// How its list behaves.
  public var options = PagingOptions()
  /// What is looked for at first; empty for everything.
  public var query = ""
  /// What is looked for from then on, such as a store's value; nil if that stays as it is.
  public var queries: Driver<WireText>?
  /// What the items are filtered and sorted by; nothing can be where there are none.
  public var filters: [FilterSetting] = []
  /// How many rows a client holds on either side of those in sight; nil if it holds all that is loaded.
  public var margin: Int?
  /// The screen that `select` opens; nil if it opens none.
  public var detail: String?
  /// Whether that asks for whole items, because rows are summaries.
  public var isDetailWhole = false

  /// The usual settings.
  public init() {}

  /// How a pager of the list behaves. Whole items come from the list's own source, if that has them.
  func pager(_ settings: PagerSettings, _ source: Source<RawJSON>) -> PagerSettings {
    var settings = settings
    settings.prefetch = options.prefetch
    if source.capabilities.items { settings.item = source.loadItem }
    return settings
  }
}
