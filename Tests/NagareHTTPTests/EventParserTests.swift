import Testing

@testable import NagareHTTP

@Suite struct EventParserTests {
  private typealias Finding = EventParser.Finding

  private func read(_ text: String, cut: Int? = nil, limit: Int = 1000, lastID: String? = nil) -> [EventParser.Finding]
  {
    var parser = EventParser(limit: limit, lastID: lastID)
    let bytes = Array(text.utf8)
    guard let cut else { return parser.read(bytes.span) }
    return parser.read(bytes.span.extracting(..<cut)) + parser.read(bytes.span.extracting(cut...))
  }

  private func event(_ data: String?, id: String? = nil) -> EventParser.Finding {
    .event(EventParser.Event(id: id, data: data.map { Array($0.utf8) }))
  }

  @Test(arguments: ["\n", "\r", "\r\n"]) func `a stream gives the same events for pieces of any size`(end: String) {
    let text = [
      "\u{FEFF}: hello", "", "id: 1", "data: a", "data:b", "data", "", "retry: 20", "event: ping", "data: x", "",
      "event: message", "data:  流れ", "", "id", "data: c", "", "data: lost",
    ].joined(separator: end)
    let expected = [event("a\nb\n", id: "1"), .retry(20), event(" 流れ", id: "1"), event("c")]
    for cut in 0...text.utf8.count { #expect(read(text, cut: cut) == expected, "cut at \(cut)") }
  }

  @Test func `an id stays until the next one, and an id with a zero byte is ignored`() {
    #expect(read("data: a\n\nid: b\u{0}\ndata: c\n\n", lastID: "7") == [event("a", id: "7"), event("c", id: "7")])
  }

  @Test(arguments: ["x", "-1", "1.5", "9999999999", ""]) func `a retry that isn't a number is ignored`(text: String) {
    #expect(read("retry: \(text)\n") == [])
  }

  @Test func `an event that is too large has no data, and the next one is read`() {
    let long = String(repeating: "x", count: 30)
    for text in ["data: \(long)\n\n", "data: \(long.prefix(12))\ndata: \(long.prefix(12))\n\n"] {
      for cut in 0...text.utf8.count {
        #expect(read(text + "data: a\n\n", cut: cut, limit: 20) == [event(nil), event("a")])
      }
    }
    #expect(read(": \(long)\nid: \(long)\ndata: a\n\n", limit: 20) == [event("a")])
  }
}
