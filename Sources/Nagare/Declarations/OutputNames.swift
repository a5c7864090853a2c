public import Flow

/// Finds the name on the wire of an output, given its key path. Clients and tests in Swift use it.
///
/// A key path through a ``Nested`` property doesn't contain the property's name. So the outputs structure is created by
/// its `init(from:)`, with outputs that have no values. The decoder records the name under which each output was
/// created. Then the key path leads to one of these outputs.
package struct OutputNames<Output> {
  private let outputs: Output
  private let found = NamingDecoder.Found()

  /// Fails if the structure isn't `Decodable`.
  private init?() {
    guard let type = Output.self as? any Decodable.Type,
      let outputs = try? type.init(from: NamingDecoder(found: found)) as? Output
    else { return nil }
    self.outputs = outputs
  }

  /// Returns the name of a state. A key path that leads to something other than a stored property ends the program.
  package static func name<Value>(of path: KeyPath<Output, Driver<Value>>) -> String {
    OutputNames()?.name { $0[keyPath: path].turn } ?? propertyName(path)
  }

  /// Returns the name of an event. A key path that leads to something other than a stored property ends the program.
  package static func name<Value>(of path: KeyPath<Output, Signal<Value>>) -> String {
    OutputNames()?.name { $0[keyPath: path].turn } ?? propertyName(path)
  }

  private func name(_ turn: (Output) -> Turn?) -> String? { found.name(turn(outputs)) }

  /// Returns the name of the property that the key path leads to. It is the name on the wire, too.
  private static func propertyName(_ path: AnyKeyPath) -> String {
    // Swift prints a key path of stored properties as `\Output.items`.
    let text = String(reflecting: path)
    guard let name = text.split(separator: ".").last, !text.contains("<computed ") else {
      // The mistake is in the program's own structures, and shows at the first use. This function doesn't throw,
      // because creating a stream of an output's values or a recording of it in a test calls it, and these don't throw.
      fatalError(
        "\(text) isn't a stored property: outputs are the stored properties of their structures, and if one of these is"
          + " @Nested, \(Output.self) must be Decodable, too")
    }
    return String(name)
  }
}

/// Creates each output with a separate `Turn`, and records the output's name by this turn.
private struct NamingDecoder: Decoder {
  final class Found {
    var names: [ObjectIdentifier: String] = [:]

    func name(_ turn: Turn?) -> String? { turn.flatMap { names[ObjectIdentifier($0)] } }
  }

  let found: Found
  /// The name of the property that is decoded.
  var name = ""
  /// The namespace before the names of its properties: `""` or, for example, `"title."`.
  var prefix = ""

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(NamedProperties(decoder: self))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw noOutput }

  func singleValueContainer() throws -> any SingleValueDecodingContainer { throw noOutput }

  var noOutput: DecodingError {
    .dataCorrupted(DecodingError.Context(codingPath: [], debugDescription: "\(name) isn't an output"))
  }
}

private struct NamedProperties<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let decoder: NamingDecoder

  var codingPath: [any CodingKey] { [] }
  var allKeys: [Key] { [] }

  func contains(_ key: Key) -> Bool { true }
  func decodeNil(forKey key: Key) -> Bool { false }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    try Value(from: superDecoder(forKey: key))
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> { throw decoder.noOutput }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer { throw decoder.noOutput }

  func superDecoder() -> any Decoder { decoder }

  func superDecoder(forKey key: Key) -> any Decoder {
    NamingDecoder(found: decoder.found, name: decoder.prefix + key.stringValue, prefix: decoder.prefix)
  }
}

extension Decoder {
  fileprivate var naming: NamingDecoder {
    get throws {
      guard let decoder = self as? NamingDecoder else {
        let told = "outputs can't be decoded"
        throw DecodingError.dataCorrupted(DecodingError.Context(codingPath: codingPath, debugDescription: told))
      }
      return decoder
    }
  }

  /// Returns a turn for the output that is created, and records the output's name.
  fileprivate func makeTurn() throws -> Turn {
    let (decoder, turn) = (try naming, Turn())
    decoder.found.names[ObjectIdentifier(turn)] = decoder.name
    return turn
  }
}

extension Driver: Decodable {
  /// Creates an output without a value, to find its name. Only a client calls this.
  public init(from decoder: any Decoder) throws { self.init(withoutValueIn: try decoder.makeTurn()) }
}

extension Signal: Decodable {
  /// Creates an output that sends nothing, to find its name. Only a client calls this.
  public init(from decoder: any Decoder) throws { self.init(withoutValuesIn: try decoder.makeTurn()) }
}

extension Nested: Decodable where Value: Decodable {
  /// Creates outputs without values, to find their names. Only a client calls this.
  public init(from decoder: any Decoder) throws {
    var decoder = try decoder.naming
    decoder.prefix = "\(decoder.name)."
    self.init(wrappedValue: try Value(from: decoder))
  }
}
