/// A generator of pseudorandom numbers. Every run with the same seed makes the same numbers (Steele, Lea and Flood,
/// "Fast splittable pseudorandom number generators", OOPSLA 2014).
package struct SplitMix64: RandomNumberGenerator {
  private var state: UInt64

  /// Makes a generator at its start.
  ///
  /// - Parameter seed: the number of the sequence, one of 2⁶⁴.
  package init(seed: some BinaryInteger) { state = UInt64(truncatingIfNeeded: seed) }

  /// Returns the next 64 bits.
  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }
}
