public import WireJSON

/// The reason why a load of a list begins.
public enum LoadTrigger: String, JSONStringEnum, Sendable {
  /// The view appeared for the first time.
  case appear
  /// The user reached the end of the list.
  case reachBottom
  /// More items are needed elsewhere, for example in a pager.
  case loadMore
  /// The user reached the start of the list.
  case reachTop
  /// The user refreshed the list.
  case refresh
  /// The query changed.
  case search
  /// The filters or the order changed.
  case filter
  /// A failed load is tried again.
  case retry
  /// The source changed in an unknown way, so the rows in sight reload.
  case invalidated
  /// Rows that aren't loaded came into sight, or near it.
  case viewport
  /// The user jumped to another part of the list.
  case jump
}

/// The progress of a list's newest load.
public enum LoadPhase: String, JSONStringEnum, Sendable {
  /// No load has begun.
  case nothing
  /// The load is running.
  case requesting
  /// The page has loaded, and there is a next page.
  case requestFinished
  /// The page has loaded, and it was the last one.
  case reachedBottom
  /// The load has failed.
  case failed
}

/// What happens to a list's items when its first page is loaded again.
public enum OnRefresh: String, JSONStringEnum, Sendable {
  /// The items are removed at once.
  case clear
  /// The items stay until the first page has loaded, and are then replaced.
  case keep
  /// The items stay until all pages up to the last row in sight have loaded again.
  case revalidate
}

/// What happens to arrivals: new items that the source has before the list's first row.
public enum OnArrival: String, JSONStringEnum, Sendable {
  /// Arrivals are listed at once.
  case show
  /// Arrivals are deferred while the first row isn't in sight.
  case `defer`
  /// Arrivals are deferred until the user wants to see them.
  case ask
}
