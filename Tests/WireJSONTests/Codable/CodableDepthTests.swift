import Testing
import WireJSON

/// Deeply nested values: a recursive type must not use up the stack.
struct CodableDepthTests {
  struct Node: Codable, Equatable {
    var children: [Node]
  }

  final class Link: Codable {
    let next: Link?
    init(next: Link?) { self.next = next }
  }

  indirect enum Tree: Codable { case leaf, branch(Tree) }

  /// A type that encodes itself only by nested containers.
  struct Parts: Encodable {
    let depth: Int
    func encode(to encoder: any Encoder) throws {
      var container = encoder.unkeyedContainer()
      for _ in 0..<depth { container = container.nestedUnkeyedContainer() }
    }
  }

  private func nested(_ open: String, _ close: String, _ depth: Int, _ core: String) throws -> RawJSON {
    try RawJSON(String(repeating: open, count: depth) + core + String(repeating: close, count: depth))
  }

  @Test func `JSON at the nesting limit is refused by a recursive type, instead of filling the stack`() throws {
    let message = "the value must be nested at most 100 deep"
    let nodes = try nested(#"{"children":["#, "]}", 255, #"{"children":[]}"#)
    #expect(#expect(throws: DecodingFailure.self) { try nodes.decode(Node.self) }?.message == message)
    let links = try nested(#"{"next":"#, "}", 511, "{}")
    #expect(#expect(throws: DecodingFailure.self) { try links.decode(Link.self) }?.message == message)
    let trees = try nested(#"{"branch":{"_0":"#, "}}", 255, #"{"leaf":{}}"#)
    #expect(#expect(throws: DecodingFailure.self) { try trees.decode(Tree.self) }?.message == message)
    // The same within a field. The path isn't as long as the value is deep.
    let held = try RawJSON(#"{"a":\#(nested(#"{"next":"#, "}", 510, "{}"))}"#)
    #expect(#expect(throws: DecodingFailure.self) { try held.decode([String: Link].self) }?.message == message)
  }

  @Test func `values below the nesting limit are read and written`() throws {
    let nodes = try nested(#"{"children":["#, "]}", 49, #"{"children":[]}"#)
    let node = try nodes.decode(Node.self)
    #expect(try RawJSON(encoding: node).text == nodes.text)
    let links = try nested(#"{"next":"#, "}", 99, "{}")
    #expect(try RawJSON(encoding: links.decode(Link.self)).text == links.text)
    let trees = try nested(#"{"branch":{"_0":"#, "}}", 49, #"{"leaf":{}}"#)
    #expect(try RawJSON(encoding: trees.decode(Tree.self)).text == trees.text)
  }

  @Test func `values beyond the nesting limit aren't written`() throws {
    var link: Link?
    for _ in 0..<1000 { link = Link(next: link) }
    let value = link
    let failure = #expect(throws: EncodingFailure.self) { try RawJSON(encoding: value) }
    #expect(failure?.message == "the value can't be written as JSON: it is nested deeper than 100")
    #expect(throws: EncodingFailure.self) { try RawJSON(encoding: Parts(depth: 1000)) }
    #expect(try RawJSON(encoding: Parts(depth: 99)).count == 200)
  }

  @Test func `a type that decodes itself endlessly is stopped`() throws {
    struct Endless: Decodable {
      init(from decoder: any Decoder) throws { self = try decoder.singleValueContainer().decode(Endless.self) }
    }
    #expect(throws: DecodingFailure.self) { try RawJSON("1").decode(Endless.self) }
    #expect(JSONSchema(of: Endless.self).json.text == "{}")
  }
}
