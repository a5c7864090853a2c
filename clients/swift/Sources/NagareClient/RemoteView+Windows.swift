public import Nagare

// Lists of any length, of which a view holds what is looked at.

extension RemoteView {
  /// What is held of a list that was opened with a window, and follows what is looked at: `try inbox.window(\.items)`.
  ///
  /// - Parameter output: the output.
  /// - Returns: the list, with nil for each row that isn't held or read yet.
  /// - Throws: ``OutputMismatch`` if the list has no window, or an item isn't of the type.
  public func window<Element: Decodable>(_ output: KeyPath<Output, Driver<Rows<Element>>>) throws -> Window<Element> {
    try window(OutputNames.name(of: output), of: Element.self)
  }

  /// The same of an output of one's own view model.
  ///
  /// - Parameter output: the output.
  /// - Returns: the list, with nil for each row that isn't held or read yet.
  /// - Throws: ``OutputMismatch`` if the list has no window, or an item isn't of the type.
  public func window<Element: Decodable & Sendable>(
    _ output: KeyPath<Output, Driver<Items<Element>>>
  ) throws -> Window<Element> { try window(OutputNames.name(of: output), of: Element.self) }

  /// The same by the output's name.
  ///
  /// - Parameters:
  ///   - output: the output's name.
  ///   - type: what each item is.
  /// - Returns: the list, with nil for each row that isn't held or read yet.
  /// - Throws: ``OutputMismatch`` if the list has no window, or an item isn't of the type.
  public func window<Element: Decodable & Sendable>(
    _ output: String = "items", of type: Element.Type = RawJSON.self
  ) throws -> Window<Element> {
    try kept.read { [look = kept.looking(by: handle)] in try $0.window(output, look: look) }
  }

  /// A list that was opened with a window, now and after each change from now on: see ``values(_:)-(String)``.
  ///
  /// - Parameter output: the output.
  /// - Returns: the list, each time.
  public func windows<Element: Decodable>(
    _ output: KeyPath<Output, Driver<Rows<Element>>>
  ) -> AsyncThrowingStream<Window<Element>, any Error> { windows(OutputNames.name(of: output)) }

  /// The same of an output of one's own view model.
  ///
  /// - Parameter output: the output.
  /// - Returns: the list, each time.
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
  /// Goes to a row, and says by `scrollTo` where it is.
  ///
  /// - Parameter index: the row's position, from 0.
  /// - Returns: what has become of the load that this began.
  /// - Throws: ``ResponseError`` of the kind `invalidParams` if the list has no such row.
  @discardableResult
  public func callAsFunction(index: Int) async throws -> Outcome { try await self(Jump(index: index)) }

  /// Goes to an item, and says by `scrollTo` where it is.
  ///
  /// - Parameter id: the item's id.
  /// - Returns: what has become of the load that this began.
  /// - Throws: ``ResponseError`` of the kind `invalidParams` if it isn't listed and can't be asked for.
  @discardableResult
  public func callAsFunction(id: ItemID) async throws -> Outcome { try await self(Jump(id: id)) }
}

extension InputCall where Value == Viewport {
  /// Says which rows are in sight, and waits for nothing.
  ///
  /// - Parameter rows: their places in the list.
  public func send(_ rows: Range<Int>) { send(Viewport(start: rows.lowerBound, end: rows.upperBound)) }
}

extension ViewState {
  /// Has the server know what is looked at. A window doesn't keep the session.
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
