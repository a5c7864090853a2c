/// A sum over the numbers of some runs, which is another one for other runs.
@frozen
public struct RunSum: Hashable, Sendable {
  @usableFromInline var sum: UInt64 = 0

  /// The sum over no runs.
  public init() {}

  /// Adds a number that isn't in the sum.
  @inlinable
  public mutating func add(_ number: Int) { sum &+= RunSum.mixed(number) }

  /// Takes a number out that is in the sum.
  @inlinable
  public mutating func remove(_ number: Int) { sum &-= RunSum.mixed(number) }

  /// The number with its bits mixed, so that equal sums of different numbers don't occur in practice: the last step of
  /// the generator SplitMix64.
  @inlinable
  static func mixed(_ number: Int) -> UInt64 {
    var bits = UInt64(truncatingIfNeeded: number) &* 0x9E37_79B9_7F4A_7C15
    bits = (bits ^ bits >> 30) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ bits >> 27) &* 0x94D0_49BB_1331_11EB
    return bits ^ bits >> 31
  }
}
