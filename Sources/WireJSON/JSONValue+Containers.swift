extension Optional: JSONDecodable where Wrapped: JSONDecodable {
  /// Reads a value, or nil from `null`.
  public init(json: RawJSON) throws(DecodingFailure) { self = try Self.decodeFirst(json) }

  /// Reads a value, or nil from `null`, reporting everything that is wrong with it.
  public static func decode(_ json: RawJSON, in context: inout DecodingContext) -> Wrapped?? {
    json.isNull ? .some(nil) : Wrapped.decode(json, in: &context).map(Optional.some)
  }

  /// Nil: absent means the same as `null`.
  public static var valueWhenAbsent: Wrapped?? { .some(nil) }
}

extension Optional: JSONEncodable where Wrapped: JSONEncodable {
  /// Whether it is nil.
  public var isAbsent: Bool { self == nil }

  /// Writes the value, or `null`. (A record leaves a member that is nil out.)
  public func write(to writer: inout JSONWriter) {
    if let self { self.write(to: &writer) } else { writer.null() }
  }
}

extension Optional: JSONSchemaProviding where Wrapped: JSONSchemaProviding {
  /// What the wrapped type says; `null` is understood as absent, and never written by a record.
  public static var schema: JSONSchema { Wrapped.schema }
}

extension Array: JSONDecodable where Element: JSONDecodable {
  /// Reads an array.
  public init(json: RawJSON) throws(DecodingFailure) { self = try Self.decodeFirst(json) }

  /// Reads an array, reporting everything that is wrong with its elements.
  public static func decode(_ json: RawJSON, in context: inout DecodingContext) -> [Element]? {
    guard json.kind == .array else {
      context.report(DecodingFailure(expected: "an array", in: json))
      return nil
    }
    var elements: [Element] = []
    var isWhole = true
    for (index, json) in json.elements.enumerated() {
      if let element = context.within("[\(index)]", { Element.decode(json, in: &$0) }) {
        elements.append(element)
      } else {
        isWhole = false
        if context.isFull { break }
      }
    }
    return isWhole ? elements : nil
  }
}

extension Array: JSONEncodable where Element: JSONEncodable {
  /// Writes an array.
  public func write(to writer: inout JSONWriter) {
    writer.beginArray()
    for element in self { element.write(to: &writer) }
    writer.endArray()
  }
}

extension Array: JSONSchemaProviding where Element: JSONSchemaProviding {
  /// An array whose items are what the element's type says.
  public static var schema: JSONSchema {
    var schema = JSONSchema(type: .array)
    schema.items = Element.schema
    return schema
  }
}

extension Dictionary: JSONDecodable where Key == String, Value: JSONDecodable {
  /// Reads an object whose members all have one type.
  public init(json: RawJSON) throws(DecodingFailure) { self = try Self.decodeFirst(json) }

  /// Reads an object, reporting everything that is wrong with its members.
  public static func decode(_ json: RawJSON, in context: inout DecodingContext) -> [String: Value]? {
    guard json.kind == .object else {
      context.report(DecodingFailure(expected: "an object", in: json))
      return nil
    }
    var members: [String: Value] = [:]
    var isWhole = true
    for (name, json) in json.members {
      guard name.string.isComparable else {
        context.report(DecodingFailure(expected: String.comparableNames, in: json))
        return nil
      }
      if let value = context.within(name.string, { Value.decode(json, in: &$0) }) {
        members[name.string] = value
      } else {
        isWhole = false
        if context.isFull { break }
      }
    }
    return isWhole ? members : nil
  }
}

extension Dictionary: JSONEncodable where Key == String, Value: JSONEncodable {
  /// Writes an object, its members ordered by name, so that equal dictionaries give equal bytes.
  public func write(to writer: inout JSONWriter) {
    writer.beginObject()
    for (name, value) in sorted(by: { WireText($0.key) < WireText($1.key) }) {
      writer.key(name)
      value.write(to: &writer)
    }
    writer.endObject()
  }
}

extension Dictionary: JSONSchemaProviding where Key == String, Value: JSONSchemaProviding {
  /// An object whose members are all what the value's type says.
  public static var schema: JSONSchema {
    var schema = JSONSchema(type: .object)
    schema.additionalProperties = Value.schema
    return schema
  }
}

/// An enumeration of strings: `enum Direction: String, JSONStringEnum { case next, previous }`.
public protocol JSONStringEnum: RawRepresentable, CaseIterable, JSONDecodable, JSONEncodable, JSONSchemaProviding
where RawValue == String {}

extension JSONStringEnum {
  /// Reads one of the cases' strings.
  public init(json: RawJSON) throws(DecodingFailure) {
    guard let value = json.wireText.flatMap(Self.named) else {
      let cases = Self.allCases.map { $0.rawValue.json.text }
      throw DecodingFailure(expected: alternatives(cases), in: json)
    }
    self = value
  }

  /// The case of a name. Swift looks for it quickly where nothing needs to be normalized.
  private static func named(_ name: WireText) -> Self? {
    name.isASCII ? Self(rawValue: name.string) : allCases.first { WireText($0.rawValue) == name }
  }

  /// Writes the case's string.
  public func write(to writer: inout JSONWriter) { writer.string(rawValue) }

  // Swift has its own way with enumerations of strings, and must be told which one counts.

  /// Reads one of the cases' strings.
  public init(from decoder: any Decoder) throws { self = try decoder.whole() }

  /// Writes the case's string.
  public func encode(to encoder: any Encoder) throws { try encoder.fill(with: self) }

  /// A string out of the cases'.
  public static var schema: JSONSchema {
    var schema = JSONSchema(type: .string)
    schema.cases = Self.allCases.map(\.rawValue.json)
    return schema
  }
}

/// Joins alternatives as a sentence does: `a, b or c`.
/// - Parameter names: The alternatives.
/// - Returns: The words; "nothing" for none.
public func alternatives(_ names: [String]) -> String {
  guard let last = names.last else { return "nothing" }
  return names.count == 1 ? last : "\(names.dropLast().joined(separator: ", ")) or \(last)"
}
