public import WireJSON

/// What makes a load of a list begin.
public enum LoadTrigger: String, JSONStringEnum, Sendable {
  /// The view came into sight for the first time.
  case appear
  /// The end of the list came into sight.
  case reachBottom
  /// More was asked for from another place, such as a pager.
  case loadMore
  /// The start of the list came into sight.
  case reachTop
  /// The list is to be loaded again.
  case refresh
  /// Something else is looked for.
  case search
  /// The items are filtered or sorted otherwise.
  case filter
  /// A failed load is to be tried again.
  case retry
  /// The source can't tell how it has changed: what is in sight is read again.
  case invalidated
  /// Rows came into sight, or near, that aren't read.
  case viewport
  /// The user has gone to another part of the list.
  case jump
}

/// How far the newest load of a list has come.
public enum LoadPhase: String, JSONStringEnum, Sendable {
  /// No load has begun.
  case nothing
  /// An answer is awaited.
  case requesting
  /// A page has come, and there is another.
  case requestFinished
  /// A page has come, and it was the last.
  case reachedBottom
  /// No page has come.
  case failed
}

/// What becomes of a list's items when its first page is loaded again.
public enum OnRefresh: String, JSONStringEnum, Sendable {
  /// They go at once.
  case clear
  /// They stay until the answer has come.
  case keep
  /// They stay until the pages that hold them, as far as the last row in sight, have come again.
  case revalidate
}

/// What becomes of items that would come to stand before a list's first one, because its source says so.
public enum OnArrival: String, JSONStringEnum, Sendable {
  /// They are listed.
  case show
  /// They are held back while the first row isn't in sight.
  case hold
  /// They are held back until they are asked for.
  case ask
}
