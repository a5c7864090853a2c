/// The elements of an array as an `init(from:)` asks for them.
struct ElementDecoder: UnkeyedDecodingContainer {
  let decoder: ValueDecoder
  let elements: [RawJSON]
  private(set) var currentIndex = 0

  init(decoder: ValueDecoder, elements: [RawJSON]) { (self.decoder, self.elements) = (decoder, elements) }

  var codingPath: [any CodingKey] { decoder.codingPath }
  var count: Int? { elements.count }
  var isAtEnd: Bool { currentIndex == elements.count }

  mutating func decodeNil() throws -> Bool {
    let isNull = try element(RawJSON.self).isNull
    if isNull { currentIndex += 1 }
    return isNull
  }

  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    let value = try decoder.read(type, element(type), at: ElementKey(currentIndex))
    currentIndex += 1
    return value
  }

  mutating func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    let container = try part([String: RawJSON].self).container(keyedBy: type)
    currentIndex += 1
    return container
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    let container = try part([RawJSON].self).unkeyedContainer()
    currentIndex += 1
    return container
  }

  mutating func superDecoder() throws -> any Decoder {
    let part = try part(RawJSON.self)
    currentIndex += 1
    return part
  }

  private func part(_ type: Any.Type) throws -> ValueDecoder {
    try decoder.part(element(type), at: ElementKey(currentIndex))
  }

  private func element(_ type: Any.Type) throws -> RawJSON {
    guard !isAtEnd else { throw decoder.missing(type, at: ElementKey(currentIndex)) }
    return elements[currentIndex]
  }
}

/// A member's name, whatever it is.
struct AnyKey: CodingKey {
  let stringValue: String

  init(_ name: String) { stringValue = name }
  init?(stringValue: String) { self.init(stringValue) }

  var intValue: Int? { nil }
  init?(intValue: Int) { nil }
}

/// The place of an array's element.
struct ElementKey: CodingKey {
  private let index: Int

  init(_ index: Int) { self.index = index }

  var intValue: Int? { index }
  init?(intValue: Int) { self.init(intValue) }

  var stringValue: String { "[\(index)]" }
  init?(stringValue: String) { nil }
}
