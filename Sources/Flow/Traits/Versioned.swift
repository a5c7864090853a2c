/// A value that has versions which are compared faster than what they hold, such as a long list.
public protocol Versioned: Equatable {
  /// Whether nothing has changed between two values, as far as can be told at once: false leaves it open.
  func isSameVersion(as other: Self) -> Bool
}
