import Fuzzing
import Testing
import WireJSON

/// Details of RFC 8259's grammar.
struct GrammarTests {
  static let accepted: [String] = [
    "0", "-0", "1", "-1", "10", "0.5", "-0.0", "1e5", "1E+5", "1e-05", "123.456e-78", "1e999", "  1  ", "\t\r\n1\n",
    "123456789012345678901234567890", "true", "false", "null", "\"\"", "\"a\"", "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"",
    "\"\\u0000\"", "\"\\uabCD\"", "\"\\ud83d\\ude00\"", "\"\\ud800\"", "\"\\udc00\\ud800\"", "\"\u{7F}\"", "\"é\"",
    "\"日本語\"", "\"😀\"", "\"\u{10FFFF}\"", "\"\u{FEFF}\"", "\"\u{2028}\"", "\"/\"", "[]", "[ ]", "[1]", "[1,2]",
    "[ 1 , 2 ]", "[[],[[]]]", "{}", "{ }", "{\"a\":1}", "{\"a\":1,\"a\":2}",
    "{ \"a\" : { \"b\" : [ ] } , \"\" : null }",
    "[true,false,null,\"x\",{},-1.5e3]", "[\n1\n,\r\n2\t]", "{\"\\u0061\":1}",
  ]

  static let rejected: [(String, JSONError.Kind, Int)] = [
    ("", .unexpectedEnd, 0), ("   ", .unexpectedEnd, 3), ("+1", .expectedValue, 0), (".5", .expectedValue, 0),
    ("1.", .unexpectedEnd, 2), ("[1.]", .expectedDigit, 3), ("-", .unexpectedEnd, 1), ("-a", .expectedDigit, 1),
    ("01", .leadingZero, 1), ("-012", .leadingZero, 2), ("[00]", .leadingZero, 2), ("1e", .unexpectedEnd, 2),
    ("1e+", .unexpectedEnd, 3), ("[1e+]", .expectedDigit, 4), ("1.e1", .expectedDigit, 2), ("0x1", .trailingText, 1),
    ("1_000", .trailingText, 1), ("NaN", .expectedValue, 0), ("Infinity", .expectedValue, 0),
    ("-Infinity", .expectedDigit, 1),
    ("nul", .unexpectedEnd, 3), ("nulL", .expectedValue, 0), ("True", .expectedValue, 0), ("truee", .trailingText, 4),
    ("'a'", .expectedValue, 0), ("\"", .unexpectedEnd, 1), ("\"a", .unexpectedEnd, 2), ("\"\\", .unexpectedEnd, 2),
    ("\"\\x\"", .invalidEscape, 1), ("\"\\u12\"", .invalidEscape, 1), ("\"\\u12g4\"", .invalidEscape, 1),
    ("\"\\u123", .unexpectedEnd, 6), ("\"\\U0041\"", .invalidEscape, 1), ("\"a\nb\"", .controlCharacter, 2),
    ("\"\u{0}\"", .controlCharacter, 1), ("\"12345678901\u{1F}\"", .controlCharacter, 12),
    ("\"\t\"", .controlCharacter, 1),
    ("[", .unexpectedEnd, 1), ("]", .expectedValue, 0), ("[1,]", .expectedValue, 3), ("[,1]", .expectedValue, 1),
    ("[1 2]", .expectedCommaOrBracket, 3), ("[1}", .expectedCommaOrBracket, 2), ("[1", .unexpectedEnd, 2),
    ("[1,,2]", .expectedValue, 3), ("{", .unexpectedEnd, 1), ("{,}", .expectedNameOrBrace, 1),
    ("{a:1}", .expectedNameOrBrace, 1),
    ("{1:1}", .expectedNameOrBrace, 1), ("{\"a\"}", .expectedColon, 4), ("{\"a\" 1}", .expectedColon, 5),
    ("{\"a\":}", .expectedValue, 5), ("{\"a\":1,}", .expectedName, 7), ("{\"a\":1 \"b\"}", .expectedCommaOrBrace, 7),
    ("{\"a\":1]", .expectedCommaOrBrace, 6), ("{\"a\":1", .unexpectedEnd, 6), ("{\"a\":1}}", .trailingText, 7),
    ("1 2", .trailingText, 2), ("[]]", .trailingText, 2), ("// c\n1", .expectedValue, 0),
    ("[1 /* c */]", .expectedCommaOrBracket, 3),
    ("\u{FEFF}1", .expectedValue, 0), ("[\u{FEFF}1]", .expectedValue, 1), ("\u{A0}1", .expectedValue, 0),
    ("1\u{B}", .trailingText, 1), ("1\u{0}", .trailingText, 1), ("\u{0}", .expectedValue, 0),
    ("[1\u{C}]", .expectedCommaOrBracket, 2),
  ]

