public import Nagare

/// The settings of a pager.
public struct PagerSettings {
  /// The list's next page is loaded when at most this many items follow the current one.
  public var prefetch = 0
  /// Whether rows are summaries. Then the pager loads the full current item, and those next to it.
  public var isWhole = false
  /// Loads one full item by its id, or fails with a `LoadFailure`; nil if there are only rows.
  public var item: ((ItemID) -> Observable<RawJSON>)?
  /// Receives the row that the pager shows, if the list has a window.
  var showing: Port<Showing>?

  /// The default settings.
  public init() {}
}
