import Randomness
import Testing
import WireJSON

@testable import ItemList

/// Ids that somebody has chosen so that they collide in a hash whose start is known.
@Suite struct ItemCollisionTests {
  private let hash = FoldingHash(start: 0x9E37_79B9_7F4A_7C15)
  private let ids = FoldingHash(start: 0x9E37_79B9_7F4A_7C15).collidingIDs(64 * 64)

  @Test func `such ids can be made where the start is known`() {
    #expect(Set(ids).count == 64 * 64)
    #expect(Set(ids.map(hash.hash)).count == 1)
    #expect(Set(ids.map(FoldingHash(start: 1).hash)).count > 4_000)
  }

  @Test func `a list looks no further for them than for any others`() throws {
    var list = ItemList()
    list.append(try page(of: ids))
    #expect(list.count == ids.count)
    #expect(ids.allSatisfy { list.index(ofRawID: $0.span) != nil })
    // Of as many hashes of 32 bits no more than a few pairs are equal.
    #expect(ids.reduce(0) { $0 + list.hints(of: $1) } < ids.count + 10)
  }

  @Test func `and their places in the index lie as far apart as any`() {
    let places = Set(ids.map { ItemID.hash(of: $0.span) >> 48 })
    // Of 65,536 places, 4,096 throws fill about 3,970.
    #expect((3_900...4_040).contains(places.count))
  }

  private func page(of ids: [[UInt8]]) throws -> RawItems {
    let text = ids.map { "{\"id\":\(String(decoding: $0, as: UTF8.self))}" }.joined(separator: ",")
    return try #require(RawItems(arrayOf: RawJSON("[\(text)]"), id: "id"))
  }
}

/// A quick hash without a secret: each word is multiplied to twice its width, whose halves are joined. A word that equals
/// the state makes that zero, whatever came before.
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

  /// Ids of plain letters with the same hash, as many as the square of a whole number.
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

  /// Adds the word that makes the state zero, if it is of letters that need no escape.
  ///
  /// - Parameters:
  ///   - word: what came before; gets the word that closes it.
  ///   - length: the id's, for its first words; nil for words that come when the state is zero.
  /// - Returns: whether there is one.
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
