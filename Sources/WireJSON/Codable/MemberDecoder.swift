/// The members of an object by their names, found on one way through it.
struct MemberIndex {
  /// Up to so many are looked through one by one, which is quicker than hashing.
  private static let fewMembers = 16

  private let object: RawJSON
  private var places: [JSONScanner.Member] = []
  private var placesByName: [[UInt8]: Int] = [:]

  init(of object: RawJSON) {
    self.object = object
    places = JSONScanner.scan(object.storage.span.extracting(..<object.end), from: object.start, maxDepth: .max) {
      scanner in
      var places: [JSONScanner.Member] = []
      try? scanner.skipObject(depth: 0) { _, member in places.append(member) }
      return places
    }
    guard places.count > MemberIndex.fewMembers else { return }
    placesByName.reserveCapacity(places.count)
    for place in places.indices { placesByName[name(at: place)] = place }
  }

  /// The member of a name; of several the last.
  subscript(name: String) -> RawJSON? {
    place(of: name).map { RawJSON(trusting: object.storage, places[$0].value) }
  }

  /// The names, each once, in the order of the text.
  var names: [String] {
    places.indices.lazy.map { (String(decoding: name(at: $0), as: UTF8.self), $0) }
      .filter { name, place in self.place(of: name) == place }.map(\.0)
  }

  private func place(of name: String) -> Int? {
    guard placesByName.isEmpty else { return placesByName[Array(name.utf8)] }
    return JSONScanner.scan(object.storage.span, maxDepth: .max) { scanner in
      places.lastIndex { scanner.isName($0, name.utf8.span) }
    }
  }

  private func name(at place: Int) -> [UInt8] {
    JSONScanner.scan(object.storage.span, maxDepth: .max) { scanner in scanner.name(of: places[place]) }
  }
}

/// The members of an object as an `init(from:)` asks for them.
///
/// Its generic functions do for all types, those among them that the protocol has a function each for.
struct MemberDecoder<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let decoder: ValueDecoder
  let members: MemberIndex

  var codingPath: [any CodingKey] { decoder.codingPath }

  var allKeys: [Key] {
    members.names.compactMap { name in
      let key = Key(stringValue: name)
      if key != nil { decoder.ask(for: name) }
      return key
    }
  }

  func contains(_ key: Key) -> Bool { find(key) != nil }

  func decodeNil(forKey key: Key) throws -> Bool {
    guard let json = find(key) else { throw decoder.missing(RawJSON.self, at: key) }
    return json.isNull
  }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    guard let json = find(key) else { throw decoder.missing(type, at: key) }
    return try decoder.read(type, json, at: key)
  }

  func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
    guard let json = find(key), !json.isNull else { return nil }
    return try decoder.read(type, json, at: key)
  }

  func nestedContainer<Inner: CodingKey>(
    keyedBy type: Inner.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Inner> {
    guard let json = find(key) else { throw decoder.missing([String: RawJSON].self, at: key) }
    return try decoder.part(json, at: key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    guard let json = find(key) else { throw decoder.missing([RawJSON].self, at: key) }
    return try decoder.part(json, at: key).unkeyedContainer()
  }

  func superDecoder() throws -> any Decoder { try superDecoder(at: AnyKey("super")) }

  func superDecoder(forKey key: Key) throws -> any Decoder { try superDecoder(at: key) }

  private func superDecoder(at key: some CodingKey) throws -> any Decoder {
    decoder.ask(for: key.stringValue)
    return try decoder.part(members[key.stringValue] ?? .null, at: key)
  }

  private func find(_ key: Key) -> RawJSON? {
    let name = key.stringValue
    decoder.ask(for: name)
    return members[name]
  }
}
