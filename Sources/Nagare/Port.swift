public import Flow
public import RPC
internal import WireJSON

/// How an input is read from a method's parameters.
final class PortReading<Value> {
  private let makeParameters: () -> JSONSchema
  private(set) lazy var parameters = makeParameters()
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

  /// Whether the value is to be made of parameters, and has no members for that.
  var lacksName: Bool { parameter == nil && !parameters.types.isEmpty && !parameters.types.contains(.object) }
}

extension Port where Value == Void {
  /// An input without parameters.
  public convenience init() {
    self.init(parameters: JSONSchema(properties: [])) { _ in }
  }

  /// Pulls the trigger.
  ///
  /// - Throws: ``RPCError`` if the view model refuses it.
  public func send() throws(RPCError) { try send(()) }
}

extension Port where Value: Decodable {
  /// An input with one parameter. An optional one may be left out.
  ///
  /// - Parameter name: the parameter's name on the wire.
  public convenience init(_ name: String) {
    self.init(
      parameters: JSONSchema(properties: [JSONSchema.Property(parameter: name, Value.self)]), parameter: name
    ) { params throws(RPCError) in
      try (params ?? .emptyObject).parameter(name)
    }
  }

  /// An input whose parameters are the members of a structure.
  public convenience init() {
    self.init(parameters: JSONSchema(of: Value.self)) { params throws(RPCError) in
      try (params ?? .emptyObject).parameters(unknownMembers: .ignored)
    }
  }
}

extension Port {
  convenience init(
    parameters: @autoclosure @escaping () -> JSONSchema, parameter: String? = nil,
    read: @escaping (RawJSON?) throws(RPCError) -> Value
  ) {
    self.init(attachment: PortReading(parameters, parameter, read))
  }

  var reading: PortReading<Value>? { attachment as? PortReading<Value> }

  /// The name of the one parameter that is the value; nil where the value's fields are the parameters.
  package var parameter: String? { reading?.parameter }

  /// Puts a value in, as a call of the method does.
  ///
  /// - Parameter value: the value.
  /// - Throws: ``RPCError`` if the view model refuses it: with ``RPCError/Code/invalidParams`` for a `Refusal`.
  public func send(_ value: Value) throws(RPCError) {
    if let error = receive(value) { throw RPCError(refusal: error) }
  }

  /// Opens a view of another screen whenever a value comes in.
  ///
  /// ```swift
  /// navigate: input.assign.open("people") { People(assign: assigned) }
  /// ```
  ///
  /// - Parameters:
  ///   - screen: the name of the screen.
  ///   - make: makes the view model.
  /// - Returns: what the output `navigate` sends.
  public func open(_ screen: String, _ make: @escaping (Value) -> any ViewModel) -> Signal<Navigation> {
    signal.map { Navigation(to: screen, make($0)) }
  }
}

// MARK: - Values that a stream accepts

extension Port {
  /// The values that make sense, turned into what they mean; the others are refused, and the caller is told.
  ///
  /// - Parameters:
  ///   - parameter: the parameter that is at fault when a value is refused.
  ///   - expected: what it should have been, in words that follow "must be".
  ///   - meaning: what a value means, or nil to refuse it.
  /// - Returns: what the values mean, as long as they come.
  public func accepting<Meaning>(
    _ parameter: String, as expected: String, _ meaning: @escaping (Value) -> Meaning?
  ) -> Observable<Meaning> {
    accepting(parameter, as: expected, given: .just(())) { value, _ in meaning(value) }
  }

  /// The values that make sense now, turned into what they mean; the others are refused, and the caller is told.
  ///
  /// ```swift
  /// input.select.accepting("id", as: "the id of a listed item", given: feed) { id, feed in feed.items.index(of: id) }
  /// ```
  ///
  /// - Parameters:
  ///   - parameter: the parameter that is at fault when a value is refused.
  ///   - expected: what it should have been, in words that follow "must be".
  ///   - state: what the decision needs to know; its newest value counts.
  ///   - meaning: what a value means, or nil to refuse it.
  /// - Returns: what the values mean, as long as they come.
  public func accepting<State, Meaning>(
    _ parameter: String, as expected: String, given state: Observable<State>,
    _ meaning: @escaping (Value, State) -> Meaning?
  ) -> Observable<Meaning> {
    accepting(given: state) { value, state throws(RPCError) in
      guard let meaning = meaning(value, state) else { throw RPCError(parameter, mustBe: expected, not: value) }
      return meaning
    }
  }

