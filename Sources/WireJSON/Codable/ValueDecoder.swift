/// Reads a value whose type is `Decodable`: what the type's `init(from:)` asks for is looked up in the JSON.
///
/// A value that lies in another one has a decoder of its own, which knows the one around it: so an error knows its path.
final class ValueDecoder: Decoder {
  /// How many calls of `init(from:)` may be open at once. Each takes up to 5 kB of stack, and a thread other than the main
  /// one may have just 512 kB.
  static let maxDepth = 100

  let json: RawJSON
  let unknownMembers: DecodingContext.UnknownMembers
  private let parent: ValueDecoder?
  private let step: (any CodingKey)?
  private let depth: Int
  private var members: MemberIndex?
  // Whether the value was taken for an object, and which members were asked for, where unknown ones are reported.
  private var hasMembers = false
  private var askedNames: [String] = []
  // Of the outermost decoder: those of values that a type takes apart itself, and the latest error that is a type's own.
  private var parts: [ValueDecoder] = []
  private var stray: DecodingFailure?

  init(_ json: RawJSON, unknownMembers: DecodingContext.UnknownMembers) {
    (self.json, self.unknownMembers, parent, step, depth) = (json, unknownMembers, nil, nil, 0)
  }

  private init(_ json: RawJSON, in parent: ValueDecoder, at step: (any CodingKey)?) throws {
    (self.json, unknownMembers, self.parent, self.step) = (json, parent.unknownMembers, parent, step)
    depth = parent.depth + 1
    guard depth <= ValueDecoder.maxDepth else {
      // Without its path, which is as long as the value is deep.
      let failure = DecodingFailure(expected: "nested at most \(ValueDecoder.maxDepth) deep", in: json)
      throw DecodingError.dataCorrupted(DecodingError.Context(failure, codingPath: []))
    }
  }

  var codingPath: [any CodingKey] { (parent?.codingPath ?? []) + (step.map { [$0] } ?? []) }

  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard json.kind == .object else { throw mismatch("an object", [String: Any].self) }
    let members = members ?? MemberIndex(of: json)
    (self.members, whole.hasMembers) = (members, true)
    return KeyedDecodingContainer(MemberDecoder(decoder: self, members: members))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard json.kind == .array else { throw mismatch("an array", [Any].self) }
    return ElementDecoder(decoder: self, elements: Array(json.elements))
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { self }

  /// Reads the value of the outermost decoder.
  func readAll<Value: Decodable>() throws(DecodingFailure) -> Value {
    // They hold this decoder, which holds them.
    defer { parts = [] }
    do {
      let value = try read(Value.self, json)
      for decoder in [self] + parts { try decoder.refuseUnknownMembers() }
      return value
    } catch {
      throw failure(of: error)
    }
  }

  /// Reads this value, or one that lies in it.
  /// - Parameters:
  ///   - type: The value's type.
  ///   - json: The value.
  ///   - step: The way to it; nil for this value itself.
  /// - Returns: The value.
  /// - Throws: What the type's `init(from:)` throws; of this decoder's own, a `DecodingError` with a ``DecodingFailure``.
  func read<Value: Decodable>(_ type: Value.Type, _ json: RawJSON, at step: (any CodingKey)? = nil) throws -> Value {
    // First of all, so that an author can give a type of another module, such as a date, its spelling on the wire.
    if let type = Value.self as? any JSONDecodable.Type, let value = try readWhole(type, json, at: step) as? Value {
      return value
    }
    let decoder = try ValueDecoder(json, in: self, at: step)
    do {
      let value = try Value(from: decoder)
      if step != nil { try decoder.refuseUnknownMembers() }
      return value
    } catch {
      throw decoder.located(error, from: Value.self)
    }
  }

  @inline(never)
  private func readWhole<Value: JSONDecodable>(
    _ type: Value.Type, _ json: RawJSON, at step: (any CodingKey)?
  ) throws -> Value {
    var context = DecodingContext(unknownMembers: unknownMembers)
    if let value = Value.decode(json, in: &context), context.failures.isEmpty { return value }
    let failure = context.failures.first ?? DecodingFailure(expected: "a valid value", in: json)
    throw error(failure, type, at: step, isNull: json.isNull)
  }

  /// A decoder for a value that lies in this one, for an `init(from:)` that takes it apart itself.
  func part(_ json: RawJSON, at step: any CodingKey) throws -> ValueDecoder {
    let part = try ValueDecoder(json, in: self, at: step)
    if unknownMembers == .reported { outermost.parts.append(part) }
    return part
  }

  /// Notes that the type knows a member.
  func ask(for name: String) {
    if unknownMembers == .reported { whole.askedNames.append(name) }
  }

  /// The first of the decoders for this value: a type may leave it to another type, and read some of it itself.
  private var whole: ValueDecoder { step == nil ? parent?.whole ?? self : self }

