import Testing

@testable import WireJSON

struct CanonicalScalarTests {
  /// Groups of spellings. Spellings of one group are equal, all others differ.
  static let classes: [[String]] = [
    ["1", "1.0", "10e-1", "0.1e1", "1E0", "1e+0", "1.000"], ["\"1\"", "\"\\u0031\""],
    ["0", "-0", "0.0", "0e5", "-0.0e-99999999999999999999"],
    ["-1", "-1.0", "-0.1e1"], ["100", "1e2", "100.0", "0.1e3"], ["0.5", "5e-1", "0.50"], ["\"\""],
    ["\"a\"", "\"\\u0061\""], ["\"A\"", "\"\\u0041\""], ["\"/\"", "\"\\/\"", "\"\\u002f\"", "\"\\u002F\""],
    ["\"\\n\"", "\"\\u000a\"", "\"\\u000A\""], ["\"é\"", "\"\\u00e9\""], ["\"e\u{301}\""],
    ["\"🙂\"", "\"\\ud83d\\ude42\"", "\"\\uD83D\\uDE42\""], ["\"\\ud83d\"", "\"\\uD83D\""], ["\"\\ude42\""],
    ["\"\u{FFFD}\"", "\"\\ufffd\""], ["\"a\\ud83d\"", "\"\\u0061\\uD83D\""], ["\"a\u{7F}\""],
    ["9007199254740993", "9007199254740993.0", "9007199254740.993e3"], ["9007199254740992"],
    ["123456789012345678901234567890", "12345678901234567890123456789e1", "123456789012345678901234567890.0"],
    ["123456789012345678901234567891"], ["1e400", "10e399", "0.1e401"], ["1e-400", "0.1e-399"],
    ["999999999999999999", "999999999999999999.0"], ["1000000000000000000", "1e18"], ["10000000000000000000", "1e19"],
    ["\"a long string id of more than sixteen bytes\"", "\"a long string id of more than sixteen byte\\u0073\""],
  ]

  @Test func `scalars are equal by type and value, and all spellings have the same hash`() throws {
    for (row, spellings) in Self.classes.enumerated() {
      let first = try #require(spelling(spellings[0]))
      for (otherRow, others) in Self.classes.enumerated() {
        for (text, other) in spellings.flatMap({ text in others.map { (text, $0) } }) {
          let (left, right) = (Array(text.utf8), Array(other.utf8))
          #expect(CanonicalScalar.equal(left.span, right.span) == (row == otherRow), "\(text) and \(other)")
        }
        for other in others {
          #expect((spelling(other) == first) == (row == otherRow))
          #expect(CanonicalScalar.equal(first.span, Array(other.utf8).span) == (row == otherRow))
        }
      }
      for text in spellings {
        #expect(CanonicalScalar.hash(of: Array(text.utf8).span) == CanonicalScalar.hash(of: first.span), "\(text)")
      }
    }
  }

  private func spelling(_ text: String) -> [UInt8]? { CanonicalScalar.spelling(of: Array(text.utf8)[...]) }

  @Test func `the canonical spelling is JSON of the same value, and its own canonical spelling`() throws {
    var generator = TextGenerator(seed: 41)
    for text in Self.classes.joined() + (0..<2_000).map({ $0 % 2 == 0 ? generator.number() : generator.string() }) {
      let bytes = try #require(spelling(text))
      let canonical = try RawJSON(validating: bytes)
      #expect(spelling(canonical.text) == bytes)
      let original = try RawJSON(text)
      #expect(canonical.kind == original.kind)
      #expect(canonical.string == original.string)
      #expect(canonical.double == original.double)
      #expect(CanonicalScalar.hash(of: Array(text.utf8).span) == CanonicalScalar.hash(of: bytes.span))
    }
  }

  @Test func `hashes spread well`() {
    let hashes = Set((0..<20_000).map { CanonicalScalar.hash(of: Array("\"m\($0)\"".utf8).span) })
    #expect(hashes.count == 20_000)
    for shift in [0, 20, 48] as [UInt64] {
      var filled = Set<UInt64>()
      for hash in hashes { filled.insert(hash >> shift & 0xFFFF) }
      // 20,000 throws into 65,536 slots fill about 17,230 of them.
      #expect((16_800...17_700).contains(filled.count))
    }
  }

  /// The results of the standard library's `Hasher` if `SWIFT_DETERMINISTIC_HASHING` makes its key zero.
  static let digests: [(length: Int, digest: UInt64)] = [
    (0, 0xD1FB_A762_150C_532C), (1, 0x68A9_1412_8E01_E473), (7, 0x2F09_8AB0_C751_325A), (8, 0xEAD4_11E6_7EBE_2EEA),
    (9, 0x7592_7F9D_9512_4362), (15, 0xF30E_B725_BB91_C9EA), (16, 0x8972_1884_33A5_C5B7),
    (31, 0x1697_3944_3111_D49B), (63, 0x385D_3E39_E5F3_7359),
  ]

  @Test(arguments: digests) func `hashes are SipHash-1-3`(length: Int, digest: UInt64) {
    let bytes = (0..<length).map { UInt8($0) }
    #expect(SipHash(key: (0, 0)).hash(bytes.span) == digest)
    #expect(SipHash(key: (0, 1)).hash(bytes.span) != digest)
  }
}
