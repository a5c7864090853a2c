/// Gives a type made-up values to read, and notes what it asks for.
final class SchemaDecoder: Decoder {
  private let search: SchemaSearch
  private let scalars: SampleScalars
  /// Whether arrays have no elements, and optionals no value.
  private let isEmpty: Bool
  /// Which of several things that a type may read it is given, from 0: a case, or the value that it tries to read so often.
  private let choice: Int
  private var refusals = 0
  /// Whether there was such a choice.
  private(set) var hasChosen = false

  private var scalar: JSONSchema?
  private var isNullable = false
  private var members: [(name: String, isRequired: Bool, schema: () -> JSONSchema)]?
  /// The name by which a dictionary's members go.
  private var freeName: String?
  private var elements: [() -> JSONSchema]?
  /// Whether there was no element to be given.
  private var lacksElement = false

  init(_ search: SchemaSearch, _ scalars: SampleScalars, choice: Int = 0, isEmpty: Bool = false) {
    (self.search, self.scalars, self.choice, self.isEmpty) = (search, scalars, choice, isEmpty)
  }

  /// What is known by now of the type's values.
  var types: [JSONSchema.ValueType] {
    scalar?.types ?? (members != nil ? [.object] : elements != nil ? [.array] : [])
  }

  /// How far the type has come.
  var memberCount: Int { members?.count ?? 0 }

  /// Takes back what is known of an array's elements, if the type wanted more of them than the one.
  func forgetElements() { if elements != nil, !lacksElement { elements = [] } }

  /// What the type has asked for.
  var schema: JSONSchema {
    var schema = scalar ?? JSONSchema(types: types)
    for member in members ?? [] {
      if member.name == freeName {
        schema.additionalProperties = member.schema()
      } else {
        schema.properties.append(JSONSchema.Property(member.name, member.schema(), isRequired: member.isRequired))
      }
    }
    let elements = (elements ?? []).map { $0() }
    if Set(elements.map(\.json.text)).count == 1 { schema.items = elements[0] }
    return isNullable ? schema.nullable : schema
  }

  let codingPath: [any CodingKey] = []
  let userInfo: [CodingUserInfoKey: Any] = [:]

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    members = members ?? []
    return KeyedDecodingContainer(Members(decoder: self))
  }

  func unkeyedContainer() -> any UnkeyedDecodingContainer {
    elements = elements ?? []
    return Elements(decoder: self)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { self }

  private func part() -> SchemaDecoder { SchemaDecoder(search, scalars, isEmpty: isEmpty) }

  /// Notes a member. One that is asked for in several ways is required by none of them.
  private func note(_ key: some CodingKey, isRequired: Bool, _ schema: @escaping () -> JSONSchema) {
    let name = key.stringValue
    if let index = members?.firstIndex(where: { $0.name == name }) {
      members?[index].schema = schema
    } else {
      members?.append((name, isRequired, schema))
    }
  }

  /// Makes up a value, and tells its schema before.
  private func value<Value: Decodable>(of type: Value.Type, _ note: (JSONSchema) -> Void) throws -> Value {
    let findings = search.findings(on: type, scalars)
    note(findings.schema)
    guard let value = findings.value else { throw NothingToRead() }
    return value
  }

  /// Says that there is no value for a type to read.
  private struct NothingToRead: Error {}
}

extension SchemaDecoder: SingleValueDecodingContainer {
  func decodeNil() -> Bool {
    isNullable = true
    return isEmpty
  }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    guard refusals == choice else {
      refusals += 1
      throw NothingToRead()
    }
    hasChosen = true
    return try value(of: type) { scalar = $0 }
  }
}

extension SchemaDecoder {
  private struct Members<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let decoder: SchemaDecoder
    let codingPath: [any CodingKey] = []

    var allKeys: [Key] {
      if let type = Key.self as? any CaseIterable.Type {
        decoder.hasChosen = true
        return type.allCasesAsAny.dropFirst(decoder.choice).prefix(1).compactMap { $0 as? Key }
      }
      // Only a dictionary has a key of any name; if its keys are integers, too, this one will do.
      guard !decoder.isEmpty, let key = Key(stringValue: "0") else { return [] }
      decoder.freeName = key.stringValue
      return [key]
    }

    func contains(_ key: Key) -> Bool {
      decoder.note(key, isRequired: false) { JSONSchema() }
      return !decoder.isEmpty
    }

    func decodeNil(forKey key: Key) -> Bool { !contains(key) }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
      try decoder.value(of: type) { schema in decoder.note(key, isRequired: true) { schema } }
    }

    func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) -> Value? {
      _ = try? decoder.value(of: type) { schema in decoder.note(key, isRequired: false) { schema } }
      return nil
    }

    func nestedContainer<Inner: CodingKey>(
      keyedBy type: Inner.Type, forKey key: Key
    ) -> KeyedDecodingContainer<Inner> { part(at: key).container(keyedBy: type) }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedDecodingContainer { part(at: key).unkeyedContainer() }

    func superDecoder() -> any Decoder { part(at: AnyKey("super")) }

    func superDecoder(forKey key: Key) -> any Decoder { part(at: key) }

    private func part(at key: some CodingKey) -> SchemaDecoder {
      let part = decoder.part()
      decoder.note(key, isRequired: true) { part.schema }
      return part
    }
  }

  private struct Elements: UnkeyedDecodingContainer {
    let decoder: SchemaDecoder
    let codingPath: [any CodingKey] = []
    private(set) var currentIndex = 0

    init(decoder: SchemaDecoder) { self.decoder = decoder }

    var count: Int? { nil }
    var isAtEnd: Bool { decoder.isEmpty || currentIndex > 0 }

    func decodeNil() -> Bool { false }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
      currentIndex += 1
      decoder.lacksElement = true
      let element = try decoder.value(of: type) { schema in decoder.elements?.append { schema } }
      decoder.lacksElement = false
      return element
    }

    mutating func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
      part().container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedDecodingContainer { part().unkeyedContainer() }

    mutating func superDecoder() -> any Decoder { part() }

    private mutating func part() -> SchemaDecoder {
      currentIndex += 1
      let part = decoder.part()
      decoder.elements?.append { part.schema }
      return part
    }
  }
}

extension CaseIterable {
  /// All values of a type that isn't known.
  fileprivate static var allCasesAsAny: [Any] { Array(allCases) }
}
