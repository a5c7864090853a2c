/// An enumeration of strings: `enum Direction: String, JSONStringEnum { case next, previous }`.
public protocol JSONStringEnum: RawRepresentable, CaseIterable, JSONDecodable, JSONEncodable, JSONSchemaProviding
where RawValue == String {}

extension JSONStringEnum {
  /// Reads the string of a case.
  public init(json: RawJSON) throws(DecodingFailure) {
    guard let value = json.wireText.flatMap(Self.named) else {
      let cases = Self.allCases.map { $0.rawValue.json.text }
      throw DecodingFailure(expected: alternatives(cases), in: json)
    }
    self = value
  }

  /// The case with a name. Swift's own lookup is fast for names that need no Unicode normalization.
  private static func named(_ name: WireText) -> Self? {
    name.isASCII ? Self(rawValue: name.string) : allCases.first { WireText($0.rawValue) == name }
  }

  /// Writes the case's string.
  public func write(to writer: inout JSONWriter) { writer.string(rawValue) }

  // Swift has its own conformances for enumerations of strings; these methods replace them.

  /// Reads the string of a case.
  public init(from decoder: any Decoder) throws { self = try decoder.whole() }

  /// Writes the case's string.
  public func encode(to encoder: any Encoder) throws { try encoder.fill(with: self) }

  /// A string, one of the cases.
  public static var schema: JSONSchema {
    var schema = JSONSchema(type: .string)
    schema.cases = Self.allCases.map(\.rawValue.json)
    return schema
  }
}

/// Joins alternatives as in a sentence: `a, b or c`; "nothing" for none.
public func alternatives(_ names: [String]) -> String {
  guard let last = names.last else { return "nothing" }
  return names.count == 1 ? last : "\(names.dropLast().joined(separator: ", ")) or \(last)"
}
