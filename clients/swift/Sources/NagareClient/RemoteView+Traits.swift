public import Nagare

// A view by the drivers and signals of an app's own view model.

extension RemoteView {
  /// The current value of an output: `try articles.loading`.
  ///
  /// - Parameter output: the output.
  public subscript<Value: Decodable & Sendable>(dynamicMember output: KeyPath<Output, Driver<Value>>) -> Value {
    get throws { try kept.read { [name = name(of: output)] current in try current.value(name) } }
  }

  /// The items that are current: `try articles.items`.
  ///
  /// - Parameter output: the output.
  public subscript<Element: Decodable & Sendable>(
    dynamicMember output: KeyPath<Output, Driver<Items<Element>>>
  ) -> Rows<Element> {
    get throws { try rows(name(of: output), of: Element.self) }
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
  ) -> AsyncThrowingStream<Value, any Error> { decoded(name(of: output)) }

  /// The items, now and after each change from now on: see ``values(_:)-(String)``.
  ///
  /// - Parameter output: the output.
  /// - Returns: the items, each time.
  public func values<Element: Decodable & Sendable>(
    _ output: KeyPath<Output, Driver<Items<Element>>>
  ) -> AsyncThrowingStream<Rows<Element>, any Error> { lists(name(of: output)) }

  /// What an output sends from now on: see ``values(_:)-(String)``.
  ///
  /// - Parameter output: the output.
  /// - Returns: its values.
  public func values<Value: Decodable & Sendable>(
    _ output: KeyPath<Output, Signal<Value>>
  ) -> AsyncThrowingStream<Value, any Error> { decoded(name(of: output)) }

  func name<Value>(of path: KeyPath<Output, Driver<Value>>) -> String {
    OutputNames(of: Output.self)?.name(of: path) ?? propertyName(path)
  }

  func name<Value>(of path: KeyPath<Output, Signal<Value>>) -> String {
    OutputNames(of: Output.self)?.name(of: path) ?? propertyName(path)
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
