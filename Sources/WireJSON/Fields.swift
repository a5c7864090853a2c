/// The fields of a ``Record``: what decodes, encodes and describes it.
public struct Fields<Root>: Sendable {
  /// The fields as an object's properties, in their order.
  public let properties: [JSONSchema.Property]
  @usableFromInline let makeRoot: @Sendable (RawJSON, inout DecodingContext) -> Root?
  @usableFromInline let encoders: [@Sendable (Root, inout JSONWriter) -> Void]

  /// Declares the fields of a type.
  /// - Parameters:
  ///   - make: Makes the value from the fields' values, such as `Swipe.init`.
  ///   - field: The fields, in the order of that function's parameters.
  @inlinable
  public init<each Value>(
    _ make: @escaping @Sendable (repeat each Value) -> Root, _ field: repeat Field<Root, each Value>
  ) {
    var properties: [JSONSchema.Property] = []
    var encoders: [@Sendable (Root, inout JSONWriter) -> Void] = []
    for field in repeat each field {
      properties += field.properties
      encoders.append(field.encode)
    }
    self.properties = properties
    self.encoders = encoders
    makeRoot = { object, context in
      // Every field is decoded before any is missed, so that all failures are reported.
      let decoded = (repeat (each field).decode(object, &context))
      do throws(Missing) {
        return make(repeat try present(each decoded))
      } catch {
        return nil
      }
    }
  }

  /// Reads an object, reporting everything that is wrong with it.
  /// - Parameters:
  ///   - json: The value.
  ///   - context: Takes the failures.
  /// - Returns: The value; nil if a field has none.
  public func decode(_ json: RawJSON, in context: inout DecodingContext) -> Root? {
    guard json.kind == .object else {
      context.report(DecodingFailure(expected: "an object", in: json))
      return nil
    }
    if context.unknownMembers == .reported { reportUnknown(json, in: &context) }
    return makeRoot(json, &context)
  }

  private func reportUnknown(_ object: RawJSON, in context: inout DecodingContext) {
    for (name, value) in object.members where !properties.contains(where: { WireText($0.name) == name }) {
      let known = alternatives(properties.map { "'\($0.name)'" })
      context.report(DecodingFailure(.unknownMember, expected: known, in: value, path: [name.string]))
      if context.isFull { return }
    }
  }

  /// Writes an object.
  /// - Parameters:
  ///   - root: The value.
  ///   - writer: Takes the object.
  public func encode(_ root: Root, to writer: inout JSONWriter) {
    writer.beginObject()
    encodeMembers(of: root, to: &writer)
    writer.endObject()
  }

  @usableFromInline
  func encodeMembers(of root: Root, to writer: inout JSONWriter) {
    for encode in encoders { encode(root, &writer) }
  }
}

/// Says that a field has no value.
@usableFromInline
struct Missing: Error {
  @inlinable init() {}
}

@inlinable
func present<Value>(_ value: Value?) throws(Missing) -> Value {
  guard let value else { throw Missing() }
  return value
}

extension JSONSchema {
  /// What the schema asks for, in words for a person that follow "must be".
  public var expectation: String {
    if !cases.isEmpty { return alternatives(cases.map(\.text)) }
    if types.isEmpty, !anyOf.isEmpty { return alternatives(anyOf.map(\.expectation)) }
    let names = types.map { type in
      switch type {
      case .object: "an object"
      case .array: "an array"
      case .string: "a string"
      case .number: "a number"
      case .integer: "an integer"
      case .boolean: "true or false"
      case .null: "null"
      }
    }
    return names.isEmpty ? "a value" : alternatives(names)
  }
}
