public import Nagare

// Inputs as methods of a view. Their names and types come from the properties of the view model's inputs.

extension RemoteView {
  /// An input as a method: `try await articles.refresh()`.
  ///
  /// - Parameter port: the input.
  public subscript<Value>(dynamicMember port: KeyPath<Input, Port<Value>>) -> InputCall<Value> {
    inputs[dynamicMember: port]
  }

  /// The inputs of a nested view model: `try await letter.title.write("Dear Mei")`.
  ///
  /// - Parameter inputs: the nested inputs.
  public subscript<Inner: Ports>(dynamicMember inputs: KeyPath<Input, Inner>) -> ViewInputs<Inner> {
    self.inputs[dynamicMember: inputs]
  }

  private var inputs: ViewInputs<Input> {
    do {
      return ViewInputs(inputs: try Input().listed(), view: self.as(AnyRemoteView.self))
    } catch {
      // The view model's inputs are declared wrong, so a server with them can't start, either. This isn't thrown,
      // because expressions such as `view.refresh.send()` don't throw.
      fatalError("\(error)")
    }
  }
}

/// Inputs of a view, each callable as a method.
@dynamicMemberLookup
public struct ViewInputs<Inputs: Ports> {
  /// An unused structure of inputs, from which the names on the wire are read.
  let inputs: Inputs
  let view: AnyRemoteView

  /// An input as a method.
  ///
  /// - Parameter port: the input.
  public subscript<Value>(dynamicMember port: KeyPath<Inputs, Port<Value>>) -> InputCall<Value> {
    let port = inputs[keyPath: port]
    return InputCall(name: port.name, parameter: port.parameter, view: view)
  }

  /// The inputs of a nested view model.
  ///
  /// - Parameter inner: the nested inputs.
  public subscript<Inner: Ports>(dynamicMember inner: KeyPath<Inputs, Inner>) -> ViewInputs<Inner> {
    ViewInputs<Inner>(inputs: inputs[keyPath: inner], view: view)
  }
}

/// An input of a view, callable as a method.
public struct InputCall<Value> {
  let name: String
  /// The name of its only parameter. Nil if the value's fields are the parameters.
  let parameter: String?
  let view: AnyRemoteView
}

extension InputCall where Value: Encodable {
  /// Sends the input, and waits until everything that it started is finished: see ``RemoteView/call(_:_:)``.
  ///
  /// - Parameter value: the input's value.
  /// - Returns: the outcome.
  /// - Throws: ``ResponseError`` of the kinds `invalidParams`, `methodNotFound`, `noSuchView`; an `EncodingFailure`.
  @discardableResult
  public func callAsFunction(_ value: Value) async throws -> Outcome { try await view.call(name, params(value)) }

  /// Sends an input that opens a view: see ``RemoteView/open(_:_:)``.
  ///
  /// - Parameter value: the input's value.
  /// - Returns: the opened view, or nil if the input opened none.
  /// - Throws: ``ResponseError`` of the kinds `invalidParams`, `methodNotFound`, `noSuchView`; an `EncodingFailure`.
  @discardableResult
  public func open(_ value: Value) async throws -> AnyRemoteView? { try await view.open(name, params(value)) }

  /// Sends the input without waiting. Errors aren't reported, not even for a value that can't be encoded as JSON.
  ///
  /// - Parameter value: the input's value.
  public func send(_ value: Value) {
    if let params = try? params(value) { view.send(name, params) }
  }

  private func params(_ value: Value) throws(EncodingFailure) -> RawJSON {
    let json = try RawJSON(encoding: value)
    return parameter.map { [$0: json].json } ?? json
  }
}

extension InputCall where Value == Void {
  /// Sends the input, and waits until everything that it started is finished: see ``RemoteView/call(_:_:)``.
  ///
  /// - Returns: the outcome.
  /// - Throws: ``ResponseError`` of the kinds `methodNotFound`, `noSuchView`.
  @discardableResult
  public func callAsFunction() async throws -> Outcome { try await view.call(name) }

  /// Sends an input that opens a view: see ``RemoteView/open(_:_:)``.
  ///
  /// - Returns: the opened view, or nil if the input opened none.
  /// - Throws: ``ResponseError`` of the kinds `methodNotFound`, `noSuchView`.
  @discardableResult
  public func open() async throws -> AnyRemoteView? { try await view.open(name) }

  /// Sends the input without waiting. Errors aren't reported.
  public func send() { view.send(name) }
}

extension InputCall {
  /// Replaces the item that has the same id.
  ///
  /// - Parameter item: the item.
  /// - Returns: the outcome of the edit.
  /// - Throws: ``ResponseError`` of the kinds `invalidParams`, `noSuchView`; an `EncodingFailure`.
  @discardableResult
  public func callAsFunction<Item>(_ item: Item) async throws -> Outcome where Value == Change<Item> {
    try await self(Change(item: item))
  }
}

extension InputCall where Value == Remove {
  /// Removes an item.
  ///
  /// - Parameter id: the item's id.
  /// - Returns: the outcome of the edit.
  /// - Throws: ``ResponseError`` of the kinds `invalidParams`, `noSuchView`.
  @discardableResult
  public func callAsFunction(_ id: ItemID) async throws -> Outcome { try await self(Remove(id: id)) }
}
