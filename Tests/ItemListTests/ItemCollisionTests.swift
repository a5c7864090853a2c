import Randomness
import Testing
import WireJSON

@testable import ItemList

/// Ids that an attacker has chosen so that their hashes collide. The attacker must know the initial state of the hash
/// function.
@Suite struct ItemCollisionTests {
  private let hash = FoldingHash(start: 0x9E37_79B9_7F4A_7C15)
  private let ids = FoldingHash(start: 0x9E37_79B9_7F4A_7C15).collidingIDs(64 * 64)

  @Test func `ids that collide can be chosen if the initial state is known`() {
    #expect(Set(ids).count == 64 * 64)
    #expect(Set(ids.map(hash.hash)).count == 1)
    #expect(Set(ids.map(FoldingHash(start: 1).hash)).count > 4_000)
  }

  @Test func `a list finds colliding ids as fast as other ids`() throws {
    var list = ItemList()
    list.append(try page(of: ids))
    #expect(list.count == ids.count)
    #expect(ids.allSatisfy { list.index(ofRawID: $0.span) != nil })
    // Among so many random 32-bit hashes, only a few pairs are equal.
    #expect(ids.reduce(0) { $0 + list.hints(of: $1) } < ids.count + 10)
  }

  @Test func `colliding ids are spread over the index like other ids`() {
    let places = Set(ids.map { ItemID.hash(of: $0.span) >> 48 })
    // 4,096 random choices among 65,536 slots hit about 3,970 different ones.
    #expect((3_900...4_040).contains(places.count))
  }

  private func page(of ids: [[UInt8]]) throws -> RawItems {
    let text = ids.map { "{\"id\":\(String(decoding: $0, as: UTF8.self))}" }.joined(separator: ",")
    return try #require(RawItems(arrayOf: RawJSON("[\(text)]"), id: "id"))
  }
}

/// A fast hash function without a secret. It multiplies each word to double width and combines the two halves. A word
/// that equals the state makes the state zero, whatever the earlier words were.
private struct FoldingHash {
  let start: UInt64

  func hash(_ id: [UInt8]) -> UInt64 {
    var state = start ^ UInt64(id.count)
    for offset in stride(from: 0, to: id.count, by: 8) {
      let word = id[offset..<min(offset + 8, id.count)].reversed().reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
      state = FoldingHash.fold(state ^ word)
    }
    return state
  }

  /// Ids of letters that all have the same hash. `count` must be a square number.
  func collidingIDs(_ count: Int) -> [[UInt8]] {
    var random = SplitMix64(seed: 1)
    let length = 56
    var beginning: [UInt8] = []
    repeat { beginning = Array("\"".utf8) + letters(7, using: &random) } while !close(&beginning, length: length)
    var pairs: [[UInt8]] = []
    while pairs.count * pairs.count < count {
      var pair = letters(8, using: &random)
      if close(&pair, length: nil) { pairs.append(pair) }
    }
    return pairs.flatMap { pair in pairs.map { beginning + pair + $0 + Array("letters\"".utf8) } }
  }

  /// Appends the word that makes the state zero, if it consists of characters that need no escape.
  ///
  /// - Parameters:
  ///   - word: the words so far; the new word is appended to it.
  ///   - length: the length of the id, for its first words; nil for words that follow a state of zero.
  /// - Returns: whether there is such a word.
  private func close(_ word: inout [UInt8], length: Int?) -> Bool {
    let before = length.map { start ^ UInt64($0) } ?? 0
    let state = FoldingHash.fold(before ^ word.reversed().reduce(0) { $0 << 8 | UInt64($1) })
    let closing = (0..<8).map { UInt8(truncatingIfNeeded: state >> (8 * UInt64($0))) }
    word += closing
    return closing.allSatisfy { (0x23...0x7E).contains($0) && $0 != UInt8(ascii: "\\") }
  }

  private func letters(_ count: Int, using random: inout SplitMix64) -> [UInt8] {
    (0..<count).map { _ in UInt8.random(in: UInt8(ascii: "a")...UInt8(ascii: "z"), using: &random) }
  }

  private static func fold(_ value: UInt64) -> UInt64 {
    let (high, low) = value.multipliedFullWidth(by: 0xA076_1D64_78BD_642F)
    return high ^ low
  }
}
