public import Nagare

// Windows on lists of any length.

extension RemoteView {
  /// Returns the window of a list that was opened with a window: `try inbox.window(\.items)`. The window follows the
  /// rows that are read.
  ///
  /// - Parameter output: the output.
  /// - Returns: the list, with nil for each row outside of the window and each row that isn't loaded yet.
  /// - Throws: ``OutputMismatch`` if the list has no window, or an item isn't of the type.
  public func window<Element: Decodable>(_ output: KeyPath<Output, Driver<Rows<Element>>>) throws -> Window<Element> {
    try window(OutputNames.name(of: output), of: Element.self)
  }

  /// Returns the window of a list of a custom view model.
  ///
  /// - Parameter output: the output.
  /// - Returns: the list, with nil for each row outside of the window and each row that isn't loaded yet.
  /// - Throws: ``OutputMismatch`` if the list has no window, or an item isn't of the type.
  public func window<Element: Decodable & Sendable>(
    _ output: KeyPath<Output, Driver<Items<Element>>>
  ) throws -> Window<Element> { try window(OutputNames.name(of: output), of: Element.self) }

  /// Returns the window of a list, by the output's name.
  ///
  /// - Parameters:
  ///   - output: the output's name.
  ///   - type: the items' type.
  /// - Returns: the list, with nil for each row outside of the window and each row that isn't loaded yet.
  /// - Throws: ``OutputMismatch`` if the list has no window, or an item isn't of the type.
  public func window<Element: Decodable & Sendable>(
    _ output: String = "items", of type: Element.Type = RawJSON.self
  ) throws -> Window<Element> {
    try kept.read { [look = kept.looking(by: handle)] in try $0.window(output, look: look) }
  }

  /// Returns the window of a list, now and after each later change: see ``values(_:)-(String)``.
  ///
  /// - Parameter output: the output.
  /// - Returns: the window, after each change.
  public func windows<Element: Decodable>(
    _ output: KeyPath<Output, Driver<Rows<Element>>>
  ) -> AsyncThrowingStream<Window<Element>, any Error> { windows(OutputNames.name(of: output)) }

  /// Returns the window of a custom view model's list, now and after each later change: see ``values(_:)-(String)``.
  ///
  /// - Parameter output: the output.
  /// - Returns: the window, after each change.
  public func windows<Element: Decodable & Sendable>(
    _ output: KeyPath<Output, Driver<Items<Element>>>
  ) -> AsyncThrowingStream<Window<Element>, any Error> { windows(OutputNames.name(of: output)) }

  private func windows<Element: Decodable & Sendable>(
    _ name: String
  ) -> AsyncThrowingStream<Window<Element>, any Error> {
    kept.stream(name, holding: handle) { [look = kept.looking(by: handle)] update, current in
      if case .items = update { try current.window(name, look: look) } else { nil }
    }
  }
}

extension InputCall where Value == Jump {
  /// Moves the window to a row. The event `scrollTo` contains the row's position.
  ///
  /// - Parameter index: the row's position, from 0.
  /// - Returns: the outcome of the load that this started.
  /// - Throws: ``ResponseError`` of the kind `invalidParams` if the list has no such row.
  @discardableResult
  public func callAsFunction(index: Int) async throws -> Outcome { try await self(Jump(index: index)) }

  /// Moves the window to an item. The event `scrollTo` contains the item's position.
  ///
  /// - Parameter id: the item's id.
  /// - Returns: the outcome of the load that this started.
  /// - Throws: ``ResponseError`` of the kind `invalidParams` if the item isn't listed and the source can't be asked for
  ///   it.
  @discardableResult
  public func callAsFunction(id: ItemID) async throws -> Outcome { try await self(Jump(id: id)) }
}

extension InputCall where Value == Viewport {
  /// Reports the rows in sight, without waiting.
  ///
  /// - Parameter rows: their positions in the list.
  public func send(_ rows: Range<Int>) { send(Viewport(start: rows.lowerBound, end: rows.upperBound)) }
}

extension ViewState {
  /// Returns the function with which a window reports the rows that are read. The window doesn't keep the session
  /// alive.
  fileprivate func looking(by handle: Handle) -> @Sendable (Int, Int) -> Void {
    { [sight, name, weak handle] index, revision in
      guard let handle, sight.look(at: index, revision) else { return }
      handle.connection.perform { connection in
        guard let (rows, revision) = sight.take() else { return }
        let seen = ["view": name.json, "start": rows.lowerBound.json, "end": rows.upperBound.json]
        connection.notify("viewport", seen.merging(["revision": revision.json]) { $1 }.json)
      }
    }
  }
}
