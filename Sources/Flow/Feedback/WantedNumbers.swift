/// The numbers of the runs that an ``Effect`` wants, each a ``UniqueNumber``.
@frozen
public enum WantedNumbers: Sendable {
  /// No runs.
  case none
  /// One run.
  case one(Int)
  /// Any number of runs, in ascending order.
  case ascending([Int])
  /// So many runs that they aren't listed. ``Effect/wantedNumber(after:)`` returns them one by one. Comparing their sum
  /// with that of the current runs shows in constant time whether they are the same. Runs up to the number `after` were
  /// cancelled.
  case each(after: Int = 0, sum: RunSum)
}
