/// Writes a value of an `Encodable` type by its `encode(to:)`.
///
/// Each value is written into a separate text, which is inserted into the outer text when it is complete. So a failure
/// that the type catches leaves no trace, and containers that the type nests by hand may be filled in any order.
final class ValueEncoder: Encoder {
  private enum Form { case object, array, value }

  private let place: CodingLocation?
  private let depth: Int
  private var form: Form?
  private var writer = JSONWriter(reserving: 128)
  /// The containers that were nested by hand, and the offsets in the text where they are inserted.
  private var parts: [(offset: Int, encoder: ValueEncoder)] = []
  /// A misuse of the encoder by the type that couldn't be thrown immediately.
  private var misuse: EncodingFailure?
  /// The number of elements of an array.
  private(set) var count = 0

  private init(at place: CodingLocation?, depth: Int) { (self.place, self.depth) = (place, depth) }

  /// Writes a value.
  static func bytes(
    of value: some Encodable, at place: CodingLocation? = nil, depth: Int = 1
  ) throws(EncodingFailure) -> [UInt8] {
    guard depth <= ValueDecoder.maxDepth else { throw .tooDeep }
    let encoder = ValueEncoder(at: place, depth: depth)
    do {
      try value.encode(to: encoder)
      return try encoder.finish()
    } catch {
      throw EncodingFailure(error, at: encoder.codingPath)
    }
  }

  var codingPath: [any CodingKey] { place?.path ?? [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    if begins(.object) { writer.beginObject() }
    return KeyedEncodingContainer(MemberEncoder(encoder: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    if begins(.array) { writer.beginArray() }
    return self
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { self }

  private func begins(_ wanted: Form) -> Bool {
    if form == nil {
      form = wanted
      return true
    }
    if form != wanted || wanted == .value {
      misuse = EncodingFailure(reason: "it was encoded as two values instead of one", at: codingPath)
    }
    return false
  }

  /// Writes a value inside this one; without a step, the value itself.
  func write(_ value: some Encodable, at step: (any CodingKey)? = nil, named name: String? = nil) throws {
    // This comes first, so an author can define the JSON form of a type from another module, such as a date.
    if let value = value as? any JSONEncodable {
      if let name { writer.key(name) }
      return value.write(to: &writer)
    }
    let inner = if let step { CodingLocation(step, in: place) } else { place }
    let bytes = try ValueEncoder.bytes(of: value, at: inner, depth: depth + 1)
    if let name { writer.key(name) }
    writer.raw(bytes.span)
  }

  /// Makes an encoder for a field that is written piece by piece; without a name, for an element.
  func part(at step: some CodingKey, named name: String? = nil) -> ValueEncoder {
    let part = ValueEncoder(at: CodingLocation(step, in: place), depth: depth + 1)
    if depth < ValueDecoder.maxDepth {
      if let name { writer.key(name) }
      parts.append((writer.leaveRoom(), part))
    } else {
      misuse = .tooDeep
    }
    return part
  }

  private func finish() throws(EncodingFailure) -> [UInt8] {
    if let misuse { throw misuse }
    switch form {
    case nil: writer.raw(.emptyObject)
    case .object: writer.endObject()
    case .array: writer.endArray()
    case .value: break
    }
    guard !parts.isEmpty else { return writer.bytes }
    var (bytes, start): ([UInt8], Int) = ([], 0)
    for (offset, part) in parts {
      bytes += writer.bytes[start..<offset]
      bytes += try part.finish()
      start = offset
    }
    return bytes + writer.bytes[start...]
  }
}

extension ValueEncoder: SingleValueEncodingContainer, UnkeyedEncodingContainer {
  func encodeNil() throws { try encode(RawJSON.null) }

  func encode<Value: Encodable>(_ value: Value) throws {
    if form == .array {
      try write(value, at: AnyKey(at: count))
      count += 1
    } else if begins(.value) {
      do {
        try write(value)
      } catch {
        form = nil
        throw error
      }
    }
  }

  func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    element().container(keyedBy: type)
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { element().unkeyedContainer() }

  func superEncoder() -> any Encoder { element() }

  private func element() -> ValueEncoder {
    defer { count += 1 }
    return part(at: AnyKey(at: count))
  }
}

/// The fields of an object, as an `encode(to:)` writes them.
private struct MemberEncoder<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let encoder: ValueEncoder

  var codingPath: [any CodingKey] { encoder.codingPath }

  func encodeNil(forKey key: Key) throws { try encode(RawJSON.null, forKey: key) }

  func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
    try encoder.write(value, at: key, named: key.stringValue)
  }

  func nestedContainer<Inner: CodingKey>(
    keyedBy type: Inner.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Inner> { part(at: key).container(keyedBy: type) }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { part(at: key).unkeyedContainer() }

  func superEncoder() -> any Encoder { part(at: AnyKey("super")) }

  func superEncoder(forKey key: Key) -> any Encoder { part(at: key) }

  private func part(at key: some CodingKey) -> ValueEncoder { encoder.part(at: key, named: key.stringValue) }
}
