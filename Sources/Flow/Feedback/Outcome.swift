/// The combined outcome of all work that a call of an input has begun.
public enum Outcome: String, Sendable, Comparable, CaseIterable {
  /// The call has begun no work.
  case nothing
  /// All work has finished.
  case finished
  /// Some work was dropped, because newer work replaced it or it was no longer wanted.
  case dropped
  /// Some work has failed.
  case failed

  /// Orders outcomes. If a call has several outcomes, the greatest is reported.
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