  /// The bytes of strings' contents, and whether they are UTF-8 (Unicode's table 3-7).
  static let encodings: [([UInt8], Bool)] = [
    ([0xC2, 0x80], true), ([0xDF, 0xBF], true), ([0xE0, 0xA0, 0x80], true), ([0xED, 0x9F, 0xBF], true),
    ([0xEE, 0x80, 0x80], true), ([0xEF, 0xBF, 0xBF], true), ([0xF0, 0x90, 0x80, 0x80], true),
    ([0xF4, 0x8F, 0xBF, 0xBF], true), ([0x80], false), ([0xBF], false), ([0xC0, 0x80], false), ([0xC1, 0xBF], false),
    ([0xC2], false), ([0xC2, 0x41], false), ([0xE0, 0x80, 0x80], false), ([0xE0, 0x9F, 0xBF], false),
    ([0xED, 0xA0, 0x80], false), ([0xED, 0xBF, 0xBF], false), ([0xE3, 0x81], false), ([0xE3, 0x81, 0x41], false),
    ([0xE3, 0x41, 0x81], false), ([0xF0, 0x80, 0x80, 0x80], false), ([0xF0, 0x8F, 0xBF, 0xBF], false),
    ([0xF4, 0x90, 0x80, 0x80], false), ([0xF5, 0x80, 0x80, 0x80], false), ([0xF8, 0x88, 0x80, 0x80, 0x80], false),
    ([0xFE], false), ([0xFF], false), ([0xF0, 0x9F, 0x98], false), ([0xF0, 0x9F, 0x98, 0x41], false),
  ]

  @Test(arguments: accepted) func `valid text is accepted`(text: String) throws {
    let json = try RawJSON(text)
    #expect(json.text == text.trimmed)
    #expect(ReferenceReader.error(in: Array(text.utf8)) == nil)
  }

  @Test(arguments: rejected) func `text that isn't JSON is rejected at the position of the error`(
    text: String, kind: JSONError.Kind, offset: Int
  ) {
    #expect(throws: JSONError(kind, at: offset)) { try RawJSON(text) }
    #expect(ReferenceReader.error(in: Array(text.utf8)) == JSONError(kind, at: offset))
  }

  @Test(arguments: encodings) func `strings must be UTF-8`(content: [UInt8], isValid: Bool) {
    for before in 0..<10 {
      for after in 0..<10 {
        let text =
          [0x22] + Array(repeating: 0x61, count: before) + content + Array(repeating: 0x62, count: after) + [0x22]
        let error = errorOf(text)
        #expect(error == (isValid ? nil : JSONError(.invalidUTF8, at: before + 1)))
      }
    }
  }

  @Test func `512 levels are accepted, 513 are too many`() {
    for opener in ["[", "{\"a\":"] {
      let closer = opener == "[" ? "]" : "}"
      func nested(_ depth: Int) -> [UInt8] {
        Array((String(repeating: opener, count: depth) + "1" + String(repeating: closer, count: depth)).utf8)
      }
      #expect(errorOf(nested(512)) == nil)
      #expect(errorOf(nested(513)) == JSONError(.tooDeep(limit: 512), at: 512 * opener.utf8.count))
    }
  }

  @Test func `a hundred thousand levels need no stack`() throws {
    let depth = 100_000
    let brackets = Array((String(repeating: "[", count: depth) + String(repeating: "]", count: depth)).utf8)
    #expect(errorOf(brackets) == JSONError(.tooDeep(limit: 512), at: 512))
    #expect(try RawJSON(validating: brackets, maxDepth: depth).count == 2 * depth)
    let mixed = String(repeating: "[{\"a\":", count: depth) + "1" + String(repeating: "}]", count: depth)
    #expect(try RawJSON(validating: Array(mixed.utf8), maxDepth: .max).count == mixed.utf8.count)
    #expect(errorOf(Array(mixed.dropLast(2).utf8 + [0x5D, 0x7D]), maxDepth: .max)?.kind == .expectedCommaOrBrace)
  }

  @Test func `messages name the expected characters and the exceeded limit`() {
    #expect(JSONError(.expectedCommaOrBracket, at: 3).message == "expected ',' or ']' after an array's element")
    #expect(JSONError(.tooDeep(limit: 512), at: 3).description == "nested deeper than 512 (at byte 3)")
  }
}

/// Returns the reader's error for a text; nil if it is valid.
func errorOf(_ bytes: [UInt8], maxDepth: Int = 512) -> JSONError? {
  do throws(JSONError) {
    _ = try RawJSON(validating: bytes, maxDepth: maxDepth)
    return nil
  } catch {
    return error
  }
}

extension String {
  /// The text without JSON's white space around it.
  var trimmed: String {
    let isSpace: (UInt8) -> Bool = { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
    return String(decoding: Array(utf8).drop(while: isSpace).reversed().drop(while: isSpace).reversed(), as: UTF8.self)
  }
}
