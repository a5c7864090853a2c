import ItemList
import Testing
import WireJSON

struct JSONValueTests {
  @Test(arguments: ["\"a\"", "12", "1.5", "true", "[1,null]", "{}", "null"])
  func `each type reads its own kind and names what it expects instead of others`(text: String) throws {
    let json = try RawJSON(text)
    #expect((try? String(json: json)) == json.string)
    #expect((try? Int(json: json)) == json.int)
    #expect((try? Double(json: json)) == json.double)
    #expect((try? Bool(json: json)) == json.bool)
    #expect((try? ItemID(json: json)) == ItemID(json))
    #expect(RawJSON(json: json).text == text)
    #expect((try? [RawJSON](json: json))?.count == (json.kind == .array ? 2 : nil))
    #expect((try? [String: Int](json: json)) == (json.kind == .object ? [:] : nil))
    if json.string == nil {
      let failure = #expect(throws: DecodingFailure.self) { try String(json: json) }
      #expect(failure?.message == "the value must be a string")
    }
  }

  @Test func `a text that would take long to compare is refused, also as a name`() throws {
    let marks = String(repeating: "\u{301}\u{323}", count: 64)
    let (most, tooMany) = ("日本" + marks + "語" + marks, "日本" + marks + "\u{301}語")
    #expect(try String(json: most.json) == most)
    #expect(try [String: Int](json: [most: 1].json) == [most: 1])
    #expect(try WireText(json: tooMany.json) == WireText(tooMany))

    let name = [tooMany: 1].json
    for refused in [
      #expect(throws: DecodingFailure.self, performing: { try String(json: tooMany.json) }),
      #expect(throws: DecodingFailure.self, performing: { try [String: Int](json: name) }),
      #expect(throws: DecodingFailure.self, performing: { try name.decode(Unread.self) }),
    ] {
      #expect(refused?.message.hasSuffix("a text with at most 128 combining marks on a letter") == true)
    }
  }

  private struct Unread: Decodable { var other: Int? }

  @Test func `written values can be read`() throws {
    #expect(try [String: [Int?]](json: ["b": [1, nil], "a": []].json) == ["b": [1, nil], "a": []])
    #expect((["b": [1, nil], "a": []] as [String: [Int?]]).json.text == #"{"a":[],"b":[1,null]}"#)
    #expect(try Double?(json: (1.5 as Double?).json) == 1.5)
    #expect(try Bool(json: false.json) == false)
    #expect(try ItemID(json: ItemID("é\"").json) == ItemID("é\""))
    #expect(try RawJSON(json: RawJSON("[1,\n2]")).json.text == "[1,\n2]")
  }

  @Test(
    arguments: [("0", 0), ("1500", 1500), ("2.0", 2), ("-1", nil), ("1.5", nil), ("\"1\"", nil)] as [(String, Int?)])
  func `milliseconds are whole and not negative`(text: String, count: Int?) throws {
    #expect((try? Milliseconds(json: RawJSON(text)))?.count == count)
  }

  @Test func `failures within containers have the path`() throws {
    let json = try RawJSON(#"{"a":[1],"b":[2,"x"],"c":3}"#)
    var context = DecodingContext()
    #expect([String: [Int]].decode(json, in: &context) == nil)
    #expect(context.failures.map(\.message) == ["'b[1]' must be an integer", "'c' must be an array"])
    #expect(context.failures.map(\.offset) == [16, 25])
  }
}
