/// A sum over the numbers of runs. In practice two different sets of runs have different sums.
@frozen
public struct RunSum: Hashable, Sendable {
  @usableFromInline var sum: UInt64 = 0

  /// The sum of no runs.
  public init() {}

  /// Adds a number that the sum doesn't contain.
  @inlinable
  public mutating func add(_ number: Int) { sum &+= RunSum.mixed(number) }

  /// Removes a number that the sum contains.
  @inlinable
  public mutating func remove(_ number: Int) { sum &-= RunSum.mixed(number) }

  /// Mixes the bits of a number, so that different sets of numbers don't have equal sums in practice. It is the last
  /// step of the generator SplitMix64.
  @inlinable
  static func mixed(_ number: Int) -> UInt64 {
    var bits = UInt64(truncatingIfNeeded: number) &* 0x9E37_79B9_7F4A_7C15
    bits = (bits ^ bits >> 30) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ bits >> 27) &* 0x94D0_49BB_1331_11EB
    return bits ^ bits >> 31
  }
}
