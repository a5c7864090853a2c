/// The numbers of the runs that some ``Effect`` wants, each a ``UniqueNumber``.
@frozen
public enum WantedNumbers: Sendable {
  /// None.
  case none
  /// One.
  case one(Int)
  /// Any number of them, from the smallest to the largest.
  case ascending([Int])
  /// So many that they aren't listed: ``Effect/wantedNumber(after:)`` gives them. Their sum shows in constant time whether
  /// they are those that run. Runs up to the number `after` were cancelled.
  case each(after: Int = 0, sum: RunSum)
}
