public import Nagare

/// How a pager behaves.
public struct PagerSettings {
  /// How many items before the last one it asks the list for more already.
  public var prefetch = 0
  /// Whether rows are summaries, so that the item that is shown is asked for, and those beside it.
  public var isWhole = false
  /// Gives one whole item by its id, or fails with a `LoadFailure`; nil if there are just rows.
  public var item: ((ItemID) -> Observable<RawJSON>)?
  /// Takes the row that is shown, of a list that is seen through a window.
  var showing: Port<Showing>?

  /// The usual settings.
  public init() {}
}
