public import Nagare

/// An opened screen, whose view model lives in the server.
///
/// What it shows are properties, and what it is told are methods, by the names that the view model gives them, whose
/// inputs and outputs are its types:
///
/// ```swift
/// let articles = try await session.open("articles", as: Articles.self)
/// try await articles.refresh()
/// for article in try articles.items { print(article.title) }
/// for try await loading in articles.values(\.loading) { spinner.isShown = loading }
/// ```
/// All of a session's views may be used on any thread.
@dynamicMemberLookup
public struct RemoteView<Input: Ports, Output>: Sendable {
  let kept: ViewState
  let handle: Handle

  init(_ kept: ViewState, _ handle: Handle) { (self.kept, self.handle) = (kept, handle) }

  /// The name by which both sides mean it.
  public var viewName: String { kept.name }
  /// What it is a view of.
  public var screen: ScreenDescription { kept.screen }
  /// Whether the view has been closed, or the session with it.
  public var isClosed: Bool { kept.end != nil }

  /// The same view with other types.
  ///
  /// - Parameter type: what is known of its inputs and outputs.
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

  /// Asks the server what is current. It is what the view has already, for every change is said.
  ///
  /// - Returns: the outputs' values by their names, an object.
  /// - Throws: ``ResponseError`` of the kind `noSuchView` if the view is closed.
  @discardableResult
  public func synchronize() async throws -> RawJSON { try await synchronized().said }

  /// What was current when the server's answer came, and what it says.
  func synchronized() async throws -> (own: RawJSON, said: RawJSON) {
    let kept = kept
    return try await handle.request("outputs", ["view": viewName].json) { _, result in
      let own = kept.all
      try kept.synchronize(result.member("outputs") ?? .emptyObject)
      return (own, kept.all)
    }
  }

  // MARK: - By name

  /// Tells the view something, and waits until all that it began is over: loads, edits, tasks. What they caused has been
  /// heard then.
  ///
  /// - Parameters:
  ///   - input: the input's name.
  ///   - params: its parameters, an object.
  /// - Returns: what has become of it all.
  /// - Throws: ``ResponseError`` of the kinds `invalidParams`, `methodNotFound`, `noSuchView`; an `EncodingFailure`.
  @discardableResult
  public func call(_ input: String, _ params: some Encodable = RawJSON.emptyObject) async throws -> Outcome {
    try await handle.call(input, addressed(input, try RawJSON(encoding: params)))
  }

  /// Tells the view something that opens another, and waits until all that it caused at once has been heard. What it began
  /// goes on.
  ///
  /// - Parameters:
  ///   - input: the input's name.
  ///   - params: its parameters, an object.
  /// - Returns: the view that was opened by it, if one was.
  /// - Throws: ``ResponseError`` of the kinds `invalidParams`, `methodNotFound`, `noSuchView`; an `EncodingFailure`.
  @discardableResult
  public func open(_ input: String, _ params: some Encodable = RawJSON.emptyObject) async throws -> AnyRemoteView? {
    let (kept, openings, params) = (kept, kept.openings, addressed(input, try RawJSON(encoding: params)))
    // Views that `send` and `call` open aren't this input's.
    let separate: @Sendable (Connection) -> Void = { $0.separate { _ = kept.takeOpened(since: .max) } }
    let opened = try await handle.request(input, params, prepare: separate) { _, _ in
      kept.takeOpened(since: openings)
    }
    return opened.map { AnyRemoteView($0, handle) }
  }

  /// Tells the view something, and waits for nothing: what goes wrong with it isn't told, parameters that can't be
  /// written as JSON among it.
  ///
  /// - Parameters:
  ///   - input: the input's name.
  ///   - params: its parameters, an object.
  public func send(_ input: String, _ params: some Encodable = RawJSON.emptyObject) {
    if let params = try? RawJSON(encoding: params) { handle.notify(input, addressed(input, params)) }
  }

  /// Params as they go over. Numbers of rows are those of the list as it is here; the server's may be others by now.
  private func addressed(_ input: String, _ params: RawJSON) -> RawJSON {
    let named = params.adding("view", viewName)
    guard input == "viewport" || input == "jump" else { return named }
    kept.sight.forget()
    guard input == "viewport", params.member("revision") == nil,
      let revision = kept.read({ current in current.lists["items"].flatMap { $0.place == nil ? nil : $0.revision } })
    else { return named }
    return named.adding("revision", revision)
  }

  /// The current value of an output; nil if it has none. Of a list all items are written out: see ``rows(_:of:)``.
  ///
  /// - Parameter output: the output's name.
  public subscript(output: String) -> RawJSON? { kept.read { $0.json(output) } }

  /// The items that are current.
  ///
  /// - Parameters:
  ///   - output: the name of an output that is a list.
  ///   - type: the items' type.
  /// - Returns: the items.
  /// - Throws: ``OutputMismatch`` if it is no list, or an item isn't of the type.
  public func rows<Element: Decodable & Sendable>(
    _ output: String = "items", of type: Element.Type = RawJSON.self
  ) throws -> Rows<Element> {
    try kept.read { try $0.rows(output, of: type) }
  }
}

/// Not by `description`, a name that a view model may well give an output.
extension RemoteView: CustomDebugStringConvertible {
  /// The view's name and its screen's.
  public var debugDescription: String { "RemoteView(\"\(viewName)\", of: \"\(screen.name)\")" }
}

/// A view of which only names are known.
public typealias AnyRemoteView = RemoteView<NoPorts, Void>

/// No inputs that are known.
public struct NoPorts: Ports {
  /// None.
  public init() {}
}
