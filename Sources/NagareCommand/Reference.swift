internal import Nagare
internal import WireJSON

/// A name of something defined elsewhere in the configuration, and where it stands.
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
