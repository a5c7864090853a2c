/// Numbers that look random and are the same in every run.
struct SplitMix: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// Whether something with that chance, in percent, happens.
  mutating func happens(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &self) < percent }

  /// Cuts bytes at random places.
  mutating func cut<Bytes: Collection>(_ bytes: Bytes, longest: Int) -> [Bytes.SubSequence] {
    var pieces: [Bytes.SubSequence] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      let piece = rest.prefix(Int.random(in: 1...longest, using: &self))
      pieces.append(piece)
      rest = rest[piece.endIndex...]
    }
    return pieces
  }
}
