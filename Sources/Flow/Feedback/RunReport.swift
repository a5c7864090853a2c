/// A report of a run before its end.
public enum RunReport: Hashable, Sendable {
  /// The run is retried, as a load may be after a failure. Its response is as recent as the retry.
  case retried
  /// The progress of a run that takes long.
  case progress(LoadProgress)
}

/// The progress of a load that takes long.
public struct LoadProgress: Hashable, Sendable {
  /// The amount done so far.
  public var done: Int
  /// The total amount; nil if it is unknown.
  public var total: Int?
  /// The unit of the amounts, such as `bytes`; nil if the source doesn't report one.
  public var unit: String?

  /// Makes a progress report.
  public init(done: Int, of total: Int? = nil, unit: String? = nil) {
    (self.done, self.total, self.unit) = (done, total, unit)
  }
}
