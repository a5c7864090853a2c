import Fuzzing
import Testing
import WireJSON

/// Compares the fast reader with the slow one on random texts.
struct AgreementTests {
  @Test(arguments: 1...8 as ClosedRange<UInt64>)
  func `both readers agree on changed texts, including error positions`(seed: UInt64) {
    var generator = TextGenerator(seed: seed)
    for _ in 0..<1_500 {
      let text = generator.mutated(Array(generator.text(depth: 3).utf8))
      #expect(errorOf(text, maxDepth: 3) == ReferenceReader.error(in: text, maxDepth: 3), "\(text)")
    }
  }

  @Test func `every proper prefix that isn't valid itself fails at its end`() {
    var generator = TextGenerator(seed: 11)
    for _ in 0..<300 {
      let text = Array(generator.text().utf8)
      for count in 0..<text.count {
        let prefix = Array(text[..<count])
        guard let error = errorOf(prefix) else { continue }
        #expect(error == JSONError(.unexpectedEnd, at: count), "\(prefix)")
      }
    }
  }

  @Test func `a text has the same result at every distance from the end of its bytes`() {
    var generator = TextGenerator(seed: 12)
    for _ in 0..<200 {
      let text = generator.mutated(Array(generator.text().utf8))
      let error = ReferenceReader.error(in: text)
      for padding in 1...17 {
        #expect(errorOf(Array(repeating: 0x20, count: padding) + text)?.offset == error.map { $0.offset + padding })
        #expect(errorOf(Array(repeating: 0x20, count: padding) + text)?.kind == error?.kind)
      }
    }
  }

  @Test func `a rewritten text is equivalent`() throws {
    var generator = TextGenerator(seed: 13)
    for _ in 0..<1_000 {
      let json = try RawJSON(generator.text())
      var writer = JSONWriter()
      rewrite(json, to: &writer)
      let again = try RawJSON(validating: writer.bytes)
      #expect(again.isEquivalent(to: json), "\(json) became \(again)")
    }
  }

  /// Reads a value by the reader's accessors, and writes it with the writer.
  private func rewrite(_ json: RawJSON, to writer: inout JSONWriter) {
    switch json.kind {
    case .null: writer.null()
    case .bool: writer.bool(json.bool == true)
    case .number:
      if let int = json.int { writer.int(int) } else { writer.raw(json) }
    case .string:
      // A String can't contain a surrogate without its partner.
      if let string = json.string, !string.contains("\u{FFFD}") { writer.string(string) } else { writer.raw(json) }
    case .array:
      writer.beginArray()
      for element in json.elements { rewrite(element, to: &writer) }
      writer.endArray()
    case .object:
      writer.beginObject()
      for (name, value) in json.members {
        writer.key(name.string)
        rewrite(value, to: &writer)
      }
      writer.endObject()
    }
  }
}
