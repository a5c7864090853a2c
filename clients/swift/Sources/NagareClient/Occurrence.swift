public import Nagare

/// The value of an output that says only that something happened: `{}`.
///
/// ```swift
/// let dismiss: Observable<Occurrence>
/// ```
public struct Occurrence: Record, Sendable {
  /// It has no members.
  public static let fields = Fields(Occurrence.init)

  /// Something happened.
  public init() {}
}
