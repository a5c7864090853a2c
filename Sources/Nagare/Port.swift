public import Flow
public import RPC
public import WireJSON

/// An input: a method on the wire, a stream in the view model.
///
/// ```swift
/// struct Input: Ports {
///   let refresh = Trigger()              // refresh {}
///   let select = Port<ItemID>("id")      // select {"id": …}
///   let swipe = Port<Swipe>()            // swipe {…}, a record
/// }
/// ```
public final class Port<Value> {
  /// The values that come in.
  public var stream: Observable<Value> { subject.asObservable() }

  /// What the method's parameters are, for who asks what can be called.
  public let parameters: JSONSchema
  /// The name of the one parameter that is the value; nil where the value's fields are the parameters.
  package let parameter: String?

  private let subject = PublishSubject<Value>()
  private let decode: (RawJSON?) throws(RPCError) -> Value
  private var refusal: RPCError?

  init(
    parameters: JSONSchema, parameter: String? = nil, decode: @escaping (RawJSON?) throws(RPCError) -> Value
  ) {
    self.parameters = parameters
    self.parameter = parameter
    self.decode = decode
  }

  /// Puts a value in, as a call of the method does.
  ///
  /// - Throws: ``RPCError`` with ``RPCError/Code/invalidParams`` if the view model refuses it; see
  ///   ``accepting(_:as:given:_:)``.
  public func send(_ value: Value) throws(RPCError) {
    refusal = nil
    subject.onNext(value)
    if let refusal { throw refusal }
  }

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

extension Port: ObservableConvertible {
  /// The values that come in.
  ///
  /// - Returns: ``stream``.
  public func asObservable() -> Observable<Value> { stream }
}

extension Port: ObserverType {
  /// Takes an event, as tests feed it: a value is put in, and refused values go by. An input has no end.
  ///
  /// - Parameter event: a value or the end.
  public func on(_ event: Event<Value>) {
    if let value = event.element { try? send(value) }
  }
}

/// An input that carries nothing.
public typealias Trigger = Port<Void>

extension Port where Value == Void {
  /// An input without parameters.
  public convenience init() {
    self.init(parameters: JSONSchema(properties: [])) { _ in }
  }

  /// Pulls the trigger.
  public func send() throws(RPCError) { try send(()) }
}

extension Port where Value: JSONDecodable & JSONSchemaProviding {
  /// An input with one parameter.
  ///
  /// - Parameter name: the parameter's name on the wire.
  public convenience init(_ name: String) {
    self.init(parameters: JSONSchema(properties: [JSONSchema.Property(name, Value.schema)]), parameter: name) {
      params throws(RPCError) in
      guard let json = params?.member(name) else {
        let expected = Value.schema.expectation
        throw RPCError(DecodingFailure(.missing, expected: expected, in: params ?? .emptyObject, path: [name]))
      }
      do throws(DecodingFailure) {
        return try Value(json: json)
      } catch {
        throw RPCError(error, within: [name])
      }
    }
  }
}

extension Port where Value: JSONDecodable & JSONSchemaProviding {
  /// Only a record's fields have names of their own.
  @available(*, unavailable, message: "name the parameter, as in Port<String>(\"id\"); a Record's fields name theirs")
  public convenience init() {
    self.init("")
  }
}

extension Port where Value: Record {
  /// An input whose parameters are a record's fields.
  public convenience init() {
    self.init(parameters: Value.schema) { params throws(RPCError) in try Value(params: params) }
  }
}

extension Record {
  /// Reads a method's parameters.
  init(params: RawJSON?) throws(RPCError) {
    do throws(DecodingFailure) {
      self = try Self(json: params ?? .emptyObject)
    } catch {
      throw RPCError(error)
    }
  }

  /// Reads a screen's parameters, whose unknown members are faults.
  init(strictly params: RawJSON?) throws(RPCError) { self = try Self.fields.read(strictly: params) }
}

extension Fields {
  /// Reads a screen's parameters, whose unknown members are faults.
  func read(strictly params: RawJSON?) throws(RPCError) -> Root {
    var context = DecodingContext(unknownMembers: .reported)
    let value = decode(params ?? .emptyObject, in: &context)
    if let failure = context.failures.first { throw RPCError(failure, within: ["params"]) }
    guard let value else { throw RPCError("params", mustBe: "an object") }
    return value
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
    let found = (value as? any JSONEncodable).map { ", not \($0.json.text.prefix(80))" } ?? ""
    self.init(
      .invalidParams, "'\(parameter)' must be \(expected)\(found)",
      data: ParameterFault(param: parameter, expected: expected))
  }

  init(_ failure: DecodingFailure, within path: [String] = []) {
    var failure = failure
    failure.path = path + failure.path
    let data = ParameterFault(param: failure.parameter, expected: failure.expected)
    self.init(.invalidParams, failure.message, data: data)
  }
}

/// A ``Port`` whatever its values are.
protocol InputPort: AnyObject {
  var parameters: JSONSchema { get }
  func receive(_ params: RawJSON?) throws(RPCError)
}

extension Port: InputPort {
  func receive(_ params: RawJSON?) throws(RPCError) { try send(decode(params)) }
}
