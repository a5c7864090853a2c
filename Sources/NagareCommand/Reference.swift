internal import Nagare
internal import WireJSON

/// A reference to a definition elsewhere in the configuration, with its location.
struct Reference: JSONValue, Sendable {
  let name: String
  let json: RawJSON

  init(name: String) {
    self.name = name
    json = name.json
  }

  init(json: RawJSON) throws(DecodingFailure) {
    name = try String(json: json)
    self.json = json
  }

  func write(to writer: inout JSONWriter) { writer.string(name) }

  static var schema: JSONSchema { String.schema }
}
