extension JSONSchema {
  /// Makes a schema of the JSON that a type's values have, as far as it can be found out.
  ///
  /// A ``JSONSchemaProviding`` type declares its schema, and the values of a `CaseIterable` type are listed. Any other
  /// type decodes made-up values, and everything that it requests is recorded. This has limits: if the type refuses a
  /// value, its later requests stay unknown, as for an enumeration of strings that isn't `CaseIterable`. If it tries
  /// several alternatives, the first counts.
  /// - Parameter type: The type. If it isn't `Decodable`, the schema allows anything.
  public init(of type: Any.Type) {
    if let type = type as? any JSONSchemaProviding.Type {
      self = type.schema
    } else if let type = type as? any Decodable.Type {
      self = SchemaSearch().findings(on: type).schema
    } else {
      self.init()
    }
  }

  /// Decodes an example value of a type from made-up JSON; nil if the type refuses it.
  package static func example<Value: Decodable>(of type: Value.Type) -> Value? {
    SchemaSearch().findings(on: type).value
  }

  /// A JSON value that fits the schema, for an example. Texts and numbers are 1.
  package var example: RawJSON { value(by: Sample(text: "1", number: 1)) }

  /// Makes a JSON value that fits the schema.
  fileprivate func value(by sample: Sample) -> RawJSON {
    if let value = constant ?? cases.first ?? anyOf.first?.value(by: sample) { return value }
    return switch types.first {
    case .object:
      properties.filter(\.isRequired).reduce(into: [:]) { $0[$1.name] = $1.schema.value(by: sample) }.json
    case .array: .emptyArray
    case .string: sample.text.json
    case .number, .integer: max(minimum ?? 0, sample.number).json
    case .boolean: false.json
    case .null, nil: .null
    }
  }
}

/// Made-up values that a type decodes.
private struct Sample {
  var text = ""
  var number = 0
  /// Whether arrays are empty and optionals are nil. A recursive type can't be decoded otherwise.
  var isEmpty = false

  /// Several samples, because some types refuse empty values, or values that aren't an id or a date.
  static let all = [
    Sample(), Sample(text: "1", number: 1), Sample(text: "00000000-0000-0000-0000-000000000000", number: 1),
    Sample(text: "2000-01-01T00:00:00Z", number: 1), Sample(isEmpty: true),
  ]
}

/// Finds the schemas of a type and of the types that it consists of.
private final class SchemaSearch {
  /// The schema of a type, and an example value if one could be decoded.
  typealias Findings<Value> = (schema: JSONSchema, value: Value?)

  /// Generic types may be nested without end, such as an `A<T>` that contains an `A<[T]>`.
  private static let maxDepth = 32

  private var known: [ObjectIdentifier: Any] = [:]
  /// The types that are being decoded.
  private var open: [ObjectIdentifier: SchemaDecoder] = [:]

  func findings<Value: Decodable>(on type: Value.Type, _ sample: Sample = Sample()) -> Findings<Value> {
    if let schema = (type as? any JSONSchemaProviding.Type)?.schema {
      return (schema, ([sample] + Sample.all).lazy.compactMap { try? schema.value(by: $0).decode(type) }.first)
    }
    let id = ObjectIdentifier(type)
    if let findings = known[id] as? Findings<Value> { return findings }
    guard open[id] == nil, open.count < SchemaSearch.maxDepth else {
      return (JSONSchema(types: open[id]?.types ?? []), nil)
    }
    let findings = cases(of: type) ?? explore(type)
    known[id] = findings
    return findings
  }

  /// The encoded values of a `CaseIterable` type; nil if the type can't decode what it encodes.
  private func cases<Value: Decodable>(of type: Value.Type) -> Findings<Value>? {
    guard let cases = (type as? any CaseIterable.Type)?.casesAsJSON else { return nil }
    let values = cases.compactMap { try? $0.decode(type) }
    guard let first = values.first, values.count == cases.count else { return nil }
    var schema = JSONSchema()
    for type in cases.map(\.schemaType) where !schema.types.contains(type) { schema.types.append(type) }
    schema.cases = cases
    return (schema, first)
  }

  private func explore<Value: Decodable>(_ type: Value.Type) -> Findings<Value> {
    let id = ObjectIdentifier(type)
    var furthest: SchemaDecoder?
    for sample in Sample.all {
      let decoder = SchemaDecoder(self, sample)
      open[id] = decoder
      defer { open[id] = nil }
      do {
        let value = try Value(from: decoder)
        return (sample.isEmpty ? furthest?.schema ?? decoder.schema : decoder.schema, value)
      } catch {
        // The type expected elements of different types, so the one element is wrong.
        if !(error is SchemaDecoder.NothingToRead) { decoder.elements?.removeAll() }
        if furthest.map({ $0.memberCount < decoder.memberCount }) ?? true { furthest = decoder }
      }
    }
    return (furthest?.schema ?? JSONSchema(), nil)
  }
}

/// A decoder that gives a type made-up values, and records what the type requests.
private final class SchemaDecoder: Decoder, SingleValueDecodingContainer {
  struct NothingToRead: Error {}

  let search: SchemaSearch
  let sample: Sample
  var scalar: JSONSchema?
  var isNullable = false
  var members: [(name: String, isRequired: Bool, schema: () -> JSONSchema)]?
  /// The made-up field name that stands for any key of a dictionary.
  var freeName: String?
  var elements: [() -> JSONSchema]?

