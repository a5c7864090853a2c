public import Nagare

// What a view says, by the properties of its view model's outputs: those are the names on the wire, and the types.

extension RemoteView {
  /// The current value of an output: `try articles.loading`.
  ///
  /// - Parameter output: the output.
  public subscript<Value: Decodable & Sendable>(dynamicMember output: KeyPath<Output, Driver<Value>>) -> Value {
    get throws { try kept.read { [name = OutputNames.name(of: output)] current in try current.value(name) } }
  }

  /// The items that are current: `try articles.items`.
  ///
  /// - Parameter output: the output.
  public subscript<Element: Decodable & Sendable>(
    dynamicMember output: KeyPath<Output, Driver<Items<Element>>>
  ) -> Rows<Element> {
    get throws { try rows(OutputNames.name(of: output), of: Element.self) }
  }

  /// The items that are current: `try inbox.items`.
  ///
  /// - Parameter output: the output.
  public subscript<Element: Decodable>(dynamicMember output: KeyPath<Output, Driver<Rows<Element>>>) -> Rows<Element> {
    get throws { try rows(OutputNames.name(of: output), of: Element.self) }
  }

  /// Outputs of another view model that this one's outputs hold: `try letter.title.text`. Where they are `Nested`, the
  /// structures of outputs are `Decodable`, too.
  ///
  /// - Parameter outputs: those outputs.
  public subscript<Inner: Outputs>(dynamicMember outputs: KeyPath<Output, Inner>) -> ViewOutputs<Input, Output, Inner> {
    ViewOutputs(view: self, path: outputs)
  }

  /// What an output says from now on: see ``values(_:)-(String)``.
  ///
  /// - Parameter output: the output.
  /// - Returns: its values.
  public func values<Value: Decodable & Sendable>(
    _ output: KeyPath<Output, Driver<Value>>
  ) -> AsyncThrowingStream<Value, any Error> { decoded(OutputNames.name(of: output)) }

  /// The items, now and after each change from now on: see ``values(_:)-(String)``.
  ///
  /// - Parameter output: the output.
  /// - Returns: the items, each time.
  public func values<Element: Decodable & Sendable>(
    _ output: KeyPath<Output, Driver<Items<Element>>>
  ) -> AsyncThrowingStream<Rows<Element>, any Error> { lists(OutputNames.name(of: output)) }

  /// The items, now and after each change from now on: see ``values(_:)-(String)``.
  ///
  /// - Parameter output: the output.
  /// - Returns: the items, each time.
  public func values<Element: Decodable>(
    _ output: KeyPath<Output, Driver<Rows<Element>>>
  ) -> AsyncThrowingStream<Rows<Element>, any Error> { lists(OutputNames.name(of: output)) }

  /// What an output sends from now on: see ``values(_:)-(String)``.
  ///
  /// - Parameter output: the output.
  /// - Returns: its values.
  public func values<Value: Decodable & Sendable>(
    _ output: KeyPath<Output, Signal<Value>>
  ) -> AsyncThrowingStream<Value, any Error> { decoded(OutputNames.name(of: output)) }

  /// Each time that an output without a value is sent: see ``values(_:)-(String)``.
  ///
  /// - Parameter output: the output.
  /// - Returns: a value each time.
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

/// Outputs that are held by those of a view, each a property that is current.
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

  /// The items that are current.
  ///
  /// - Parameter output: the output.
  public subscript<Element: Decodable & Sendable>(
    dynamicMember output: KeyPath<Inner, Driver<Items<Element>>>
  ) -> Rows<Element> {
    get throws { try view[dynamicMember: path.appending(path: output)] }
  }

  /// Outputs that these hold.
  ///
  /// - Parameter outputs: those outputs.
  public subscript<Deeper: Outputs>(
    dynamicMember outputs: KeyPath<Inner, Deeper>
  ) -> ViewOutputs<Input, Output, Deeper> {
    ViewOutputs<Input, Output, Deeper>(view: view, path: path.appending(path: outputs))
  }
}
