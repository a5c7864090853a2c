import Paging
import Testing
import WireJSON

@Suite struct QueryTextTests {
  /// A text with a number of different words.
  private func words(_ count: Int) -> String { (0..<count).map { "w\($0)" }.joined(separator: " ") }

  @Test func `a text may have 4,096 bytes and 32 different words`() {
    #expect(QueryText(String(repeating: "é", count: 2048)) != nil)
    #expect(QueryText(String(repeating: "é", count: 2048) + "a") == nil)
    #expect(QueryText(words(32))?.text == words(32))
    #expect(QueryText(words(33)) == nil)
    #expect(QueryText(words(32) + " " + words(32)) != nil)
    #expect(QueryText(String(repeating: "z ", count: 2048)) != nil)
    #expect(QueryText("") == QueryText())
  }

  @Test func `words are separated by white space, also by the ideographic space`() {
    #expect(QueryText("\t a\n b\u{3000}c\r\n")?.words.count == 3)
    #expect(QueryText(" \u{3000}\n")?.words.isEmpty == true)
    #expect(QueryText("a\u{A0}b")?.words.count == 1)
  }

  @Test func `a string is read, and the failure of a long one gives the limits`() throws {
    #expect(try QueryText(json: "a b".json).text == "a b")
    #expect(try QueryText(json: QueryText(json: "a".json).json).text == "a")
    let failure = #expect(throws: DecodingFailure.self) { try QueryText(json: words(33).json) }
    #expect(failure?.expected == "a text of at most 4096 bytes in UTF-8 and 32 different words")
    #expect(throws: DecodingFailure.self) { try QueryText(json: 7.json) }
  }
}
