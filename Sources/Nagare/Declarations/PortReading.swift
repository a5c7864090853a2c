public import Flow
public import RPC
internal import WireJSON

/// Reads an input's value from a method's parameters.
final class PortReading<Value> {
  private let makeParameters: () -> JSONSchema
  private(set) lazy var parameters = makeParameters()
  /// The names of all parameters that a call may have; nil if it may have parameters of any name.
  private(set) lazy var names =
    Value.self == Void.self ? ParameterNames.ofEveryInput : makeParameters().parameterNames
  let parameter: String?
  let read: (RawJSON?) throws(RPCError) -> Value

  init(
    _ parameters: @escaping () -> JSONSchema, _ parameter: String?,
    _ read: @escaping (RawJSON?) throws(RPCError) -> Value
  ) {
    makeParameters = parameters
    self.parameter = parameter
    self.read = read
  }

  /// Whether the input needs a parameter name: its value is read from parameters, but has no fields to name them.
  var lacksName: Bool { parameter == nil && !parameters.types.isEmpty && !parameters.types.contains(.object) }
}

extension Port where Value == Void {
  /// An input without parameters.
  public convenience init() {
    self.init(parameters: JSONSchema(properties: [])) { _ in }
  }

  /// Triggers the input. The error is the view model's refusal.
  public func send() throws(RPCError) { try send(()) }
}

extension Port where Value: Decodable {
  /// An input with one parameter, which has this name on the wire. The client may leave out an optional parameter.
  public convenience init(_ name: String) {
    self.init(parameter: name) { json throws(DecodingFailure) in try json.decode() }
  }

  /// An input whose parameters are the fields of a structure.
  public convenience init() {
    self.init(members: { json throws(DecodingFailure) in try json.decode() })
  }

  private convenience init(parameter: String, _ read: @escaping (RawJSON) throws(DecodingFailure) -> Value) {
    self.init(
      parameters: JSONSchema(properties: [JSONSchema.Property(parameter: parameter, Value.self)]), parameter: parameter
    ) { params throws(RPCError) in
      try (params ?? .emptyObject).parameter(parameter, read)
    }
  }

  private convenience init(members read: @escaping (RawJSON) throws(DecodingFailure) -> Value) {
    self.init(parameters: JSONSchema(of: Value.self)) { params throws(RPCError) in
      try (params ?? .emptyObject).parameters(read)
    }
  }
}

// The same initializers for types that read themselves from JSON. Their values are read without a check of the type at
// run time.
extension Port where Value: JSONDecodable {
  /// An input with one parameter, which has this name on the wire. The client may leave out an optional parameter.
  public convenience init(_ name: String) {
    self.init(parameter: name) { json throws(DecodingFailure) in try json.decode() }
  }

  /// An input whose parameters are the fields of a structure.
  public convenience init() {
    self.init(members: { json throws(DecodingFailure) in try json.decode() })
  }
}

extension Port {
  /// An input whose value is made from one parameter.
  package convenience init<One: JSONDecodable>(_ name: String, as make: @escaping (One) -> Value) {
    self.init(parameters: JSONSchema(properties: [JSONSchema.Property(parameter: name, One.self)]), parameter: name) {
      params throws(RPCError) in
      make(try (params ?? .emptyObject).parameter(name) { json throws(DecodingFailure) in try json.decode() })
    }
  }

  /// An input whose value is made from several parameters.
  package convenience init<Parameters: Record>(as make: @escaping (Parameters) throws(Refusal) -> Value) {
    self.init(parameters: Parameters.schema) { params throws(RPCError) in
      let parameters = try Parameters(params: params)
      do throws(Refusal) { return try make(parameters) } catch { throw RPCError(refusal: error) }
    }
  }

  convenience init(
    parameters: @autoclosure @escaping () -> JSONSchema, parameter: String? = nil,
    read: @escaping (RawJSON?) throws(RPCError) -> Value
  ) {
    self.init(attachment: PortReading(parameters, parameter, read))
  }

  var reading: PortReading<Value>? { attachment as? PortReading<Value> }

  /// The name of the only parameter, if the value is that parameter; nil if the value's fields are the parameters.
  package var parameter: String? { reading?.parameter }

