extension JSONSchema {
  /// What a type's values look like in JSON, as far as that can be found out.
  ///
  /// A ``JSONSchemaProviding`` type says it, and a `CaseIterable` one has its values. Any other is made to read values that
  /// are made up, and what it asks for is noted. What it would ask for after a value that it refuses stays unknown, as with
  /// an enumeration of strings that isn't `CaseIterable`; and of what it tries one after the other the first counts.
  /// - Parameter type: The type. Of one that isn't `Decodable` nothing is known.
  public init(of type: Any.Type) {
    if let type = type as? any JSONSchemaProviding.Type {
      self = type.schema
    } else if let type = type as? any Decodable.Type {
      self = SchemaSearch().findings(on: type).schema
    } else {
      self.init()
    }
  }

  /// A value that a type reads of what is made up for it; nil where it refuses that.
  package static func example<Value: Decodable>(of type: Value.Type) -> Value? {
    SchemaSearch().findings(on: type).value
  }

  /// A value that fits the schema.
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

/// What is made up for a type to read.
private struct Sample {
  var text = ""
  var number = 0
  /// Whether arrays have no elements, and optionals no value: a recursive type has nothing else to go on with.
  var isEmpty = false

  /// Some types refuse what is empty, or what is no id or date.
  static let all = [
    Sample(), Sample(text: "1", number: 1), Sample(text: "00000000-0000-0000-0000-000000000000", number: 1),
    Sample(text: "2000-01-01T00:00:00Z", number: 1), Sample(isEmpty: true),
  ]
}

/// Finds out about a type, and about the types that it is made of.
private final class SchemaSearch {
  /// What was found out about a type, and a value, if it could be made to read one.
  typealias Findings<Value> = (schema: JSONSchema, value: Value?)

  /// Types may go on for ever, such as an `A<T>` with an `A<[T]>` in it.
  private static let maxDepth = 32

  private var known: [ObjectIdentifier: Any] = [:]
  /// The types that are being read.
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

  /// The values of a `CaseIterable` type as they are written; nil where it doesn't read what it writes.
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
        // It wanted other elements than the one.
        if !(error is SchemaDecoder.NothingToRead) { decoder.elements?.removeAll() }
        if furthest.map({ $0.memberCount < decoder.memberCount }) ?? true { furthest = decoder }
      }
    }
    return (furthest?.schema ?? JSONSchema(), nil)
  }
}

/// Gives a type made-up values to read, and notes what it asks for.
private final class SchemaDecoder: Decoder, SingleValueDecodingContainer {
  struct NothingToRead: Error {}

  let search: SchemaSearch
  let sample: Sample
  var scalar: JSONSchema?
  var isNullable = false
  var members: [(name: String, isRequired: Bool, schema: () -> JSONSchema)]?
  /// The name by which a dictionary's members go.
  var freeName: String?
  var elements: [() -> JSONSchema]?

  init(_ search: SchemaSearch, _ sample: Sample) { (self.search, self.sample) = (search, sample) }

  var memberCount: Int { members?.count ?? 0 }

  /// What is known by now of the type's values.
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

  /// Makes up a value, and tells its schema before.
  func value<Value: Decodable>(of type: Value.Type, _ note: (JSONSchema) -> Void) throws -> Value {
    let findings = search.findings(on: type, sample)
    note(findings.schema)
    guard let value = findings.value else { throw NothingToRead() }
    return value
  }

  /// Notes a member. One that is asked for in several ways is as it was first required or not.
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
    // Only a dictionary has a key of any name; if its keys are integers, too, this one will do.
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

/// One element, and as many more as a type asks for without looking whether there are any.
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
  /// All values as they are written, or as their raw values are; nil if neither can be.
  fileprivate static var casesAsJSON: [RawJSON]? {
    let values = allCases.compactMap {
      $0 as? any Encodable ?? ($0 as? any RawRepresentable)?.rawValue as? any Encodable
    }
    let cases = values.compactMap { try? RawJSON(encoding: $0) }
    return cases.count == allCases.count ? cases : nil
  }
}
