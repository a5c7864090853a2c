public import Nagare
public import Paging

/// How a list behaves: the part of a screen's definition that its view model reads.
public struct ListSettings {
  /// The member of an item that is its id.
  public var id = "id"
  /// How many items a page has.
  public var pageSize = 20
  /// What is looked for at first; empty for everything.
  public var query = ""
  /// What is looked for from then on, such as a store's value; nil if that stays as it is.
  public var queries: Driver<WireText>?
  /// What the items are filtered and sorted by; nothing can be where there are none.
  public var filters: [FilterSetting] = []
  /// The minimum interval between accepted `reachBottom`s; likewise for `loadMore` and `reachTop`.
  public var throttle = Duration.seconds(1)
  /// What becomes of the items when a refresh begins.
  public var onRefresh = OnRefresh.clear
  /// How many items before the end a `select`, `swipe` or `viewport` already asks for the next page.
  public var prefetch = 0
  /// What the user is asked before an item is removed; nil if nothing is asked.
  public var confirmRemoval: String?
  /// What becomes of items that a live source lists before the first one.
  public var onArrival = OnArrival.show
  /// Whether items can be marked, to be edited together.
  public var hasMarks = false
  /// By what its items are put into sections; nil if they aren't.
  public var sections: SectionRule?
  /// How much of the list a client holds; nil for all that is loaded. What its source can do is said by that.
  public var window: WindowSettings?
  /// The shortest time between two notifications of changes that a live source reports.
  public var livePace = Duration.milliseconds(100)
  /// The screen that `select` opens; nil if it opens none.
  public var detail: String?
  /// Whether that asks for whole items, because rows are summaries.
  public var isDetailWhole = false

  /// The usual settings.
  public init() {}

  /// The window on a source, which says what that can do.
  func window(on source: ListSource) -> WindowSettings? {
    guard var window else { return nil }
    (window.hasPositions, window.findsItems) = (source.hasPositions, source.findsItems)
    return window
  }

  /// How a pager of the list behaves. Whole items come from the list's own source, if that has them.
  func pager(_ settings: PagerSettings, _ source: ListSource) -> PagerSettings {
    var settings = settings
    settings.prefetch = prefetch
    settings.item = source.item ?? settings.item
    return settings
  }
}