  private func refuseUnknownMembers() throws {
    guard unknownMembers == .reported, hasMembers else { return }
    var known: Set<WireText> = []
    let names = askedNames.filter { known.insert(WireText($0)).inserted }
    guard let (name, value) = json.members.first(where: { !known.contains($0.key) }) else { return }
    let expected = alternatives(names.map { "'\($0)'" })
    throw error(DecodingFailure(.unknownMember, expected: expected, in: value, path: [name.string]), RawJSON.self)
  }
}

extension ValueDecoder: SingleValueDecodingContainer {
  func decodeNil() -> Bool { json.isNull }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try read(type, json) }
}

// MARK: - Errors

extension ValueDecoder {
  /// The error for a value that isn't what it should be.
  func mismatch(_ expected: String, _ type: Any.Type) -> DecodingError {
    error(DecodingFailure(expected: expected, in: json), type, isNull: json.isNull)
  }

  /// The error for a value that isn't there.
  @inline(never)
  func missing(_ type: Any.Type, at step: any CodingKey) -> DecodingError {
    error(DecodingFailure(.missing, expected: JSONSchema(of: type).expectation, in: json), type, at: step)
  }

  /// What went wrong, of all that may be thrown.
  private func failure(of error: any Error) -> DecodingFailure {
    if let error = error as? DecodingError, let failure = error.context.underlyingError as? DecodingFailure {
      return failure
    }
    if let stray, WireText(stray.expected) == WireText("\(error)") { return stray }
    return DecodingFailure(.invalid, expected: "\(error)", in: json)
  }

  /// A failure as one of Swift's own errors, which an `init(from:)` may expect and catch.
  @inline(never)
  private func error(
    _ failure: DecodingFailure, _ type: Any.Type, at step: (any CodingKey)? = nil, isNull: Bool = false
  ) -> DecodingError {
    let path = codingPath + (step.map { [$0] } ?? []) + failure.path.map(AnyKey.init)
    var failure = failure
    failure.path = path.map(\.stringValue)
    let context = DecodingError.Context(failure, codingPath: path)
    return switch failure.kind {
    case .missing:
      // Swift's own coders tell of a missing member where the object is.
      step.map { .keyNotFound($0, .init(failure, codingPath: codingPath)) } ?? .valueNotFound(type, context)
    case .mismatch: isNull ? .valueNotFound(type, context) : .typeMismatch(type, context)
    case .unknownMember, .invalid: .dataCorrupted(context)
    }
  }

  /// An error that a type has thrown, with its place. It stays the error that it is, for an `init(from:)` may catch it.
  @inline(never)
  private func located(_ error: any Error, from type: any Decodable.Type) -> any Error {
    var path = codingPath
    guard let error = error as? DecodingError else {
      outermost.note(DecodingFailure(.invalid, expected: "\(error)", in: json, path: path.map(\.stringValue)))
      return error
    }
    let context = error.context
    let known = context.underlyingError as? DecodingFailure
    var (kind, expected) = (DecodingFailure.Kind.invalid, context.debugDescription)
    if context.codingPath.count > path.count {
      path = context.codingPath
      if known != nil { return error }
    } else if let words = expectation(of: type, after: error) {
      (kind, expected) = (.mismatch, words)
    } else if known != nil {
      return error
    }
    let failure = DecodingFailure(kind, expected: expected, in: json, path: path.map(\.stringValue))
    return error.with(DecodingError.Context(failure, codingPath: path))
  }

  /// What a type expects that refuses a value, in the words of this module; nil if the type must say it itself.
  private func expectation(of type: any Decodable.Type, after error: DecodingError) -> String? {
    let schema = JSONSchema(of: type)
    return switch error {
    case .keyNotFound: nil
    case _ where !schema.cases.isEmpty: schema.expectation
    case .dataCorrupted where type is any RawRepresentable.Type: "one of the values of \(type)"
    // So it is with an enumeration that has values in its cases.
    case .typeMismatch(let found, _) where found == type: "an object with one member, the name of a case"
    default: nil
    }
  }

  private var outermost: ValueDecoder { parent?.outermost ?? self }

  /// Keeps the place where an error was thrown first; it may pass through several decoders on its way out.
  private func note(_ failure: DecodingFailure) {
    if stray.map({ WireText($0.expected) }) != WireText(failure.expected) { stray = failure }
  }
}

extension DecodingError.Context {
  fileprivate init(_ failure: DecodingFailure, codingPath: [any CodingKey]) {
    self.init(codingPath: codingPath, debugDescription: failure.message, underlyingError: failure)
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

  fileprivate func with(_ context: Context) -> DecodingError {
    switch self {
    case .typeMismatch(let type, _): .typeMismatch(type, context)
    case .valueNotFound(let type, _): .valueNotFound(type, context)
    case .keyNotFound(let key, _): .keyNotFound(key, context)
    case .dataCorrupted: .dataCorrupted(context)
    @unknown default: .dataCorrupted(context)
    }
  }
}
