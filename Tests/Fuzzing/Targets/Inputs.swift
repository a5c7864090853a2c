internal import Randomness

extension SplitMix64 {
  /// Makes random numbers that depend only on an input, for decisions such as where to cut it.
  init(hashing input: [UInt8]) {
    self.init(seed: input.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 })
  }

  mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &self) }

  mutating func pieces(of input: [UInt8], longest: Int) -> [ArraySlice<UInt8>] {
    var pieces: [ArraySlice<UInt8>] = []
    var rest = input[...]
    while !rest.isEmpty {
      let piece = rest.prefix(1 + below(longest))
      pieces.append(piece)
      rest = rest.dropFirst(piece.count)
    }
    return pieces
  }
}

/// An endless sequence of inputs for a target: first its own, then changed ones. The same seed makes the same inputs.
public struct Inputs {
  /// The maximum length of a changed input.
  private static let longest = 4096

  private let target: FuzzTarget
  private var random: SplitMix64
  private var count = 0

  /// Makes inputs for a target.
  ///
  /// - Parameters:
  ///   - target: the target.
  ///   - seed: the seed of the random changes.
  public init(for target: FuzzTarget, seed: UInt64) {
    self.target = target
    random = SplitMix64(seed: seed)
  }

  /// The next input.
  public mutating func next() -> [UInt8] {
    defer { count += 1 }
    if count < target.seeds.count { return target.seeds[count] }
    var input = pick(target.seeds)
    for _ in 0...random.below(8) { change(&input) }
    return Array(input.prefix(Inputs.longest))
  }

  private mutating func pick(_ inputs: [[UInt8]]) -> [UInt8] { inputs.randomElement(using: &random) ?? [] }

  private mutating func change(_ input: inout [UInt8]) {
    let place = random.below(input.count + 1)
    let end = min(input.count, place + 1 + random.below(random.below(64) + 1))
    switch random.below(9) {
    case 0: input.replaceSubrange(place..<min(input.count, place + 1), with: [UInt8(random.below(256))])
    case 1: input.insert(UInt8(random.below(256)), at: place)
    case 2: input.removeSubrange(place..<end)
    case 3: input.insert(contentsOf: input[place..<end], at: random.below(input.count + 1))
    case 4: input.removeSubrange(place...)
    case 5:
      let other = pick(target.seeds)
      input.replaceSubrange(place..<end, with: other[random.below(other.count + 1)...].prefix(1 + random.below(64)))
    case 6:
      let other = pick(target.seeds)
      input.replaceSubrange(place..., with: other[random.below(other.count + 1)...])
    default: input.replaceSubrange(place..<(random.below(2) == 0 ? place : end), with: pick(target.words))
    }
  }
}
