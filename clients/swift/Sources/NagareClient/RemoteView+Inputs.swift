public import Nagare

// What a view is told, by the properties of its view model's inputs: those are the names on the wire, and the types.

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
      // The view model's inputs are declared wrong, so the server can't be started with them, either. It isn't thrown, because
      // an input such as `view.refresh.send()` doesn't throw.
      fatalError("\(error)")
    }
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

extension InputCall {
  /// Puts an item in the place of the one with its id.
  ///
  /// - Parameter item: the item.
  /// - Returns: what has become of the edit.
  /// - Throws: ``ResponseError`` of the kinds `invalidParams`, `noSuchView`; an `EncodingFailure`.
  @discardableResult
  public func callAsFunction<Item>(_ item: Item) async throws -> Outcome where Value == Change<Item> {
    try await self(Change(item: item))
  }
}

extension InputCall where Value == Remove {
  /// Takes an item out.
  ///
  /// - Parameter id: the item's id.
  /// - Returns: what has become of the edit.
  /// - Throws: ``ResponseError`` of the kinds `invalidParams`, `noSuchView`.
  @discardableResult
  public func callAsFunction(_ id: ItemID) async throws -> Outcome { try await self(Remove(id: id)) }
}
