import Testing
import WireJSON

struct MemberScanTests {
  static let names = MemberNames("jsonrpc", "id", "method", "params", "result", "error", "eightlet")

  @Test func `known fields are found and the text is checked in one pass`() throws {
    let text = #" {"jsonrpc" : "2.0", "id": 1,"method":"ping","params":{"id":2},"eightlet":[]} "#
    let scan = try MemberScan(Array(text.utf8).span, Self.names)
    #expect(places(scan, text) == ["\"2.0\"", "1", "\"ping\"", "{\"id\":2}", nil, nil, "[]"])
    #expect(scan.kind == .object)
    #expect(!scan.hasOthers)
    #expect(scan.range == 1..<text.utf8.count - 1)
  }

  @Test func `names that are known only at run time are found in the same way`() throws {
    let names = try #require(MemberNames(fitting: ["id", "é", "eightlet"]))
    let text = #"{"\u0069d":1,"é":2,"eightlet":3}"#
    let scan = try MemberScan(Array(text.utf8).span, names)
    #expect(places(scan, text).prefix(3) == ["1", "2", "3"])
    #expect(!scan.hasOthers)
    #expect(try MemberScan(Array(#"{"id":1,"ide":2}"#.utf8).span, names).hasOthers)
    #expect(MemberNames(fitting: ["ninebytes"]) == nil)
    #expect(MemberNames(fitting: [""]) == nil)
    #expect(MemberNames(fitting: (0..<9).map { "m\($0)" }) == nil)
  }

  @Test func `of duplicates the last counts, escaped or not`() throws {
    let text = #"{"id":1,"\u0069d":2,"i\u0064":3}"#
    #expect(try places(MemberScan(Array(text.utf8).span, Self.names), text)[1] == "3")
  }

  @Test(arguments: [#"{"ids":1}"#, #"{"i":1}"#, #"{"":1}"#, #"{"eightletter":1}"#, #"{"é":1}"#, #"{"id\u0000":1}"#])
  func `other fields are noticed`(text: String) throws {
    let scan = try MemberScan(Array(text.utf8).span, Self.names)
    #expect(scan.hasOthers)
    #expect(places(scan, text).allSatisfy { $0 == nil })
  }

  @Test func `a text that isn't an object is checked, too`() throws {
    #expect(try MemberScan(Array("[1]".utf8).span, Self.names).kind == .array)
    #expect(throws: JSONError(.expectedValue, at: 3)) { try MemberScan(Array("[1,]".utf8).span, Self.names) }
    #expect(throws: JSONError(.unexpectedEnd, at: 0)) { try MemberScan(Array("".utf8).span, Self.names) }
    #expect(throws: JSONError(.tooDeep(limit: 2), at: 7)) {
      try MemberScan(Array(#"{"id":[[],[]]}"#.utf8).span, Self.names, maxDepth: 2)
    }
  }

  @Test func `the scan has the same results as the reader for every text`() {
    var generator = TextGenerator(seed: 21)
    for _ in 0..<3_000 {
      let text = generator.mutated(Array(generator.text(depth: 3).utf8))
      var found: JSONError?
      do throws(JSONError) {
        let scan = try MemberScan(text.span, Self.names)
        let json = RawJSON(trusting: text, scan.range)
        for (index, name) in ["jsonrpc", "id", "method", "params", "result", "error"].enumerated() {
          #expect(scan[index] == json.member(name)?.range)
        }
      } catch {
        found = error
      }
      #expect(found == errorOf(text), "\(text)")
    }
  }

  private func places(_ scan: MemberScan, _ text: String) -> [String?] {
    (0..<7).map { index in
      scan[index].map { String(decoding: Array(text.utf8)[$0], as: UTF8.self) }
    }
  }
}
