/// Writes a value whose type is `Encodable`, as the type's `encode(to:)` has it.
///
/// Values that lie in each other share a text, into which they are written in turn. The containers that a type nests by
/// hand it may fill in any order: each is a part with a text of its own, which is put into its place at the end.
final class ValueEncoder: Encoder {
  private enum Form { case nothing, object, array, scalar }

  private let text: EncodedText
  private let parent: ValueEncoder?
  private let step: (any CodingKey)?
  /// The way to a part, which mustn't hold the encoder that holds it.
  private let partPath: [any CodingKey]
  private let depth: Int
  private var form = Form.nothing
  /// How many elements an array has.
  private(set) var count = 0
  private var parts: [(offset: Int, encoder: ValueEncoder)] = []
  /// What is wrong with how the type writes itself, where it can't be thrown at once.
  private var misuse: EncodingFailure?

  private init(
    _ text: EncodedText, in parent: ValueEncoder? = nil, at step: (any CodingKey)? = nil,
    partPath: [any CodingKey] = [], depth: Int
  ) {
    (self.text, self.parent, self.step, self.partPath, self.depth) = (text, parent, step, partPath, depth)
    text.innermost = ObjectIdentifier(self)
  }

  /// An encoder for a value that lies in no other.
  convenience init() { self.init(EncodedText(), depth: 1) }

  /// What was written.
  var bytes: [UInt8] { text.writer.bytes }

  var codingPath: [any CodingKey] { partPath + (parent?.codingPath ?? []) + (step.map { [$0] } ?? []) }

  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    open(.object) { $0.beginObject() }
    return KeyedEncodingContainer(MemberEncoder(encoder: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    open(.array) { $0.beginArray() }
    return ElementEncoder(encoder: self)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { self }

  private func open(_ wanted: Form, _ write: (inout JSONWriter) -> Void) {
    if form == .nothing {
      form = wanted
      write(&text.writer)
    } else if form != wanted || wanted == .scalar {
      misuse = EncodingFailure(reason: "it is written as two values, where one belongs", at: codingPath)
    }
  }

  /// Writes this encoder's value.
  /// - Parameter value: The value.
  /// - Throws: An ``EncodingFailure``, whatever the type has thrown.
  func fill(with value: some Encodable) throws(EncodingFailure) {
    do {
      if depth > ValueDecoder.maxDepth { throw EncodingFailure.tooDeep }
      try value.encode(to: self)
      try finish()
    } catch {
      throw EncodingFailure(error, at: codingPath)
    }
  }

  /// Writes a value that lies in this one.
  /// - Parameters:
  ///   - value: The value.
  ///   - step: The way to it; nil where it stands for this value.
  ///   - name: The name of the member that it is.
  /// - Throws: An ``EncodingFailure``. The text is then as it was before.
  func write<Value: Encodable>(_ value: Value, at step: (any CodingKey)? = nil, named name: String? = nil) throws {
    guard text.innermost == ObjectIdentifier(self) else {
      throw EncodingFailure(reason: "it is written while a value in it is", at: codingPath)
    }
    let mark = text.writer.mark
    if let name { text.writer.key(name) }
    // First of all, so that an author can give a type of another module, such as a date, its spelling on the wire.
    if let value = value as? any JSONEncodable { return value.write(to: &text.writer) }
    defer { text.innermost = ObjectIdentifier(self) }
    do {
      try ValueEncoder(text, in: self, at: step, depth: depth + 1).fill(with: value)
    } catch {
      text.writer.rewind(to: mark)
      throw error
    }
  }

  /// Writes an array's next element.
  func append(_ element: some Encodable) throws {
    try write(element, at: ElementKey(count))
    count += 1
  }

  /// An encoder for a value that lies in this one, for an `encode(to:)` that writes it piece by piece.
  func part(at step: some CodingKey, named name: String) -> ValueEncoder {
    text.writer.key(name)
    return part(at: step)
  }

  /// An encoder for an array's next element.
  func nextPart() -> ValueEncoder {
    defer { count += 1 }
    return part(at: ElementKey(count))
  }

  private func part(at step: some CodingKey) -> ValueEncoder {
    let part = ValueEncoder(EncodedText(), partPath: codingPath + [step], depth: depth + 1)
    if depth < ValueDecoder.maxDepth {
      parts.append((text.writer.leaveRoom(), part))
    } else {
      misuse = .tooDeep
    }
    return part
  }

  private func finish() throws {
    if let misuse { throw misuse }
    for part in parts { try part.encoder.finish() }
    text.writer.insert(parts.map { ($0.offset, $0.encoder.bytes) })
    switch form {
    case .nothing: text.writer.raw(.emptyObject)
    case .object: text.writer.endObject()
    case .array: text.writer.endArray()
    case .scalar: break
    }
  }
}

extension ValueEncoder: SingleValueEncodingContainer {
  func encodeNil() throws { try encode(RawJSON.null) }

  func encode<Value: Encodable>(_ value: Value) throws {
    open(.scalar) { _ in }
    do {
      try write(value)
    } catch {
      form = .nothing
      throw error
    }
  }
}

/// A text that values are written into, one within the other.
private final class EncodedText {
  var writer = JSONWriter(reserving: 128)
  /// Whose turn it is to write.
  var innermost: ObjectIdentifier?
}

/// The members of an object as an `encode(to:)` writes them.
private struct MemberEncoder<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let encoder: ValueEncoder

  var codingPath: [any CodingKey] { encoder.codingPath }

  func encodeNil(forKey key: Key) throws { try encode(RawJSON.null, forKey: key) }

  func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
    try encoder.write(value, at: key, named: key.stringValue)
  }

  func nestedContainer<Inner: CodingKey>(
    keyedBy type: Inner.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Inner> {
    encoder.part(at: key, named: key.stringValue).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    encoder.part(at: key, named: key.stringValue).unkeyedContainer()
  }

  func superEncoder() -> any Encoder { encoder.part(at: AnyKey("super"), named: "super") }

  func superEncoder(forKey key: Key) -> any Encoder { encoder.part(at: key, named: key.stringValue) }
}

/// The elements of an array as an `encode(to:)` writes them.
private struct ElementEncoder: UnkeyedEncodingContainer {
  let encoder: ValueEncoder

  var codingPath: [any CodingKey] { encoder.codingPath }
  var count: Int { encoder.count }

  func encodeNil() throws { try encode(RawJSON.null) }

  func encode<Value: Encodable>(_ value: Value) throws { try encoder.append(value) }

  func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    encoder.nextPart().container(keyedBy: type)
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { encoder.nextPart().unkeyedContainer() }

  func superEncoder() -> any Encoder { encoder.nextPart() }
}
