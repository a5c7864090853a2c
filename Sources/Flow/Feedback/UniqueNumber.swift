internal import Synchronization

/// Numbers that are given out once in a process, each higher than those before it.
///
/// A run of some ``Effect`` has such a number, and so has each revision of a value: two values with the same revision are
/// copies of each other, even if one of them was made afresh. They never leave the process, so it doesn't matter which
/// numbers they are.
public enum UniqueNumber {
  private static let last = Atomic(0)

  /// A number that was never given out before, from 1.
  public static func next() -> Int { last.add(1, ordering: .relaxed).newValue }
}
