import Randomness

extension SplitMix64 {
  /// Whether an event with this chance, in percent, happens.
  mutating func happens(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &self) < percent }

  /// Cuts bytes at random positions.
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
