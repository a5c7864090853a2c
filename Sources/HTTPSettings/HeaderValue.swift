package import WireJSON

/// The value of a request header: a public text, or an environment variable with a secret.
package enum HeaderValue: Hashable, Sendable {
  /// The value itself.
  case plain(String)
  /// The environment variable with the value.
  case secret(EnvironmentValue)
}

/// A header's value in an environment variable, so that no file contains it.
package struct EnvironmentValue: Record, Hashable, Sendable {
  /// The name of the variable.
  package let environment: String
  /// The text before the variable's value, such as `Bearer `.
  package let prefix: String
  /// Whether requests are sent without the header if the variable isn't set.
  package let optional: Bool

  /// The fields in JSON.
  package static let fields = Fields(
    EnvironmentValue.init,
    Field("environment", \.environment, "The environment variable with the value."),
    Field("prefix", \.prefix, default: "", "The text before the value, such as \"Bearer \"."),
    Field("optional", \.optional, default: false, "Whether the header is left out if the variable isn't set."))
}

extension HeaderValue: JSONDecodable, JSONEncodable, JSONSchemaProviding {
  /// Reads a string or an object.
  package init(json: RawJSON) throws(DecodingFailure) {
    var context = DecodingContext()
    guard let value = Self.decode(json, in: &context) else {
      throw context.failures.first ?? DecodingFailure(expected: "a string or an object", in: json)
    }
    self = value
  }

  /// Reads a string or an object, and reports all mistakes in it.
  package static func decode(_ json: RawJSON, in context: inout DecodingContext) -> HeaderValue? {
    switch json.kind {
    case .object: return EnvironmentValue.decode(json, in: &context).map(HeaderValue.secret)
    case .string:
      if let text = json.string, isHeaderText(text) { return .plain(text) }
      context.report(DecodingFailure(expected: "a text without control characters", in: json))
    default:
      context.report(DecodingFailure(expected: "a string, or an object with 'environment'", in: json))
    }
    return nil
  }

  /// Writes a string or an object.
  package func write(to writer: inout JSONWriter) {
    switch self {
    case .plain(let text): writer.string(text)
    case .secret(let place): place.write(to: &writer)
    }
  }

  /// A string or an object.
  package static var schema: JSONSchema {
    var schema = JSONSchema()
    schema.anyOf = [String.schema, EnvironmentValue.schema]
    return schema
  }
}

/// Whether a text can be a header's value. It must have no control characters, because a line break would end the
/// header.
package func isHeaderText(_ text: String) -> Bool { text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F } }

/// Whether a text can be a header's name: a token of RFC 9110, section 5.6.2.
func isHeaderName(_ text: String) -> Bool {
  !text.isEmpty && text.utf8.allSatisfy { isLetterOrDigit($0) || "!#$%&'*+-.^_`|~".utf8.contains($0) }
}

func isLetterOrDigit(_ byte: UInt8) -> Bool {
  (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
}
