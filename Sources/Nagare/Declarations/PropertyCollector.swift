public import Flow

/// Collects the ports or outputs of a structure. It does so as an encoder to which the structure encodes its
/// properties.
struct PropertyCollector: Encoder {
  /// The collected inputs and outputs, and the mistakes in their declarations.
  final class Found {
    /// Whether to run the checks that take longer.
    let isThorough: Bool
    var inputs: [(name: String, port: InputPort)] = []
    var presenters: [Presenter] = []
    var outputs: [OutputSlot] = []
    /// The names of inputs and outputs that only some screens of this kind have.
    var optionalNames: Set<String> = []
    /// The structure with the outputs.
    var output: Any?
    /// Mistakes that were already reported for the states that outputs come from.
    var stateErrors: Set<String> = []
    /// All errors, each with its remedy. They are reported together.
    var errors: [DeclarationError] = []
    /// Receives each output and its name, in a thorough check.
    var onOutput: ((_ name: String, _ output: any AnyOutput) -> Void)?
    /// The closures that ``AnyOutput/makeCheck(_:)`` returned, one for each output.
    private var checks: [() -> Void] = []
    private var hasChanged = false

    init(isThorough: Bool) { self.isThorough = isThorough }

    /// Calls `encode`, which adds the inputs or outputs of a structure or property. Records the error that it throws.
    func find(in path: @autoclosure () -> String, _ encode: () throws -> Void) {
      do {
        try encode()
      } catch {
        errors.append(error as? DeclarationError ?? DeclarationError("\(path()) can't be listed: \(error)"))
      }
    }

    /// Adds an output to those that `haveOutputsChanged()` compares.
    func addCheck(of output: any AnyOutput) {
      if let check = output.makeCheck({ [unowned self] in hasChanged = true }) { checks.append(check) }
    }

    /// Whether the current value of any output differs from that of the last call.
    func haveOutputsChanged() -> Bool {
      hasChanged = false
      for check in checks { check() }
      return hasChanged
    }

    /// Throws all errors as one.
    func check() throws(DeclarationError) {
      if !errors.isEmpty { throw DeclarationError(errors.map(\.description).joined(separator: "\n")) }
    }
  }

  let found: Found
  /// The path of the structure that has the current property.
  let path: String
  /// The name of the current property.
  let name: String
  let type: Any.Type
  /// The namespace before the names of this property's own properties.
  var prefix = ""
  /// Whether the current property's name is a namespace for its own properties.
  var isNamespace = false

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  /// Collects the properties of a structure.
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

  // A value that isn't a structure has no properties to collect.
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

/// The container for plain values, such as numbers. These are neither inputs nor outputs, so encoding one throws.
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
  /// This encoder as a collector. Throws for any other encoder, because inputs and outputs aren't data.
  var collector: PropertyCollector {
    get throws {
      guard let collector = self as? PropertyCollector else {
        throw EncodingError.invalidValue(
          self, EncodingError.Context(codingPath: codingPath, debugDescription: "inputs and outputs can't be decoded"))
      }
      return collector
    }
  }
}

extension Port: Encodable {
  /// Collects the input. Only the service calls this.
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
  /// Collects the presenter. Only the service calls this.
  public func encode(to encoder: any Encoder) throws {
    try encoder.collector.found.presenters.append(self)
  }
}

extension Driver: Encodable where Value: Encodable {
  /// Collects the output. Only the service calls this.
  public func encode(to encoder: any Encoder) throws { try encoder.collector.add(self) }
}

extension Signal: Encodable {
  /// Collects the output. Only the service calls this.
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
      found.addCheck(of: output)
      found.onOutput?(name, output)
      if let member = slot.schema.repeatedMember { found.errors.append(.repeatedMember(path, member)) }
      // All outputs of one state share its mistakes, so each mistake is reported once.
      for error in slot.turn?.errors ?? [] where found.stateErrors.insert(error).inserted {
        found.errors.append(DeclarationError("\(path) comes from a state in which \(error)"))
      }
    }
    found.outputs.append(slot)
  }
}
