/// A field of a ``Record``, or all fields of another record whose fields are included in this one.
///
/// It consists of closures made at its declaration, where the types are known. They run without looking at the metadata
/// of the types.
public struct Field<Root, Value: JSONValue>: Sendable {
  /// The schema properties: one for a field, several for an included record.
  public let properties: [JSONSchema.Property]
  @usableFromInline let decode: @Sendable (RawJSON, inout DecodingContext) -> Value?
  @usableFromInline let encode: @Sendable (Root, inout JSONWriter) -> Void

  /// Declares a field that reads a property, such as `\.to`, with a description for the schema. The field is required,
  /// unless its type is an optional. Then both an absent field and `null` mean nil.
  @inlinable
  public init(_ name: String, _ read: @escaping @Sendable (Root) -> Value, _ description: String = "") {
    let isRequired = Value.valueWhenAbsent == nil
    let property = JSONSchema.Property(name, Value.schema.described(description), isRequired: isRequired)
    properties = [property]
    decode = { object, context in
      if let json = object.member(name) { return context.within(name) { Value.decode(json, in: &$0) } }
      if let value = Value.valueWhenAbsent { return value }
      context.report(.missing(property, in: object))
      return nil
    }
    encode = { root, writer in
      let value = read(root)
      guard !value.isAbsent else { return }
      writer.key(name)
      value.write(to: &writer)
    }
  }

  /// Declares a field that may be absent, with the value that this means. `null` doesn't count as absent.
  @inlinable
  public init(
    _ name: String, _ read: @escaping @Sendable (Root) -> Value, default defaultValue: Value, _ description: String = ""
  ) where Value: Sendable {
    var schema = Value.schema.described(description)
    schema.defaultValue = defaultValue.json
    properties = [JSONSchema.Property(name, schema, isRequired: false)]
    decode = { object, context in
      guard let json = object.member(name) else { return defaultValue }
      return context.within(name) { Value.decode(json, in: &$0) }
    }
    encode = { root, writer in
      writer.key(name)
      read(root).write(to: &writer)
    }
  }

  /// Declares a field that is always written; nil is written as `null`.
  @inlinable
  public init<Wrapped: JSONValue>(
    nullable name: String, _ read: @escaping @Sendable (Root) -> Value, _ description: String = ""
  ) where Value == Wrapped? {
    properties = [JSONSchema.Property(name, Wrapped.schema.nullable.described(description), isRequired: false)]
    decode = { object, context in
      guard let json = object.member(name) else { return .some(nil) }
      return context.within(name) { Value.decode(json, in: &$0) }
    }
    encode = { root, writer in
      writer.key(name)
      read(root).write(to: &writer)
    }
  }

  /// Includes the fields of another record, which a property such as `\.paging` holds. Several records can share these
  /// fields, which are declared once.
  @inlinable
  public init(flattening read: @escaping @Sendable (Root) -> Value) where Value: Record {
    properties = Value.fields.properties
    decode = { object, context in Value.fields.makeRoot(object, &context) }
    encode = { root, writer in Value.fields.encodeMembers(of: read(root), to: &writer) }
  }
}

extension Field where Value == Int {
  /// Limits the field to a range of numbers, which its schema and its errors name.
  public func limited(to limits: ClosedRange<Int>) -> Field { Field(self, limits) { $0 } }
}

extension Field where Value == Int? {
  /// Limits the field to a range of numbers, which its schema and its errors name.
  public func limited(to limits: ClosedRange<Int>) -> Field { Field(self, limits) { $0 } }
}

extension Field {
  fileprivate init(_ field: Field, _ limits: ClosedRange<Int>, _ make: @escaping @Sendable (Int) -> Value) {
    var property = field.properties[0]
    (property.schema.minimum, property.schema.maximum) = (limits.lowerBound, limits.upperBound)
    let name = property.name
    properties = [property]
    encode = field.encode
    decode = { object, context in
      guard let json = object.member(name), !json.isNull || Value.valueWhenAbsent == nil else {
        return field.decode(object, &context)
      }
      if let int = json.int, limits.contains(int) { return make(int) }
      let expected = "a whole number, \(limits.lowerBound) to \(limits.upperBound)"
      context.report(DecodingFailure(expected: expected, in: json, path: [name]))
      return nil
    }
  }
}

/// The fields of a ``Record``. They decode, encode and describe it.
public struct Fields<Root>: Sendable {
  /// The schema properties of all fields, in their order.
  public let properties: [JSONSchema.Property]
  @usableFromInline let makeRoot: @Sendable (RawJSON, inout DecodingContext) -> Root?
  @usableFromInline let encoders: [@Sendable (Root, inout JSONWriter) -> Void]

  /// Declares the fields of a type. `make`, such as `Swipe.init`, makes a value of the fields' values, and has its
  /// parameters in the same order.
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
      // All fields are decoded before a missing value ends the decoding, so that all failures are reported.
      let decoded = (repeat (each field).decode(object, &context))
      do throws(Missing) {
        return make(repeat try present(each decoded))
      } catch {
        return nil
      }
    }
  }

  /// Reads an object, and reports everything that is wrong with it. Returns nil if a field has no value.
  public func decode(_ json: RawJSON, in context: inout DecodingContext) -> Root? {
    guard context.expect(.object, json) else { return nil }
    if context.unknownMembers == .reported { reportUnknown(json, in: &context) }
    return makeRoot(json, &context)
  }

  private func reportUnknown(_ object: RawJSON, in context: inout DecodingContext) {
    for (name, value) in object.members where !properties.contains(where: { WireText($0.name) == name }) {
      context.report(.unknownMember(name.string, in: value, known: properties.map(\.name)))
      if context.isFull { return }
    }
  }

  /// Writes an object.
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

/// An error for a field without a value.
@usableFromInline
struct Missing: Error {
  @inlinable init() {}
}

@inlinable
func present<Value>(_ value: Value?) throws(Missing) -> Value {
  guard let value else { throw Missing() }
  return value
}
