import Randomness
import Testing
import WireJSON

@testable import PageSources

@Suite struct TextQueryTests {
  private let item =
    #"{"id":7,"subject":"Re: Ｂuild ＦＡＩＬＥＤ","from":{"name":"ｶﾞｰﾃﾞﾝ ウｳﾞ"},"tags":["Straße","ÉCOLE","プール"],"n":42}"#

  @Test(
    arguments: [
      "build", "BUILD failed", "ｂｕｉｌｄ", "build　failed", "ガーデン", "ｶﾞｰ", "ウヴ", "école", "プール", "ﾌﾟｰﾙ", "フ\u{309A}ール", "re:",
      "straße",
    ])
  func `case, width and order of the words don't count`(text: String) throws {
    let query = try #require(try TextQuery(text))
    #expect(try query.matches(RawJSON(item)))
  }

  @Test(arguments: ["subject", "42", "7", "name", "buildx", "build missing", "カーテン", "ストレート", "failedガーデン"])
  func `names, numbers and other words don't match`(text: String) throws {
    let query = try #require(try TextQuery(text))
    #expect(try !query.matches(RawJSON(item)))
  }

  @Test(arguments: [nil, "", "  ", "　\n"]) func `a query without words is nil`(text: String?) throws {
    #expect(try TextQuery(text) == nil)
  }

  @Test(arguments: 0..<50) func `a query for any part of a text finds it`(seed: Int) throws {
    var random = SplitMix64(seed: seed)
    let letters = Array("aAｂＢカｶﾞがé 梅")
    let text = String((0..<30).map { _ in letters[Int.random(in: 0...letters.count - 1, using: &random)] })
    let start = Int.random(in: 0...text.count - 1, using: &random)
    let part = String(text.dropFirst(start).prefix(Int.random(in: 1...6, using: &random)))
    guard let query = try TextQuery(part) else { return #expect(part.allSatisfy { $0 == " " }) }
    var writer = JSONWriter()
    writer.string(text)
    #expect(query.matches(try RawJSON(validating: writer.bytes)), "\(part) in \(text)")
  }
}
