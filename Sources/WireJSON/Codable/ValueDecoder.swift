/// Reads a value of a `Decodable` type: a decoder that looks up what the type's `init(from:)` requests in the JSON.
struct ValueDecoder: Decoder {
  /// The limit of nested calls of `init(from:)`. Each takes up to 5 kB of stack, and a thread other than the main one
  /// may have only 512 kB.
  static let maxDepth = 100

  let json: RawJSON
  let known: KnownMembers
  private let place: CodingLocation?
  private let depth: Int

  private init(_ json: RawJSON, _ known: KnownMembers, at place: CodingLocation?, depth: Int) throws {
    (self.json, self.known, self.place, self.depth) = (json, known, place, depth)
    guard depth <= ValueDecoder.maxDepth else {
      // Without a path, which would be as long as the value is deep.
      let failure = DecodingFailure(expected: "nested at most \(ValueDecoder.maxDepth) deep", in: json)
      throw DecodingError.dataCorrupted(DecodingError.Context(failure, at: []))
    }
  }

  static func read<Value: Decodable>(
    _ json: RawJSON, unknownMembers: DecodingContext.UnknownMembers
  ) throws(DecodingFailure) -> Value {
    // A `JSONDecodable` type needs no decoder.
    if let type = Value.self as? any JSONDecodable.Type, let value = try type.read(json, unknownMembers) as? Value {
      return value
    }
    let known = KnownMembers(unknownMembers)
    do {
      let value = try ValueDecoder(json, known, at: nil, depth: 0).decode(Value.self)
      try known.refuseOthers()
      return value
    } catch {
      throw (error as? DecodingError)?.context.underlyingError as? DecodingFailure
        ?? DecodingFailure(.invalid, expected: "\(error)", in: json)
    }
  }

  var codingPath: [any CodingKey] { place?.path ?? [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard json.kind == .object else {
      throw error(DecodingFailure(expected: "an object", in: json), [String: Any].self)
    }
    known.record(nil, of: self)
    let members = json.members.reduce(into: [:]) { $0[$1.key] = $1.value }
    guard members.keys.allSatisfy(\.string.isComparable) else {
      throw error(DecodingFailure(expected: String.comparableNames, in: json), [String: Any].self)
    }
    return KeyedDecodingContainer(MemberDecoder(decoder: self, members: members))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard json.kind == .array else { throw error(DecodingFailure(expected: "an array", in: json), [Any].self) }
    return ElementDecoder(decoder: self, elements: Array(json.elements))
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { self }

  /// Makes a decoder for a value inside this one; without a step, for this value again.
  func inner(_ json: RawJSON, at step: (any CodingKey)?) throws -> ValueDecoder {
    try ValueDecoder(json, known, at: step.map { CodingLocation($0, in: place) } ?? place, depth: depth + 1)
  }

  /// Reads a value inside this one; without a step, this value itself.
  func read<Value: Decodable>(_ type: Value.Type, _ json: RawJSON, at step: (any CodingKey)? = nil) throws -> Value {
    // This comes first, so an author can define the JSON form of a type from another module, such as a date.
    if let type = type as? any JSONDecodable.Type, let value = try readWhole(type, json, at: step) as? Value {
      return value
    }
    let decoder = try inner(json, at: step)
    do {
      return try Value(from: decoder)
    } catch {
      throw decoder.explained(error, type)
    }
  }

  private func readWhole<Value: JSONDecodable>(
    _ type: Value.Type, _ json: RawJSON, at step: (any CodingKey)?
  ) throws -> Value {
    var context = DecodingContext(unknownMembers: known.others)
    if let value = Value.decode(json, in: &context), context.failures.isEmpty { return value }
    throw error(context.failures.first ?? DecodingFailure(expected: "a valid value", in: json), type, at: step)
  }
}

extension ValueDecoder: SingleValueDecodingContainer {
  func decodeNil() -> Bool { json.isNull }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try read(type, json) }
}

// MARK: - Errors

extension ValueDecoder {
  /// Converts a failure to one of Swift's own errors, which an `init(from:)` may expect and catch.
  func error(_ failure: DecodingFailure, _ type: Any.Type, at step: (any CodingKey)? = nil) -> DecodingError {
    let path = codingPath + (step.map { [$0] } ?? []) + failure.path.map(AnyKey.init)
    var failure = failure
    failure.path = path.map(\.stringValue)
    let context = DecodingError.Context(failure, at: path)
    switch failure.kind {
    // Like Swift's own decoders, reports a missing field at the path of the object.
    case .missing: return .keyNotFound(path.last ?? AnyKey(""), DecodingError.Context(failure, at: codingPath))
    case .mismatch:
      let isNull = JSONKind(startingWith: json.storage[failure.offset]) == .null
      return isNull ? .valueNotFound(type, context) : .typeMismatch(type, context)
    case .unknownMember, .invalid: return .dataCorrupted(context)
    }
  }