  /// Passes a value to the input, as a call of the method does. The error is the view model's refusal. For a `Refusal`
  /// its code is ``RPCError/Code/invalidParams``.
  public func send(_ value: Value) throws(RPCError) {
    if let error = receive(value) { throw RPCError(refusal: error) }
  }

  /// Opens a view of another screen for each value of this input.
  ///
  /// ```swift
  /// navigate: input.assign.open("people") { People(assign: assigned) }
  /// ```
  public func open(_ screen: String, _ make: @escaping (Value) -> any ViewModel) -> Signal<Navigation> {
    signal.map { Navigation(to: screen, make($0)) }
  }
}

// MARK: - Parameters

extension JSONSchema {
  /// The names of the parameters that this schema describes, and those that every input has; nil if there may be
  /// others.
  fileprivate var parameterNames: ParameterNames? {
    guard types == [.object], additionalProperties == nil, anyOf.isEmpty, !properties.isEmpty else { return nil }
    return ParameterNames(ParameterNames.ofEveryInput.all + properties.map(\.name))
  }
}

extension JSONSchema.Property {
  /// A parameter. It may be left out if its type is optional.
  init(parameter name: String, _ type: Any.Type) {
    self.init(name, JSONSchema(of: type), isRequired: !(type is any ExpressibleByNilLiteral.Type))
  }
}

extension RawJSON {
  /// Reads one field of this object as a parameter.
  func parameter<Value>(
    _ name: String, within path: [String] = [], _ read: (RawJSON) throws(DecodingFailure) -> Value
  ) throws(RPCError) -> Value {
    do throws(DecodingFailure) {
      if let json = member(name) { return try read(json) }
      if Value.self is any ExpressibleByNilLiteral.Type { return try read(.null) }
      var failure = DecodingFailure(.missing, expected: JSONSchema(of: Value.self).expectation, in: self)
      failure.nearName = misspelling(of: name, known: ParameterNames.ofEveryInput.all + [name])
      throw failure
    } catch {
      throw RPCError(error, within: path + [name])
    }
  }

  /// Reads all fields of this object as the fields of one value.
  func parameters<Value>(
    within path: [String] = [], _ read: (RawJSON) throws(DecodingFailure) -> Value
  ) throws(RPCError) -> Value {
    do throws(DecodingFailure) {
      return try read(self)
    } catch {
      var error = error
      if case .missing = error.kind, error.path.count == 1 {
        error.nearName = misspelling(of: error.path[0], known: JSONSchema(of: Value.self).parameterNames?.all ?? [])
      }
      throw RPCError(error, within: path)
    }
  }
}

extension Record {
  /// Reads a method's parameters.
  init(params: RawJSON?) throws(RPCError) {
    self = try (params ?? .emptyObject).parameters { json throws(DecodingFailure) in try json.decode() }
  }
}

extension RPCError {
  /// The error for a wrong parameter (-32602). `expected` is the text after "must be". The message repeats `value` if
  /// it can be encoded as JSON.
  public init(_ parameter: String, mustBe expected: String, not value: Any? = nil) {
    let found = (value as? any Encodable).flatMap { try? RawJSON(encoding: $0) }
    self.init(
      .invalidParams,
      "'\(parameter)' must be \(expected)\(found.map { ", not \(String($0.text.unicodeScalars.prefix(80)))" } ?? "")",
      data: ParameterErrorData(param: parameter, expected: expected))
  }

  init(_ failure: DecodingFailure, within path: [String] = []) {
    var failure = failure
    failure.path = path + failure.path
    let data = ParameterErrorData(param: failure.parameter, expected: failure.expected)
    self.init(.invalidParams, failure.message, data: data)
  }

  /// The error that a caller receives because its value was refused. An `RPCError` passes unchanged. Other errors than
  /// a `Refusal` are faults of the view model.
  init(refusal error: any Error) {
    switch error {
    case let error as RPCError: self = error
    case let refusal as Refusal: self.init(refusal.parameter, mustBe: refusal.expected, not: refusal.value)
    default: self.init(.internalError, "the view model failed: \(error)")
    }
  }
}
