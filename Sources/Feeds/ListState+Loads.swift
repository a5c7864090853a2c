public import Nagare

extension ListState {
  /// What becomes of the items when a refresh begins.
  public enum OnRefresh: String, JSONStringEnum, Sendable {
    /// They go at once.
    case clear
    /// They stay until the answer has come.
    case keep
  }

  /// What made a load begin.
  public enum Trigger: String, JSONStringEnum, Sendable {
    /// The view came into sight for the first time.
    case appear
    /// The end of the list came into sight.
    case reachBottom
    /// More was asked for from another place, such as a pager.
    case loadMore
    /// The start of the list came into sight.
    case reachTop
    /// The list is to be loaded afresh.
    case refresh
    /// Something else is looked for.
    case search
    /// A failed load is to be tried again.
    case retry
  }

  /// How far the newest load has come.
  public enum Phase: String, JSONStringEnum, Sendable {
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

  /// Where a page belongs.
  public enum Place: Sendable {
    /// In the place of whatever is listed.
    case first
    /// After it, under a key that the page before has named.
    case after(RawJSON)
    /// Before it, under a key that the page after has named.
    case before(RawJSON)
  }

  /// A load of one page.
  public struct Load: Equatable, Sendable {
    /// Which of the list's loads it is, counted from 1: an answer to any but the newest comes too late.
    public let number: Int
    /// What made it begin.
    public let trigger: Trigger
    /// Where its page belongs.
    public let place: Place
    /// What is looked for; empty for everything.
    public let query: String

    /// Whether two are the same load.
    public static func == (left: Load, right: Load) -> Bool { left.number == right.number }

    /// What to ask the source for.
    ///
    /// - Parameter size: how many items a page should have.
    /// - Returns: the request.
    public func request(size: Int) -> PageRequest {
      let key: RawJSON? =
        switch place {
        case .first: nil
        case .after(let key), .before(let key): key
        }
      return PageRequest(key: key, query: query.isEmpty ? nil : query, size: size)
    }
  }
}

extension ListState.Place {
  /// Whether it is the first page.
  var isFirst: Bool { if case .first = self { true } else { false } }
}
