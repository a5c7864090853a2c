import Randomness
import Testing
import WireJSON

@testable import PageSources

@Suite struct TextSearchTests {
  /// Whether each word occurs in some text of an item, found in a simple way.
  private func isMatch(_ words: [String], _ item: RawJSON) -> Bool {
    func texts(_ value: RawJSON) -> [String] {
      switch value.kind {
      case .string: [value.string ?? ""]
      case .array: value.elements.flatMap(texts)
      case .object: value.members.flatMap { texts($0.value) }
      case .number, .bool, .null: []
      }
    }
    let texts = texts(item).map { Array($0.utf8) }
    return words.allSatisfy { word in texts.contains { $0.contains(Array(word.utf8)) } }
  }

  @Test(arguments: 0..<200) func `words are found only in texts, for any division of the work`(seed: Int) throws {
    var random = SplitMix64(seed: seed)
    let item = try RawJSON(value(using: &random, depth: 3))
    let words = (0..<Int.random(in: 1...5, using: &random)).map { _ in letters(1...4, using: &random) }
    let query = try #require(try TextQuery(words.joined(separator: " ")))
    #expect(query.matches(item) == isMatch(words, item), "\(words) in \(item.text)")
    var search = query.search
    var verdict: Bool?
    while verdict == nil {
      var work = Int.random(in: 1...60, using: &random)
      let before = work
      verdict = search.proceed(over: item.storage.span.extracting(item.range), &work)
      #expect(verdict != nil || work < before)
    }
    #expect(verdict == isMatch(words, item))
  }

  /// Random JSON whose names and texts consist of a few letters, some of them escaped.
  private func value(using random: inout SplitMix64, depth: Int) -> String {
    func text(_ random: inout SplitMix64) -> String {
      let escaped = letters(0...8, using: &random).unicodeScalars.map { scalar in
        Int.random(in: 0...3, using: &random) == 0 ? "\\u00\(String(scalar.value, radix: 16))" : String(scalar)
      }
      return "\"" + escaped.joined() + pick(["", "\\\"", "\\\\", "梅", "\\ud83d\\ude42"], using: &random) + "\""
    }
    let count = Int.random(in: 0...4, using: &random)
    switch depth == 0 ? 0 : Int.random(in: 0...2, using: &random) {
    case 0: return text(&random)
    case 1: return "[" + (0..<count).map { _ in value(using: &random, depth: depth - 1) }.joined(separator: " ,") + "]"
    default:
      let members = (0..<count).map { _ in text(&random) + " :\n" + value(using: &random, depth: depth - 1) }
      return "{" + members.joined(separator: ",") + "}"
    }
  }

  private func letters(_ count: ClosedRange<Int>, using random: inout SplitMix64) -> String {
    (0..<Int.random(in: count, using: &random)).map { _ in pick(["a", "b", "c"], using: &random) }.joined()
  }

  private func pick(_ texts: [String], using random: inout SplitMix64) -> String {
    texts[Int.random(in: texts.indices, using: &random)]
  }

  @Test func `a search costs the same for one word, thirty-two words and a long word`() throws {
    let text = String(repeating: "ab", count: 10_000)
    let item = text.json
    var costs: [Int] = []
    for query in ["x", (0..<32).map { "a\($0)" }.joined(separator: " "), String(repeating: "ab", count: 2000) + "c"] {
      var (search, work) = (try #require(try TextQuery(query)).search, 1 << 20)
      #expect(search.proceed(over: item.storage.span.extracting(item.range), &work) == false)
      costs.append((1 << 20) - work)
    }
    #expect(costs == Array(repeating: 4 * item.count, count: 3))
  }

  @Test func `deeply nested JSON is searched once`() throws {
    let item = try RawJSON(String(repeating: "[", count: 500) + "\"abc\"" + String(repeating: "]", count: 500))
    var (search, work) = (try #require(try TextQuery("d")).search, 1 << 20)
    #expect(search.proceed(over: item.storage.span.extracting(item.range), &work) == false)
    #expect((1 << 20) - work == 4 * item.count)
  }
}
