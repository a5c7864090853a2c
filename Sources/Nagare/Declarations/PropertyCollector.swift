public import Flow

/// Collects the inputs or outputs that are the properties of a structure, by having the structure encode itself.
struct PropertyCollector: Encoder {
  /// What is found, and what is wrong with it.
  final class Found {
    /// Whether to look at what takes longer to find, too.
    let isThorough: Bool
    var inputs: [(name: String, port: InputPort)] = []
    var presenters: [Presenter] = []
    var outputs: [OutputSlot] = []
    /// The names of those that only some screens of the kind have.
    var optionalNames: Set<String> = []
    /// The structure of the outputs.
    var output: Any?
    /// What is wrong with states that outputs come from.
    var stateErrors: Set<String> = []
    /// What is wrong, each with its remedy: all is told at once.
    var errors: [DeclarationError] = []

    init(isThorough: Bool) { self.isThorough = isThorough }

    /// Finds what is in a structure or a property.
    func find(in path: @autoclosure () -> String, _ encode: () throws -> Void) {
      do {
        try encode()
      } catch {
        errors.append(error as? DeclarationError ?? DeclarationError("\(path()) can't be listed: \(error)"))
      }
    }

    /// Throws all that is wrong as one error.
    func check() throws(DeclarationError) {
      if !errors.isEmpty { throw DeclarationError(errors.map(\.description).joined(separator: "\n")) }
    }
  }

  let found: Found
  /// What holds the property.
  let path: String
  /// The property that is being looked at.
  let name: String
  let type: Any.Type
  /// What the names in it begin with.
  var prefix = ""
  /// Whether its own name is that, too.
  var isNamespace = false

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  /// Lists the properties of a structure.
  static func collect(_ structure: any Encodable, in path: String, into found: Found) {
    found.find(in: path) {
      try structure.encode(to: PropertyCollector(found: found, path: path, name: "", type: Swift.type(of: structure)))
    }
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    if isNamespace { return KeyedEncodingContainer(PropertyContainer(found: found, path: path, prefix: "\(name).")) }
    return KeyedEncodingContainer(
      PropertyContainer(found: found, path: name.isEmpty ? path : "\(path).\(name)", prefix: prefix))
  }

  // What isn't a structure has no properties.
  func unkeyedContainer() -> any UnkeyedEncodingContainer { NoPropertyContainer(collector: self) }
  func singleValueContainer() -> any SingleValueEncodingContainer { NoPropertyContainer(collector: self) }

  var error: DeclarationError { .notListed("\(path).\(name)", type) }
}

private struct PropertyContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let found: PropertyCollector.Found
  let path: String
  let prefix: String

  var codingPath: [any CodingKey] { [] }

  mutating func encode<Value: Encodable>(_ value: Value, forKey key: Key) {
    let name = prefix + key.stringValue
    found.find(in: "\(path).\(name)") {
      try value.encode(to: PropertyCollector(found: found, path: path, name: name, type: Value.self, prefix: prefix))
    }
  }

  mutating func encodeNil(forKey key: Key) { found.errors.append(.absent("\(path).\(key.stringValue)", Any.self)) }

  mutating func encodeIfPresent<Value: Encodable>(_ value: Value?, forKey key: Key) {
    guard let value else { return found.errors.append(.absent("\(path).\(key.stringValue)", Value.self)) }
    encode(value, forKey: key)
  }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> {
    KeyedEncodingContainer(PropertyContainer<Nested>(found: found, path: "\(path).\(key.stringValue)", prefix: prefix))
  }

  mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    PropertyCollector(found: found, path: path, name: key.stringValue, type: Any.self).unkeyedContainer()
  }

  mutating func superEncoder() -> any Encoder {
    PropertyCollector(found: found, path: path, name: "super", type: Any.self)
  }

  mutating func superEncoder(forKey key: Key) -> any Encoder {
    PropertyCollector(found: found, path: path, name: key.stringValue, type: Any.self)
  }
}

/// What a plain value encodes itself into, such as a number, which is neither an input nor an output.
private struct NoPropertyContainer: SingleValueEncodingContainer, UnkeyedEncodingContainer {
  let collector: PropertyCollector

  var codingPath: [any CodingKey] { [] }
  var count: Int { 0 }

  mutating func encode<Value: Encodable>(_ value: Value) throws { throw collector.error }

  mutating func encodeNil() throws { throw collector.error }

  mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
    collector.container(keyedBy: type)
  }

  mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { self }

  mutating func superEncoder() -> any Encoder { collector }
}

extension Encoder {
  /// This as what lists properties; nothing else can be made of inputs and outputs.
  var collector: PropertyCollector {
    get throws {
      guard let collector = self as? PropertyCollector else {
        throw EncodingError.invalidValue(
          self, EncodingError.Context(codingPath: codingPath, debugDescription: "inputs and outputs are no data"))
      }
      return collector
    }
  }
}

extension Port: Encodable {
  /// Lists the input. Only the service calls it.
  public func encode(to encoder: any Encoder) throws {
    let collector = try encoder.collector
    let found = collector.found
    var path: String { "\(collector.path).\(collector.name)" }
    guard let reading else { return found.errors.append(.unreadableInput(path)) }
    if Service.methods.contains(collector.name) { found.errors.append(.takenInputName(path)) }
    if !name.isEmpty { found.errors.append(.usedTwice(path, name)) }
    if found.isThorough {
      if reading.lacksName { found.errors.append(.unnamedParameter(path, Self.self)) }
      if let member = reading.parameters.repeatedMember { found.errors.append(.repeatedMember(path, member)) }
      let taken = JSONSchema.parametersOfEveryInput.map(\.name)
      for parameter in reading.parameters.properties where taken.contains(parameter.name) {
        found.errors.append(.takenParameter(path, parameter.name))
      }
    }
    if found.inputs.contains(where: { $0.name == collector.name }) { found.errors.append(.repeated(path, "input")) }
    name = collector.name
    found.inputs.append((collector.name, InputPort(self, reading)))
  }
}

extension Presenter: Encodable {
  /// Lists the presenter. Only the service calls it.
  public func encode(to encoder: any Encoder) throws {
    try encoder.collector.found.presenters.append(self)
  }
}

extension Driver: Encodable where Value: Encodable {
  /// Lists the output. Only the service calls it.
  public func encode(to encoder: any Encoder) throws { try encoder.collector.add(self) }
}

extension Signal: Encodable {
  /// Lists the output. Only the service calls it.
  public func encode(to encoder: any Encoder) throws { try encoder.collector.add(self) }
}

extension PropertyCollector {
  fileprivate func add(_ output: any AnyOutput) {
    var path: String { "\(self.path).\(name)" }
    if name == "closed" { found.errors.append(.takenOutputName(path)) }
    if found.outputs.contains(where: { $0.name == name }) { found.errors.append(.repeated(path, "output")) }
    guard let slot = output.makeSlot(named: name) else {
      return found.errors.append(.noOutput(path, Swift.type(of: output)))
    }
    if found.isThorough {
      if let member = slot.schema.repeatedMember { found.errors.append(.repeatedMember(path, member)) }
      // All outputs of a state come from the same mistakes.
      for error in slot.turns?.errors ?? [] where found.stateErrors.insert(error).inserted {
        found.errors.append(DeclarationError("\(path) comes from a state in which \(error)"))
      }
    }
    found.outputs.append(slot)
  }
}
