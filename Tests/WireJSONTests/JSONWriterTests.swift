import Testing
import WireJSON

struct JSONWriterTests {
  @Test func `commas are in the right places`() {
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("a")
    writer.beginArray()
    writer.int(1)
    writer.beginObject()
    writer.endObject()
    writer.beginArray()
    writer.endArray()
    writer.null()
    writer.endArray()
    writer.key("b" + "")
    writer.bool(true)
    writer.key("c")
    writer.raw(RawJSON.emptyObject)
    writer.endObject()
    #expect(writer.text == #"{"a":[1,{},[],null],"b":true,"c":{}}"#)
  }

  @Test func `removeAll discards the written text`() {
    var writer = JSONWriter(reserving: 64)
    writer.int(1)
    writer.removeAll()
    writer.reserve(10)
    writer.literal("[]")
    #expect(writer.bytes == Array("[]".utf8))
  }

  @Test func `strings have only the necessary escapes, at every position`() throws {
    for byte in 0..<0x80 as Range<UInt8> {
      for before in 0..<17 {
        let text =
          String(repeating: "é", count: before / 2) + String(Unicode.Scalar(byte))
          + String(repeating: "z", count: before)
        var writer = JSONWriter()
        writer.string(text)
        #expect(try RawJSON(validating: writer.bytes).string == text)
        let isEscaped = byte < 0x20 || byte == 0x22 || byte == 0x5C
        #expect(writer.bytes.contains(0x5C) == isEscaped)
      }
    }
    var writer = JSONWriter()
    writer.string("\"\\/\u{8}\u{C}\n\r\t\u{0}\u{1F}\u{7F}日本語🙂")
    #expect(writer.text == #""\"\\/\b\f\n\r\t\u0000\u001f"# + "\u{7F}日本語🙂\"")
  }

  @Test(arguments: [0, 1, -1, 42, .max, .min]) func `integers can be read back`(value: Int) throws {
    var writer = JSONWriter()
    writer.int(value)
    #expect(try RawJSON(validating: writer.bytes).int == value)
  }

  @Test(arguments: [0, -0.0, 1, 0.1, 1e16, 1e-7, 1e300, .leastNonzeroMagnitude, .greatestFiniteMagnitude, -123.456])
  func `doubles can be read back`(value: Double) throws {
    var writer = JSONWriter()
    writer.double(value)
    #expect(try RawJSON(validating: writer.bytes).double == value)
  }

  @Test func `infinity and NaN are null`() {
    for value in [Double.infinity, -.infinity, .nan] {
      var writer = JSONWriter()
      writer.double(value)
      #expect(writer.text == "null")
    }
  }

  @Test func `raw values are written unchanged`() throws {
    var generator = TextGenerator(seed: 31)
    for _ in 0..<500 {
      let json = try RawJSON(generator.text())
      var writer = JSONWriter()
      writer.beginArray()
      writer.raw(json)
      writer.raw(json)
      writer.endArray()
      #expect(writer.text == "[\(json.text),\(json.text)]")
    }
  }
}
