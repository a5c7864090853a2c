public import Flow

/// What the outputs of a structure are called on the wire, for a client or a test that has their key paths.
///
/// A key path through a ``Nested`` property doesn't say the property's name. So the structure is made of outputs without
/// values, by its `init(from:)`, and the output that a key path leads to there has been made under its name.
package struct OutputNames<Output> {
  private let outputs: Output
  private let found = NamingDecoder.Found()

  /// Nil if the structure isn't `Decodable`.
  private init?() {
    guard let type = Output.self as? any Decodable.Type,
      let outputs = try? type.init(from: NamingDecoder(found: found)) as? Output
    else { return nil }
    self.outputs = outputs
  }

  /// The name of a state. A key path that leads to something other than a stored property ends the program.
  package static func name<Value>(of path: KeyPath<Output, Driver<Value>>) -> String {
    OutputNames()?.name { $0[keyPath: path].turn } ?? propertyName(path)
  }

  /// The name of an event. A key path that leads to something other than a stored property ends the program.
  package static func name<Value>(of path: KeyPath<Output, Signal<Value>>) -> String {
    OutputNames()?.name { $0[keyPath: path].turn } ?? propertyName(path)
  }

  private func name(_ turn: (Output) -> Turn?) -> String? { found.name(turn(outputs)) }

  /// The name of a property, which is that on the wire.
  private static func propertyName(_ path: AnyKeyPath) -> String {
    // A key path to stored properties shows itself as `\Output.items`.
    let text = String(reflecting: path)
    guard let name = text.split(separator: ".").last, !text.contains("<computed ") else {
      // The mistake is in the program's own structures and shows at the first use. It isn't thrown, because streams of values
      // and the recordings of a test are made by the same names, and making these doesn't throw.
      fatalError(
        "\(text) isn't a stored property: outputs are the stored properties of their structures, and if one of these is"
          + " @Nested, \(Output.self) must be Decodable, too")
    }
    return String(name)
  }
}

/// Gives each output turns of its own, by which it is known.
private struct NamingDecoder: Decoder {
  final class Found {
    var names: [ObjectIdentifier: String] = [:]

    func name(_ turn: Turn?) -> String? { turn.flatMap { names[ObjectIdentifier($0)] } }
  }

  let found: Found
  /// The name of what is made.
  var name = ""
  /// What the names in it begin with.
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

  /// Turns for the output that is made.
  fileprivate func makeTurn() throws -> Turn {
    let (decoder, turn) = (try naming, Turn())
    decoder.found.names[ObjectIdentifier(turn)] = decoder.name
    return turn
  }
}

extension Driver: Decodable {
  /// Makes an output without a value, to be known by its name. Only a client calls it.
  public init(from decoder: any Decoder) throws { self.init(withoutValueIn: try decoder.makeTurn()) }
}

extension Signal: Decodable {
  /// Makes an output that sends nothing, to be known by its name. Only a client calls it.
  public init(from decoder: any Decoder) throws { self.init(withoutValuesIn: try decoder.makeTurn()) }
}

extension Nested: Decodable where Value: Decodable {
  /// Makes outputs without values, to be known by their names. Only a client calls it.
  public init(from decoder: any Decoder) throws {
    var decoder = try decoder.naming
    decoder.prefix = "\(decoder.name)."
    self.init(wrappedValue: try Value(from: decoder))
  }
}