  func missing(_ type: Any.Type, at step: any CodingKey) -> DecodingError {
    error(DecodingFailure(.missing, expected: JSONSchema(of: type).expectation, in: json), type, at: step)
  }

  /// Converts an error that a type's own `init(from:)` has thrown: adds the path, and replaces the message by this
  /// module's if it has a better one.
  private func explained(_ error: any Error, _ type: any Decodable.Type) -> DecodingError {
    guard let error = error as? DecodingError else {
      return self.error(DecodingFailure(.invalid, expected: "\(error)", in: json), type)
    }
    let inside = error.context.codingPath.dropFirst(codingPath.count).map(\.stringValue)
    if inside.isEmpty, let expected = expectation(of: type, after: error) {
      let explained = self.error(DecodingFailure(expected: expected, in: json), type)
      if case .dataCorrupted = error { return .dataCorrupted(explained.context) }
      return explained
    }
    if error.context.underlyingError is DecodingFailure { return error }
    return self.error(DecodingFailure(.invalid, expected: error.context.debugDescription, in: json, path: inside), type)
  }

  /// What an enumeration expects when it refuses a value; nil if this is unknown.
  private func expectation(of type: any Decodable.Type, after error: DecodingError) -> String? {
    switch error {
    case .keyNotFound: nil
    case _ where type is any CaseIterable.Type: JSONSchema(of: type).expectation
    case .dataCorrupted where type is any RawRepresentable.Type: "one of the values of \(type)"
    // An enumeration with associated values throws this error.
    case .typeMismatch(let found, _) where found == type: "an object with one field, the name of a case"
    default: nil
    }
  }
}

extension DecodingError.Context {
  fileprivate init(_ failure: DecodingFailure, at path: [any CodingKey]) {
    self.init(codingPath: path, debugDescription: failure.message, underlyingError: failure)
  }
}

extension DecodingError {
  fileprivate var context: Context {
    switch self {
    case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context),
      .dataCorrupted(let context):
      context
    @unknown default: Context(codingPath: [], debugDescription: "\(self)")
    }
  }
}

// MARK: - Containers

/// The fields of an object, as an `init(from:)` requests them.
private struct MemberDecoder<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let decoder: ValueDecoder
  let members: [WireText: RawJSON]

  var codingPath: [any CodingKey] { decoder.codingPath }
  var allKeys: [Key] { members.keys.sorted().compactMap { Key(stringValue: $0.string) }.filter(contains) }

  func contains(_ key: Key) -> Bool { find(key) != nil }

  func decodeNil(forKey key: Key) throws -> Bool { try member(RawJSON.self, key).isNull }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    try decoder.read(type, member(type, key), at: key)
  }

  func nestedContainer<Inner: CodingKey>(
    keyedBy type: Inner.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Inner> {
    try decoder.inner(member([String: RawJSON].self, key), at: key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try decoder.inner(member([RawJSON].self, key), at: key).unkeyedContainer()
  }

  func superDecoder() throws -> any Decoder { try decoder.inner(find(AnyKey("super")) ?? .null, at: AnyKey("super")) }

  func superDecoder(forKey key: Key) throws -> any Decoder { try decoder.inner(find(key) ?? .null, at: key) }

  private func find(_ key: some CodingKey) -> RawJSON? {
    decoder.known.record(key.stringValue, of: decoder)
    return members[WireText(key.stringValue)]
  }

  private func member(_ type: Any.Type, _ key: Key) throws -> RawJSON {
    guard let json = find(key) else { throw decoder.missing(type, at: key) }
    return json
  }
}

/// The elements of an array, as an `init(from:)` requests them.
private struct ElementDecoder: UnkeyedDecodingContainer {
  let decoder: ValueDecoder
  let elements: [RawJSON]
  var currentIndex = 0

  var codingPath: [any CodingKey] { decoder.codingPath }
  var count: Int? { elements.count }
  var isAtEnd: Bool { currentIndex == elements.count }

  mutating func decodeNil() throws -> Bool {
    let isNull = try next(RawJSON.self) { _, json, _ in json.isNull }
    if !isNull { currentIndex -= 1 }
    return isNull
  }

  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    try next(type) { try $0.read(type, $1, at: $2) }
  }

  mutating func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    try next([String: RawJSON].self) { try $0.inner($1, at: $2).container(keyedBy: type) }
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try next([RawJSON].self) { try $0.inner($1, at: $2).unkeyedContainer() }
  }

  mutating func superDecoder() throws -> any Decoder { try next(RawJSON.self) { try $0.inner($1, at: $2) } }

  /// Reads the current element, and moves to the next one unless that throws.
  private mutating func next<Value>(
    _ type: Any.Type, _ read: (ValueDecoder, RawJSON, AnyKey) throws -> Value
  ) throws -> Value {
    let key = AnyKey(at: currentIndex)
    guard !isAtEnd else { throw decoder.missing(type, at: key) }
    let value = try read(decoder, elements[currentIndex], key)
    currentIndex += 1
    return value
  }
}
