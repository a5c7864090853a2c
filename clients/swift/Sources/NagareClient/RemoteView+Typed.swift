public import Nagare

// A view by the properties of its view model's structures: those are the names on the wire, and the types.

extension RemoteView {
  /// An input as a method: `try await articles.refresh()`.
  ///
  /// - Parameter port: the input.
  public subscript<Value>(dynamicMember port: KeyPath<Input, Port<Value>>) -> InputCall<Value> {
    inputs[dynamicMember: port]
  }

  /// Inputs of another view model that this one's inputs hold: `try await letter.title.write("Dear Mei")`.
  ///
  /// - Parameter inputs: those inputs.
  public subscript<Inner: Ports>(dynamicMember inputs: KeyPath<Input, Inner>) -> ViewInputs<Inner> {
    self.inputs[dynamicMember: inputs]
  }

  private var inputs: ViewInputs<Input> {
    do {
      return ViewInputs(inputs: try Input().listed(), view: self.as(AnyRemoteView.self))
    } catch {
      // The server can't be started with them, either.
      fatalError("\(error)")
    }
  }

  /// The current value of an output: `try articles.loading`.
  ///
  /// - Parameter output: the output.
  public subscript<Value: Decodable & Sendable>(
    dynamicMember output: KeyPath<Output, Observable<Value>>
  ) -> Value {
    get throws { try kept.read { [name = propertyName(output)] current in try current.value(name) } }
  }

  /// The items that are current: `try articles.items`.
  ///
  /// - Parameter output: the output.
  public subscript<Element: Decodable & Sendable>(dynamicMember output: KeyPath<Output, Observable<Items<Element>>>)
    -> Rows<
      Element
    >
  {
    get throws { try rows(propertyName(output), of: Element.self) }
  }

  /// The items that are current: `try inbox.items`.
  ///
  /// - Parameter output: the output.
  public subscript<Element: Decodable>(dynamicMember output: KeyPath<Output, Observable<Rows<Element>>>) -> Rows<
    Element
  > {
    get throws { try rows(propertyName(output), of: Element.self) }
  }

  /// What an output says from now on: see ``values(_:)-(String)``.
  ///
  /// - Parameter output: the output.
  /// - Returns: its values; none for nil.
  public func values<Value: Decodable & Sendable>(
    _ output: KeyPath<Output, Observable<Value>>
  ) -> AsyncThrowingStream<Value, any Error> { decoded(propertyName(output)) }

  func decoded<Value: Decodable & Sendable>(_ name: String) -> AsyncThrowingStream<Value, any Error> {
    kept.stream(name, holding: handle) { update, current in
      if case .value(let json) = update { try current.decode(json, name) } else { nil }
    }
  }

  /// The items, now and after each change from now on: see ``values(_:)-(String)``.
  ///
  /// - Parameter output: the output.
  /// - Returns: the items, each time.
  public func values<Element: Decodable & Sendable>(
    _ output: KeyPath<Output, Observable<Items<Element>>>
  ) -> AsyncThrowingStream<Rows<Element>, any Error> { lists(propertyName(output)) }

  /// The items, now and after each change from now on: see ``values(_:)-(String)``.
  ///
  /// - Parameter output: the output.
  /// - Returns: the items, each time.
  public func values<Element: Decodable>(
    _ output: KeyPath<Output, Observable<Rows<Element>>>
  ) -> AsyncThrowingStream<Rows<Element>, any Error> { lists(propertyName(output)) }

  func lists<Element: Decodable & Sendable>(_ name: String) -> AsyncThrowingStream<Rows<Element>, any Error> {
    kept.stream(name, holding: handle) { update, current in
      if case .items = update { try current.rows(name, of: Element.self) } else { nil }
    }
  }

  /// The name of a property, which is that on the wire.
  func propertyName(_ path: AnyKeyPath) -> String {
    // A key path to stored properties shows itself as `\Output.items`.
    let text = String(reflecting: path)
    guard let name = text.split(separator: ".").last, !text.contains("<computed ") else {
      fatalError(
        "\(text) is no stored property: outputs are the stored properties of their structures, and where one of these is"
          + " @Nested, \(Output.self) must be Decodable, too")
    }
    return String(name)
  }
}

/// Inputs of a view, each to be called as a method.
@dynamicMemberLookup
public struct ViewInputs<Inputs: Ports> {
  /// Ports that nobody listens to, which have the names on the wire.
  let inputs: Inputs
  let view: AnyRemoteView

  /// An input as a method.
  ///
  /// - Parameter port: the input.
  public subscript<Value>(dynamicMember port: KeyPath<Inputs, Port<Value>>) -> InputCall<Value> {
    let port = inputs[keyPath: port]
    return InputCall(name: port.name, parameter: port.parameter, view: view)
  }

  /// Inputs that these hold.
  ///
  /// - Parameter inner: those inputs.
  public subscript<Inner: Ports>(dynamicMember inner: KeyPath<Inputs, Inner>) -> ViewInputs<Inner> {
    ViewInputs<Inner>(inputs: inputs[keyPath: inner], view: view)
  }
}

/// An input of a view, to be called as a method.
public struct InputCall<Value> {
  let name: String
  /// The name of its one parameter; nil where the value's fields are the parameters.
  let parameter: String?
  let view: AnyRemoteView
}

extension InputCall where Value: Encodable {
  /// Tells the view something, and waits until all that it began is over: see ``RemoteView/call(_:_:)``.
  ///
  /// - Parameter value: what.
  /// - Returns: what has become of it all.
  /// - Throws: ``ResponseError`` of the kinds `invalidParams`, `methodNotFound`, `noSuchView`; an `EncodingFailure`.
  @discardableResult
  public func callAsFunction(_ value: Value) async throws -> Outcome { try await view.call(name, params(value)) }

  /// Tells the view something that opens another: see ``RemoteView/open(_:_:)``.
  ///
  /// - Parameter value: what.
  /// - Returns: the view that was opened by it, if one was.
  /// - Throws: ``ResponseError`` of the kinds `invalidParams`, `methodNotFound`, `noSuchView`; an `EncodingFailure`.
  @discardableResult
  public func open(_ value: Value) async throws -> AnyRemoteView? { try await view.open(name, params(value)) }

  /// Tells the view something, and waits for nothing: what goes wrong with it isn't told, a value that can't be written
  /// as JSON among it.
  ///
  /// - Parameter value: what.
  public func send(_ value: Value) {
    if let params = try? params(value) { view.send(name, params) }
  }

  private func params(_ value: Value) throws(EncodingFailure) -> RawJSON {
    let json = try RawJSON(encoding: value)
    return parameter.map { [$0: json].json } ?? json
  }
}

extension InputCall where Value == Void {
  /// Tells the view something, and waits until all that it began is over: see ``RemoteView/call(_:_:)``.
  ///
  /// - Returns: what has become of it all.
  /// - Throws: ``ResponseError`` of the kinds `methodNotFound`, `noSuchView`.
  @discardableResult
  public func callAsFunction() async throws -> Outcome { try await view.call(name) }

  /// Tells the view something that opens another: see ``RemoteView/open(_:_:)``.
  ///
  /// - Returns: the view that was opened by it, if one was.
  /// - Throws: ``ResponseError`` of the kinds `methodNotFound`, `noSuchView`.
  @discardableResult
  public func open() async throws -> AnyRemoteView? { try await view.open(name) }

  /// Tells the view something, and waits for nothing: what goes wrong with it isn't told.
  public func send() { view.send(name) }
}
