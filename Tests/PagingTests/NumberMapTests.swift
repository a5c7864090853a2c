import Randomness
import Testing

@testable import Paging

@Suite struct NumberMapTests {
  /// Low numbers close to each other, high numbers that differ in any bit, and the highest numbers.
  private static func number(using random: inout SplitMix64) -> UInt {
    switch Int.random(in: 0..<4, using: &random) {
    case 0: UInt.random(in: 0...40, using: &random)
    case 1: UInt.random(in: 0...40, using: &random) << UInt.random(in: 0..<64, using: &random)
    case 2: UInt.random(in: 0...UInt.max, using: &random) % 7 &* 0x9E37_79B9_7F4A_7C15
    default: UInt.max - UInt.random(in: 0...3, using: &random)
    }
  }

  @Test(arguments: 0..<20) func `a number map equals a sorted dictionary, and copies don't change`(seed: Int) {
    var random = SplitMix64(seed: seed)
    var (map, model) = (NumberMap<Int>(), [UInt: Int]())
    var copies: [(map: NumberMap<Int>, model: [UInt: Int])] = []
    for step in 0..<400 {
      let number = Self.number(using: &random)
      let value = Int.random(in: 0..<3, using: &random) == 0 ? nil : step
      map[number] = value
      model[number] = value
      let asked = Self.number(using: &random)
      #expect(map[asked] == model[asked] && map.isEmpty == model.isEmpty)
      #expect(map.first(after: asked)?.number == model.keys.filter { $0 > asked }.min(), "after \(asked), seed \(seed)")
      #expect(
        map.last(before: asked)?.number == model.keys.filter { $0 < asked }.max(), "before \(asked), seed \(seed)")
      #expect(map.first?.number == model.keys.min() && map.last?.number == model.keys.max())
      if step % 40 == 0 { copies.append((map, model)) }
    }
    for (map, model) in copies + [(map, model)] {
      #expect(map.map(\.number) == model.keys.sorted() && map.allSatisfy { model[$0.number] == $0.value })
    }
  }
}
