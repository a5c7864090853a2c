/// A value with versions. Comparing versions is faster than comparing the content, such as a long list.
public protocol Versioned: Equatable {
  /// Whether two values are surely the same. False means that they may or may not be the same.
  func isSameVersion(as other: Self) -> Bool
}
