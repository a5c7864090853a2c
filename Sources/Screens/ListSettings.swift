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
  /// The minimum interval between accepted `reachBottom`s; likewise for `loadMore` and `reachTop`.
  public var throttle = Duration.seconds(1)
  /// What becomes of the items when a refresh begins.
  public var onRefresh = OnRefresh.clear
  /// How many items before the end a `select`, `swipe` or `viewport` already asks for the next page.
  public var prefetch = 0
  /// What the user is asked before an item is removed; nil if nothing is asked.
  public var confirmRemoval: String?
  /// The screen that `select` opens; nil if it opens none.
  public var detail: String?

  /// The usual settings.
  public init() {}
}
