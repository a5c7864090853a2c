internal import Nagare

// Reading current values as Swift types.

extension Current {
  /// Returns the items of an output. Each item is decoded only once.
  mutating func rows<Element: Decodable & Sendable>(_ output: String, of type: Element.Type) throws -> Rows<Element> {
    if lists[output]?.place != nil { throw mismatch(output, "held whole, but as window(\\.\(output)),") }
    guard let rows = try decodedRows(output, of: type) else { throw mismatch(output, "a list") }
    return rows
  }

  /// Returns the window of an output. Each item is decoded only once.
  mutating func window<Element: Decodable & Sendable>(
    _ output: String, look: @escaping @Sendable (Int, Int) -> Void
  ) throws -> Window<Element> {
    guard let list = lists[output], let place = list.place, let held = try decodedRows(output, of: Element?.self) else {
      throw mismatch(output, "a list with a window")
    }
    return Window(
      held: held, start: place.start, count: place.count, isExact: place.isExact, revision: list.revision, look: look)
  }

  /// Returns the value of an output that isn't a list.
  func value<Value: Decodable>(_ output: String) throws -> Value {
    guard let json = json(output) else { throw mismatch(output, "an output with a current value") }
    return try decode(json, output)
  }

  func decode<Value: Decodable>(_ json: RawJSON, _ output: String) throws -> Value {
    do throws(DecodingFailure) {
      return try json.decode()
    } catch {
      throw OutputMismatch(
        description:
          "\"\(output)\" of \"\(screen.name)\" is no \(Value.self): \(error.message); it is \(json.text.prefix(200))")
    }
  }

  private func mismatch(_ output: String, _ kind: String) -> OutputMismatch {
    OutputMismatch(
      description: "\"\(output)\" is not \(kind) of \"\(screen.name)\", whose current values are "
        + names.sorted().joined(separator: ", "))
  }
}
