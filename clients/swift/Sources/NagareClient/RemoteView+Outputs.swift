public import Nagare

// Outputs as properties of a view. Their names and types come from the properties of the view model's outputs.

extension RemoteView {
  /// The current value of an output: `try articles.loading`.
  ///
  /// - Parameter output: the output.
  public subscript<Value: Decodable & Sendable>(dynamicMember output: KeyPath<Output, Driver<Value>>) -> Value {
    get throws { try kept.read { [name = OutputNames.name(of: output)] current in try current.value(name) } }
  }

  /// The current items: `try articles.items`.
  ///
  /// - Parameter output: the output.
  public subscript<Element: Decodable & Sendable>(
    dynamicMember output: KeyPath<Output, Driver<Items<Element>>>
  ) -> Rows<Element> {
    get throws { try rows(OutputNames.name(of: output), of: Element.self) }
  }

  /// The current items: `try inbox.items`.
  ///
  /// - Parameter output: the output.
  public subscript<Element: Decodable>(dynamicMember output: KeyPath<Output, Driver<Rows<Element>>>) -> Rows<Element> {
    get throws { try rows(OutputNames.name(of: output), of: Element.self) }
  }

  /// The outputs of a nested view model: `try letter.title.text`. For this, structures with `Nested` outputs must be
  /// `Decodable`.
  ///
  /// - Parameter outputs: the nested outputs.
  public subscript<Inner: Outputs>(dynamicMember outputs: KeyPath<Output, Inner>) -> ViewOutputs<Input, Output, Inner> {
    ViewOutputs(view: self, path: outputs)
  }

  /// Returns the values of an output from now on: see ``values(_:)-(String)``.
  ///
  /// - Parameter output: the output.
  /// - Returns: its values.
  public func values<Value: Decodable & Sendable>(
    _ output: KeyPath<Output, Driver<Value>>
  ) -> AsyncThrowingStream<Value, any Error> { decoded(OutputNames.name(of: output)) }

  /// Returns the items, now and after each later change: see ``values(_:)-(String)``.
  ///
  /// - Parameter output: the output.
  /// - Returns: all items, after each change.
  public func values<Element: Decodable & Sendable>(
    _ output: KeyPath<Output, Driver<Items<Element>>>
  ) -> AsyncThrowingStream<Rows<Element>, any Error> { lists(OutputNames.name(of: output)) }

  /// Returns the items, now and after each later change: see ``values(_:)-(String)``.
  ///
  /// - Parameter output: the output.
  /// - Returns: all items, after each change.
  public func values<Element: Decodable>(
    _ output: KeyPath<Output, Driver<Rows<Element>>>
  ) -> AsyncThrowingStream<Rows<Element>, any Error> { lists(OutputNames.name(of: output)) }

  /// Returns the events of an output from now on: see ``values(_:)-(String)``.
  ///
  /// - Parameter output: the output.
  /// - Returns: the events' values.
  public func values<Value: Decodable & Sendable>(
    _ output: KeyPath<Output, Signal<Value>>
  ) -> AsyncThrowingStream<Value, any Error> { decoded(OutputNames.name(of: output)) }

  /// Returns a value for each event of an output without values, from now on: see ``values(_:)-(String)``.
  ///
  /// - Parameter output: the output.
  /// - Returns: an empty value for each event.
  public func values(_ output: KeyPath<Output, Signal<Void>>) -> AsyncThrowingStream<Void, any Error> {
    kept.stream(OutputNames.name(of: output), holding: handle) { _, _ in () }
  }

  private func decoded<Value: Decodable & Sendable>(_ name: String) -> AsyncThrowingStream<Value, any Error> {
    kept.stream(name, holding: handle) { update, current in
      if case .value(let json) = update { try current.decode(json, name) } else { nil }
    }
  }

  private func lists<Element: Decodable & Sendable>(_ name: String) -> AsyncThrowingStream<Rows<Element>, any Error> {
    kept.stream(name, holding: handle) { update, current in
      if case .items = update { try current.rows(name, of: Element.self) } else { nil }
    }
  }
}

/// The outputs of a nested view model, each a property with the current value.
@dynamicMemberLookup
public struct ViewOutputs<Input: Ports, Output, Inner: Outputs> {
  let view: RemoteView<Input, Output>
  let path: KeyPath<Output, Inner>

  /// The current value of an output.
  ///
  /// - Parameter output: the output.
  public subscript<Value: Decodable & Sendable>(dynamicMember output: KeyPath<Inner, Driver<Value>>) -> Value {
    get throws { try view[dynamicMember: path.appending(path: output)] }
  }

  /// The current items.
  ///
  /// - Parameter output: the output.
  public subscript<Element: Decodable & Sendable>(
    dynamicMember output: KeyPath<Inner, Driver<Items<Element>>>
  ) -> Rows<Element> {
    get throws { try view[dynamicMember: path.appending(path: output)] }
  }

  /// The outputs of a nested view model.
  ///
  /// - Parameter outputs: the nested outputs.
  public subscript<Deeper: Outputs>(
    dynamicMember outputs: KeyPath<Inner, Deeper>
  ) -> ViewOutputs<Input, Output, Deeper> {
    ViewOutputs<Input, Output, Deeper>(view: view, path: path.appending(path: outputs))
  }
}
