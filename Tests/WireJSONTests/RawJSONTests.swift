import Testing
import WireJSON

struct RawJSONTests {
  @Test func `a value knows its kind`() throws {
    let kinds: [(String, JSONKind)] = [
      ("{}", .object), ("[]", .array), ("\"\"", .string), ("-1", .number), ("true", .bool), ("false", .bool),
      ("null", .null),
    ]
    for (text, kind) in kinds { #expect(try RawJSON(" \(text) ").kind == kind) }
  }

  @Test func `a value excludes the white space around it`() throws {
    let json = try RawJSON(" \n [1] \t")
    #expect(json.text == "[1]")
    #expect(json.range == 3..<6)
    #expect(Array(json.bytes) == Array("[1]".utf8))
    #expect(json.withSpan { $0.count } == 3)
  }

  @Test func `a value takes two words`() {
    #expect(MemoryLayout<RawJSON>.size == 16)
  }

  @Test(arguments: [
    (#""""#, ""), (#""a\"\\\/\b\f\n\r\t""#, "a\"\\/\u{8}\u{C}\n\r\t"), (#""\u0041\u00e9\u3042""#, "Aéあ"),
    (#""日本\u8a9e""#, "日本語"), (#""\ud83d\ude42""#, "🙂"), (#""\uD83D\uDE42!""#, "🙂!"), (#""\ud83d""#, "\u{FFFD}"),
    (#""\ude42\ud83d""#, "\u{FFFD}\u{FFFD}"), (#""\ud83d\ud83d\ude42""#, "\u{FFFD}🙂"), (#""\ud83dx""#, "\u{FFFD}x"),
    (#""\ud83d\n""#, "\u{FFFD}\n"), (#""\u0000""#, "\0"),
  ])
  func `strings are decoded`(text: String, decoded: String) throws {
    #expect(try RawJSON(text).string == decoded)
  }

  @Test(
    arguments: [
      ("0", 0), ("-0", 0), ("3", 3), ("3.0", 3), ("3e0", 3), ("0.3e1", 3), ("300E-2", 3), ("-12.50e1", -125),
      ("9223372036854775807", .max), ("-9223372036854775808", .min), ("9223372036854775808", nil),
      ("-9223372036854775809", nil), ("922337203685477580.7e1", .max), ("1e18", 1_000_000_000_000_000_000),
      ("1e19", nil),
      ("0e999999999999999999999", 0), ("1e999999999999999999999", nil), ("1e-1", nil), ("0.5", nil), ("1.5", nil),
      ("0.000", 0), ("\"3\"", nil), ("null", nil),
    ] as [(String, Int?)])
  func `numbers that are integers by value are integers`(text: String, value: Int?) throws {
    #expect(try RawJSON(text).int == value)
  }

  @Test(
    arguments: [
      ("0", 0), ("-1", -1), ("0.1", 0.1), ("1e3", 1000), ("9007199254740993", 9_007_199_254_740_992), ("1e400", nil),
      ("-1e400", nil), ("1e-400", 0), ("1.7976931348623157e308", .greatestFiniteMagnitude), ("true", nil),
    ] as [(String, Double?)])
  func `numbers are doubles within their range`(text: String, value: Double?) throws {
    #expect(try RawJSON(text).double == value)
  }

  @Test func `negative zero keeps its sign as a double`() throws {
    #expect(try RawJSON("-0").double?.sign == .minus)
  }

  @Test func `accessors of another kind return nil`() throws {
    let json = try RawJSON("[]")
    #expect(json.string == nil)
    #expect(json.bool == nil)
    #expect(json.int == nil)
    #expect(json.double == nil)
    #expect(json.member("a") == nil)
    #expect(Array(json.members.map(\.key)).isEmpty)
    #expect(try RawJSON("{}").elements.map(\.text).isEmpty)
    #expect(try RawJSON("true").bool == true)
    #expect(try RawJSON("false").bool == false)
    #expect(try RawJSON("null").isNull)
  }

  @Test func `fields are found by their decoded name, the last of duplicates`() throws {
    let json = try RawJSON(#"{"a":1,"b":{"a":2},"\u0061":3,"long name of a member":4,"é":5,"\u00e9x":6,"":7}"#)
    #expect(json.member("a")?.int == 3)
    #expect(json.member("b")?.member("a")?.int == 2)
    #expect(json.member("long name of a member")?.int == 4)
    #expect(json.member("é")?.int == 5)
    #expect(json.member("éx")?.int == 6)
    #expect(json.member("")?.int == 7)
    #expect(json.member("c") == nil)
    #expect(json.members.map(\.key) == ["a", "b", "a", "long name of a member", "é", "éx", ""])
    #expect(json.members.map(\.value.text) == ["1", #"{"a":2}"#, "3", "4", "5", "6", "7"])
  }

  @Test func `elements come in their order, with space anywhere`() throws {
    let json = try RawJSON("[ 1 ,\n[2, 3],\"4,]\" ,{ } ]")
    #expect(json.elements.map(\.text) == ["1", "[2, 3]", "\"4,]\"", "{ }"])
    #expect(json.elements.map(\.start) == [2, 6, 13, 20])
    #expect(try RawJSON("[ ]").elements.map(\.text).isEmpty)
  }

  @Test func `deeply nested values are found`() throws {
    let depth = 300
    let text = String(repeating: "{\"a\":[", count: depth) + "7" + String(repeating: "]}", count: depth)
    var json = try RawJSON(validating: Array(text.utf8), maxDepth: .max)
    for _ in 0..<depth {
      json = try #require(json.member("a")?.elements.first { _ in true })
    }
    #expect(json.int == 7)
  }

  @Test(arguments: [
    ("1", "1.0", true), ("100", "1e2", true), ("0", "-0.0", true), ("1", "2", false), ("1", "\"1\"", false),
    ("\"a\"", "\"\\u0061\"", true), ("\"\\ud800\"", "\"\\udbff\"", false), ("[1,2]", "[ 1 , 2 ]", true),
    ("[1,2]", "[2,1]", false), ("[1]", "[1,1]", false), ("{\"a\":1,\"b\":2}", "{\"b\":2,\"a\":1}", true),
    ("{\"a\":1,\"a\":2}", "{\"a\":2}", true), ("{\"a\":1}", "{\"b\":1}", false),
    ("{\"a\":1}", "{\"a\":1,\"b\":1}", false),
    ("null", "false", false), ("true", "true", true), ("true", "false", false), ("{}", "[]", false),
    ("\"é\"", "\"e\u{301}\"", false),
  ])
  func `values are equivalent by meaning`(left: String, right: String, isEquivalent: Bool) throws {
    #expect(try RawJSON(left).isEquivalent(to: RawJSON(right)) == isEquivalent)
    #expect(try RawJSON(right).isEquivalent(to: RawJSON(left)) == isEquivalent)
  }

  @Test func `a position is a line and a column of scalars`() throws {
    let json = try RawJSON("{\n  \"ключ\": 1,\r\n  \"🙂\": [\n1, x2]}".replacing("x", with: " "))
    #expect(try #require(json.member("ключ")).location == SourceLocation(line: 2, column: 11))
    #expect(try #require(json.member("🙂")).location == SourceLocation(line: 3, column: 8))
    #expect(json.location.description == "1:1")
    #expect(SourceLocation(of: 3, in: Array("ab\n".utf8)) == SourceLocation(line: 2, column: 1))
  }
}

@Suite struct IndentedTests {
  @Test func `the indented text has a line for each part, and the parts unchanged`() throws {
    let text = try RawJSON(#"{"a":[1.50,{"b":"\u0041"}],"c":{},"d":[]}"#).indented
    #expect(
      text == """
        {
          "a": [
            1.50,
            {
              "b": "\\u0041"
            }
          ],
          "c": {},
          "d": []
        }
        """)
  }
}