  /// The values that something takes, turned into what it makes of them; where it refuses one, the caller is told why.
  ///
  /// ```swift
  /// input.choose.accepting { id throws(RPCError) in try selectQuery(id) }
  /// ```
  ///
  /// - Parameter meaning: what comes of a value, once for each; it throws to refuse the value.
  /// - Returns: what came of the values, as long as they come.
  public func accepting<Meaning>(
    _ meaning: @escaping (Value) throws(RPCError) -> Meaning
  ) -> Observable<Meaning> {
    accepting(given: .just(())) { value, _ throws(RPCError) in try meaning(value) }
  }

  /// The values that make sense now, turned into what they mean; the others are refused for whatever reason they are.
  ///
  /// - Parameters:
  ///   - state: what the decision needs to know; its newest value counts.
  ///   - meaning: what a value means; throws what the caller is told.
  /// - Returns: what the values mean, as long as they come.
  public func accepting<State, Meaning>(
    given state: Observable<State>, _ meaning: @escaping (Value, State) throws(RPCError) -> Meaning
  ) -> Observable<Meaning> {
    stream.withLatestFrom(state) { ($0, $1) }.compactMap { [unowned self] value, state in
      do throws(RPCError) {
        return try meaning(value, state)
      } catch {
        refusal = error
        return nil
      }
    }
  }
}

// MARK: - Parameters

extension JSONSchema.Property {
  /// A parameter, which may be left out if it is optional.
  init(parameter name: String, _ type: Any.Type) {
    self.init(name, JSONSchema(of: type), isRequired: !(type is any ExpressibleByNilLiteral.Type))
  }
}

extension RawJSON {
  /// One of the members as a value.
  func parameter<Value: Decodable>(_ name: String, within path: [String] = []) throws(RPCError) -> Value {
    let isOptional = Value.self is any ExpressibleByNilLiteral.Type
    do throws(DecodingFailure) {
      guard let json = member(name) ?? (isOptional ? .null : nil) else {
        throw DecodingFailure(.missing, expected: JSONSchema(of: Value.self).expectation, in: self)
      }
      return try json.decode()
    } catch {
      throw RPCError(error, within: path + [name])
    }
  }

  /// All members as the members of a value.
  func parameters<Value: Decodable>(
    unknownMembers: DecodingContext.UnknownMembers, within path: [String] = []
  ) throws(RPCError) -> Value {
    do throws(DecodingFailure) {
      return try decode(unknownMembers: unknownMembers)
    } catch {
      throw RPCError(error, within: path)
    }
  }
}

extension Record {
  /// Reads a method's parameters.
  init(params: RawJSON?) throws(RPCError) {
    self = try (params ?? .emptyObject).parameters(unknownMembers: .ignored)
  }
}

extension RPCError {
  /// A parameter that isn't what it should be (-32602).
  ///
  /// - Parameters:
  ///   - parameter: its name.
  ///   - expected: what it should be, in words that follow "must be".
  ///   - value: what it is, to be repeated in the message if it can be.
  public init(_ parameter: String, mustBe expected: String, not value: Any? = nil) {
    let found = (value as? any Encodable).flatMap { try? RawJSON(encoding: $0) }
    self.init(
      .invalidParams, "'\(parameter)' must be \(expected)\(found.map { ", not \($0.text.prefix(80))" } ?? "")",
      data: ParameterErrorData(param: parameter, expected: expected))
  }

  init(_ failure: DecodingFailure, within path: [String] = []) {
    var failure = failure
    failure.path = path + failure.path
    let data = ParameterErrorData(param: failure.parameter, expected: failure.expected)
    self.init(.invalidParams, failure.message, data: data)
  }

  /// What a caller is told of why its value is refused. Whatever is no reason to refuse a value is a fault of the view
  /// model's.
  init(refusal error: any Error) {
    switch error {
    case let error as RPCError: self = error
    case let refusal as Refusal: self.init(refusal.parameter, mustBe: refusal.expected, not: refusal.value)
    default: self.init(.internalError, "the view model failed: \(error)")
    }
  }
}
