extension JSONSchema {
  /// What a type's values look like in JSON, as far as that can be found out.
  ///
  /// A ``JSONSchemaProviding`` type says it, and a `CaseIterable` one has its values. Any other is made to read values that
  /// are made up, and what it asks for is noted. What it would ask for after a value that it refuses stays unknown: so it is
  /// with an enumeration of strings that isn't `CaseIterable`.
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

  /// One of several schemas.
  fileprivate init(oneOf schemas: [JSONSchema]) {
    self = schemas[0]
    guard schemas.count > 1 else { return }
    self = JSONSchema(types: schemas.flatMap(\.types).reduce(into: []) { if !$0.contains($1) { $0.append($1) } })
    // Where a type says it all, the types do.
    if schemas.contains(where: { $0.json.text != JSONSchema(types: $0.types).json.text }) { anyOf = schemas }
  }

  /// A value that fits the schema.
  fileprivate func sample(_ scalars: SampleScalars) -> RawJSON {
    if let value = constant ?? cases.first ?? anyOf.first?.sample(scalars) { return value }
    return switch types.first {
    case .object:
      properties.filter(\.isRequired).reduce(into: [:]) { $0[$1.name] = $1.schema.sample(scalars) }.json
    case .array: .emptyArray
    case .string: scalars.text.json
    case .number, .integer: max(minimum ?? 0, scalars.number).json
    case .boolean: false.json
    case .null, nil: .null
    }
  }
}

/// What is made up for a type to read.
struct SampleScalars {
  let text: String
  let number: Int

  /// Some types refuse what is empty, or what is no id or date.
  static let all = [
    SampleScalars(text: "", number: 0), SampleScalars(text: "1", number: 1),
    SampleScalars(text: "00000000-0000-0000-0000-000000000000", number: 1),
    SampleScalars(text: "2000-01-01T00:00:00Z", number: 1),
  ]
}

/// Finds out about a type, and about the types that it is made of.
final class SchemaSearch {
  /// What was found out about a type, and a value, if it could be made to read one.
  typealias Findings<Value> = (schema: JSONSchema, value: Value?)

  /// Types may go on for ever, such as an `A<T>` with an `A<[T]>` in it.
  private static let maxDepth = 32

  private var known: [ObjectIdentifier: Any] = [:]
  /// The types that are being read.
  private var open: [ObjectIdentifier: SchemaDecoder] = [:]

  /// Finds out about a type.
  /// - Parameters:
  ///   - type: The type.
  ///   - scalars: What its value is made of.
  /// - Returns: What was found out.
  func findings<Value: Decodable>(
    on type: Value.Type, _ scalars: SampleScalars = SampleScalars.all[0]
  ) -> Findings<Value> {
    if let schema = (type as? any JSONSchemaProviding.Type)?.schema {
      let samples = ([scalars] + SampleScalars.all).lazy.map(schema.sample)
      return (schema, samples.compactMap { try? $0.decode(type) }.first)
    }
    let id = ObjectIdentifier(type)
    if let findings = known[id] as? Findings<Value> { return findings }
    guard open[id] == nil, open.count < SchemaSearch.maxDepth else {
      return (JSONSchema(types: open[id]?.types ?? []), nil)
    }
    let findings = enumerate(type) ?? explore(type)
    known[id] = findings
    return findings
  }

  /// The values of a `CaseIterable` type as they are written; nil where it doesn't read what it writes.
  private func enumerate<Value: Decodable>(_ type: Value.Type) -> Findings<Value>? {
    guard let cases = (type as? any CaseIterable.Type)?.casesAsJSON else { return nil }
    let values = cases.compactMap { try? $0.decode(type) }
    guard let first = values.first, values.count == cases.count else { return nil }
    var schema = JSONSchema()
    for type in cases.map(\.schemaType) where !schema.types.contains(type) { schema.types.append(type) }
    schema.cases = cases
    return (schema, first)
  }

  private func explore<Value: Decodable>(_ type: Value.Type) -> Findings<Value> {
    var failed: [SchemaDecoder] = []
    for scalars in SampleScalars.all {
      let decoder = SchemaDecoder(self, scalars)
      if let value = read(type, from: decoder) {
        return (JSONSchema(oneOf: [decoder.schema] + otherChoices(of: type, scalars)), value)
      }
      failed.append(decoder)
    }
    // It refuses them all, but may do without: a recursive type has no element to go on with.
    let furthest = failed.max { $0.memberCount < $1.memberCount }
    furthest?.forgetElements()
    let value = read(type, from: SchemaDecoder(self, SampleScalars.all[0], isEmpty: true))
    return (furthest?.schema ?? JSONSchema(), value)
  }

  /// What a type reads in place of what it tries first: another case, or a string in place of an integer.
  private func otherChoices<Value: Decodable>(of type: Value.Type, _ scalars: SampleScalars) -> [JSONSchema] {
    var schemas: [JSONSchema] = []
    while true {
      let decoder = SchemaDecoder(self, scalars, choice: schemas.count + 1)
      guard read(type, from: decoder) != nil, decoder.hasChosen else { return schemas }
      schemas.append(decoder.schema)
    }
  }

  private func read<Value: Decodable>(_ type: Value.Type, from decoder: SchemaDecoder) -> Value? {
    let id = ObjectIdentifier(type)
    open[id] = decoder
    defer { open[id] = nil }
    return try? Value(from: decoder)
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
