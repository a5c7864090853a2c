/// How a list behaves: the part of a screen's definition that its view model reads.
public struct ListSettings: Sendable {
  /// The member of an item that is its id.
  public var id = "id"
  /// How many items a page has.
  public var pageSize = 20
  /// How long after one `reachBottom` that passed the next are dropped; likewise for `loadMore`.
  public var throttle = Duration.seconds(1)
  /// What becomes of the items when a refresh begins.
  public var onRefresh = ListState.OnRefresh.clear
  /// The screen that `select` opens; nil if it opens none.
  public var detail: String?

  /// The usual settings.
  public init() {}
}
