internal import Synchronization

/// Numbers that are unique in a process. Each is higher than all before it.
///
/// A run of an ``Effect`` has such a number, and so has each revision of a value. Two values with the same revision are
/// copies of each other; a newly made value always has other numbers. The numbers never leave the process, so their
/// exact values don't matter.
public enum UniqueNumber {
  private static let last = Atomic(0)

  /// Returns a new number, from 1.
  public static func next() -> Int { last.add(1, ordering: .relaxed).newValue }
}
