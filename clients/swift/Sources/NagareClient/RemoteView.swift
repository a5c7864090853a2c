public import Nagare

/// An open view of a screen. Its view model runs in the server.
///
/// Outputs are properties, and inputs are methods. Their names and types come from the view model's structures of
/// inputs and outputs:
///
/// ```swift
/// let articles = try await session.open("articles", as: Articles.self)
/// try await articles.refresh()
/// for article in try articles.items { print(article.title) }
/// for try await loading in articles.values(\.loading) { spinner.isShown = loading }
/// ```
/// A view can be used on any thread.
@dynamicMemberLookup
public struct RemoteView<Input: Ports, Output>: Sendable {
  let kept: ViewState
  let handle: Handle

  init(_ kept: ViewState, _ handle: Handle) { (self.kept, self.handle) = (kept, handle) }

  /// The view's name in messages.
  public var viewName: String { kept.name }
  /// The description of the view's screen.
  public var screen: ScreenDescription { kept.screen }
  /// Whether the view or the session is closed.
  public var isClosed: Bool { kept.end != nil }

  /// Returns the same view with other types.
  ///
  /// - Parameter type: a view type with the inputs and outputs.
  /// - Returns: the view.
  public func `as`<OtherInput, OtherOutput>(
    _ type: RemoteView<OtherInput, OtherOutput>.Type
  ) -> RemoteView<OtherInput, OtherOutput> { RemoteView<OtherInput, OtherOutput>(kept, handle) }

  /// Closes the view, and the views that it opened.
  ///
  /// - Throws: ``ResponseError`` of the kind `noSuchView` if it is closed already.
  public func close() async throws {
    let kept = kept
    try await handle.request("close", ["view": viewName].json) { connection, _ in
      connection.forget(kept)
    } take: { connection, _ in
      connection.forget(kept)
    }
  }

  /// Requests the current values from the server. The view has these values already, unless it missed a notification.
  ///
  /// - Returns: the outputs' values by their names, an object.
  /// - Throws: ``ResponseError`` of the kind `noSuchView` if the view is closed.
  @discardableResult
  public func synchronize() async throws -> RawJSON { try await synchronized().said }

  /// Returns the view's values when the server's answer arrived, and the server's.
  func synchronized() async throws -> (own: RawJSON, said: RawJSON) {
    let kept = kept
    return try await handle.request("outputs", ["view": viewName].json) { _, result in
      let own = kept.all
      try kept.synchronize(result.member("outputs") ?? .emptyObject)
      return (own, kept.all)
    }
  }

  // MARK: - By name

  /// Sends an input, and waits until everything that it started is finished: loads, edits and tasks. Their changes have
  /// been received then.
  ///
  /// - Parameters:
  ///   - input: the input's name.
  ///   - params: its parameters, an object.
  /// - Returns: the outcome.
  /// - Throws: ``ResponseError`` of the kinds `invalidParams`, `methodNotFound`, `noSuchView`; an `EncodingFailure`.
  @discardableResult
  public func call(_ input: String, _ params: some Encodable = RawJSON.emptyObject) async throws -> Outcome {
    try await handle.call(input, addressed(input, try RawJSON(encoding: params)))
  }

  /// Sends an input that opens a view, and waits for its immediate effects. Loads may still run.
  ///
  /// - Parameters:
  ///   - input: the input's name.
  ///   - params: its parameters, an object.
  /// - Returns: the opened view, or nil if the input opened none.
  /// - Throws: ``ResponseError`` of the kinds `invalidParams`, `methodNotFound`, `noSuchView`; an `EncodingFailure`.
  @discardableResult
  public func open(_ input: String, _ params: some Encodable = RawJSON.emptyObject) async throws -> AnyRemoteView? {
    let (kept, openings, params) = (kept, kept.openings, addressed(input, try RawJSON(encoding: params)))
    // Separates the views that this input opens from those of earlier `send` and `call`.
    let separate: @Sendable (Connection) -> Void = { $0.separate { _ = kept.takeOpened(since: .max) } }
    let opened = try await handle.request(input, params, prepare: separate) { _, _ in
      kept.takeOpened(since: openings)
    }
    return opened.map { AnyRemoteView($0, handle) }
  }

  /// Sends an input without waiting. Errors aren't reported, not even for parameters that can't be encoded as JSON.
  ///
  /// - Parameters:
  ///   - input: the input's name.
  ///   - params: its parameters, an object.
  public func send(_ input: String, _ params: some Encodable = RawJSON.emptyObject) {
    if let params = try? RawJSON(encoding: params) { handle.notify(input, addressed(input, params)) }
  }

  /// Returns the params to send. Row numbers refer to this client's revision of the list; the server may have a newer
  /// one.
  private func addressed(_ input: String, _ params: RawJSON) -> RawJSON {
    let named = params.adding("view", viewName)
    guard input == "viewport" || input == "jump" else { return named }
    kept.sight.forget()
    guard input == "viewport", params.member("revision") == nil,
      let revision = kept.read({ current in current.lists["items"].flatMap { $0.place == nil ? nil : $0.revision } })
    else { return named }
    return named.adding("revision", revision)
  }

  /// The current value of an output; nil if it has none. A list is encoded with all its items; ``rows(_:of:)`` avoids
  /// that.
  ///
  /// - Parameter output: the output's name.
  public subscript(output: String) -> RawJSON? { kept.read { $0.json(output) } }

  /// Returns the current items.
  ///
  /// - Parameters:
  ///   - output: the name of an output that is a list.
  ///   - type: the items' type.
  /// - Returns: the items.
  /// - Throws: ``OutputMismatch`` if the output isn't a list, or an item isn't of the type.
  public func rows<Element: Decodable & Sendable>(
    _ output: String = "items", of type: Element.Type = RawJSON.self
  ) throws -> Rows<Element> {
    try kept.read { try $0.rows(output, of: type) }
  }
}

/// `description` isn't used, because a view model may have an output with that name.
extension RemoteView: CustomDebugStringConvertible {
  /// The view's name and its screen's.
  public var debugDescription: String { "RemoteView(\"\(viewName)\", of: \"\(screen.name)\")" }
}

/// A view without declared inputs and outputs.
public typealias AnyRemoteView = RemoteView<NoPorts, Void>

/// Inputs that aren't declared.
public struct NoPorts: Ports {
  /// Creates an empty structure.
  public init() {}
}
