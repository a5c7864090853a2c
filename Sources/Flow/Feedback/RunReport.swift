/// What a run reports before it is over.
public enum RunReport: Hashable, Sendable {
  /// It is tried once more, as a load may be after a failure: what it gives is as new as that.
  case retried
  /// It takes long, and has come so far.
  case progress(LoadProgress)
}

/// How far a load has come that takes long.
public struct LoadProgress: Hashable, Sendable {
  /// How much is done.
  public var done: Int
  /// Of how much; nil where nobody knows.
  public var total: Int?
  /// What is counted, such as `bytes`; nil if the source doesn't say.
  public var unit: String?

  /// So much is done.
  public init(done: Int, of total: Int? = nil, unit: String? = nil) {
    (self.done, self.total, self.unit) = (done, total, unit)
  }
}