  init(_ search: SchemaSearch, _ sample: Sample) { (self.search, self.sample) = (search, sample) }

  var memberCount: Int { members?.count ?? 0 }

  /// The JSON types of the values, as far as they are known.
  var types: [JSONSchema.ValueType] {
    scalar?.types ?? (members != nil ? [.object] : elements != nil ? [.array] : [])
  }

  var schema: JSONSchema {
    var schema = scalar ?? JSONSchema(types: types)
    for (name, isRequired, member) in members ?? [] {
      if name == freeName {
        schema.additionalProperties = member()
      } else {
        schema.properties.append(JSONSchema.Property(name, member(), isRequired: isRequired))
      }
    }
    let elements = (elements ?? []).map { $0() }
    if Set(elements.map(\.json.text)).count == 1 { schema.items = elements[0] }
    return isNullable ? schema.nullable : schema
  }

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    members = members ?? []
    return KeyedDecodingContainer(SchemaMembers(decoder: self))
  }

  func unkeyedContainer() -> any UnkeyedDecodingContainer {
    elements = elements ?? []
    return SchemaElements(decoder: self)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { self }

  func decodeNil() -> Bool {
    isNullable = true
    return sample.isEmpty
  }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try value(of: type) { scalar = $0 } }

  /// Makes up a value, after calling `note` with its schema.
  func value<Value: Decodable>(of type: Value.Type, _ note: (JSONSchema) -> Void) throws -> Value {
    let findings = search.findings(on: type, sample)
    note(findings.schema)
    guard let value = findings.value else { throw NothingToRead() }
    return value
  }

  /// Records a field. If it is requested several times, the first request decides whether it is required.
  func record(_ key: some CodingKey, isRequired: Bool, _ schema: @escaping () -> JSONSchema) {
    if let index = members?.firstIndex(where: { $0.name == key.stringValue }) {
      members?[index].schema = schema
    } else {
      members?.append((key.stringValue, isRequired, schema))
    }
  }
}

private struct SchemaMembers<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let decoder: SchemaDecoder

  var codingPath: [any CodingKey] { [] }

  var allKeys: [Key] {
    // Only a dictionary accepts a key with any name. "0" also fits dictionaries with integer keys.
    guard !decoder.sample.isEmpty, let key = Key(stringValue: "0") else { return [] }
    decoder.freeName = key.stringValue
    return [key]
  }

  func contains(_ key: Key) -> Bool {
    decoder.record(key, isRequired: false) { JSONSchema() }
    return !decoder.sample.isEmpty
  }

  func decodeNil(forKey key: Key) -> Bool { !contains(key) }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    try decoder.value(of: type) { schema in decoder.record(key, isRequired: true) { schema } }
  }

  func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) -> Value? {
    _ = try? decoder.value(of: type) { schema in decoder.record(key, isRequired: false) { schema } }
    return nil
  }

  func nestedContainer<Inner: CodingKey>(
    keyedBy type: Inner.Type, forKey key: Key
  ) -> KeyedDecodingContainer<Inner> { part(at: key).container(keyedBy: type) }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedDecodingContainer { part(at: key).unkeyedContainer() }

  func superDecoder() -> any Decoder { part(at: AnyKey("super")) }

  func superDecoder(forKey key: Key) -> any Decoder { part(at: key) }

  private func part(at key: some CodingKey) -> SchemaDecoder {
    let part = SchemaDecoder(decoder.search, decoder.sample)
    decoder.record(key, isRequired: true) { part.schema }
    return part
  }
}

/// Elements for a type to decode: one, and more if the type requests them without checking for the end.
private struct SchemaElements: UnkeyedDecodingContainer {
  let decoder: SchemaDecoder
  var currentIndex = 0

  var codingPath: [any CodingKey] { [] }
  var count: Int? { nil }
  var isAtEnd: Bool { decoder.sample.isEmpty || currentIndex > 0 }

  func decodeNil() -> Bool { false }

  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    currentIndex += 1
    return try decoder.value(of: type) { schema in decoder.elements?.append { schema } }
  }

  mutating func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    part().container(keyedBy: type)
  }

  mutating func nestedUnkeyedContainer() -> any UnkeyedDecodingContainer { part().unkeyedContainer() }

  mutating func superDecoder() -> any Decoder { part() }

  private mutating func part() -> SchemaDecoder {
    currentIndex += 1
    let part = SchemaDecoder(decoder.search, decoder.sample)
    decoder.elements?.append { part.schema }
    return part
  }
}

extension RawJSON {
  fileprivate var schemaType: JSONSchema.ValueType {
    switch kind {
    case .object: .object
    case .array: .array
    case .string: .string
    case .number: int == nil ? .number : .integer
    case .bool: .boolean
    case .null: .null
    }
  }
}

extension CaseIterable {
  /// All values in encoded form, or their raw values in encoded form; nil if neither can be encoded.
  fileprivate static var casesAsJSON: [RawJSON]? {
    let values = allCases.compactMap {
      $0 as? any Encodable ?? ($0 as? any RawRepresentable)?.rawValue as? any Encodable
    }
    let cases = values.compactMap { try? RawJSON(encoding: $0) }
    return cases.count == allCases.count ? cases : nil
  }
}
