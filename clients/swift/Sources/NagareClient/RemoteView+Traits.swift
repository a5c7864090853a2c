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
}
