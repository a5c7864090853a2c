/// What has become of all the work that a call of an input has begun.
public enum Outcome: String, Sendable, Comparable, CaseIterable {
  /// It has begun no work.
  case nothing
  /// All of its work has finished.
  case finished
  /// Something newer has taken the place of some of its work, or nobody wants it any more.
  case dropped
  /// Some of its work has failed.
  case failed

  /// Whether another outcome counts more, where a call has both.
  public static func < (left: Outcome, right: Outcome) -> Bool { left.rank < right.rank }

  private var rank: Int {
    switch self {
    case .nothing: 0
    case .finished: 1
    case .dropped: 2
    case .failed: 3
    }
  }
}
