public import Nagare
internal import Reactor

/// The screens of one server.
///
/// ```swift
/// let session = try await Session.spawn(["nagare"])
/// let inbox = try await session.open("items", as: ListView<Mail>.self)
/// ```
/// ``close(patience:)`` ends a server that the session started. The server also ends when the session and all its views
/// have been released.
public struct Session: Sendable {
  /// The version of the protocol.
  private static let protocolVersion = "1"

  /// The server's name and version.
  public let server: RawJSON
  /// The server's capabilities.
  public let capabilities: RawJSON
  /// All screens, including those that only another view's input can open.
  public let screens: [ScreenDescription]
  /// The server's limits in the answer to `initialize`; empty if there are none.
  public let limits: RawJSON
  let handle: Handle

  /// Starts a server.
  ///
  /// - Parameters:
  ///   - command: the program and its arguments. A program without a slash is searched in `PATH`.
  ///   - folder: the server's working folder; this process's folder if empty.
  ///   - handlers: the handlers of the server's requests.
  ///   - log: receives the server's output on standard error.
  /// - Returns: the session.
  /// - Throws: ``ServerDied`` if the server ends at once, `SystemError` if it can't be started.
  public static func spawn(
    _ command: [String], in folder: String = "", answering handlers: Handlers = Handlers(),
    log: (@Sendable (String) -> Void)? = nil
  ) async throws -> Session {
    try await Session(answering: handlers) { try ChildLink(command, in: folder, log: log, on: $0) }
  }

  /// Connects to a running server.
  ///
  /// - Parameters:
  ///   - input: the file descriptor from which the server's messages are read, such as a socket's. It is closed at the
  ///     end.
  ///   - output: the file descriptor to which messages are written; may be the same.
  ///   - handlers: the handlers of the server's requests.
  /// - Returns: the session.
  /// - Throws: ``ServerDied`` if the connection ends at once.
  public static func connect(
    reading input: Int32, writing output: Int32, answering handlers: Handlers = Handlers()
  ) async throws -> Session {
    try await Session(answering: handlers) {
      DescriptorLink(reading: Descriptor(rawValue: input), writing: Descriptor(rawValue: output), on: $0)
    }
  }

  init(
    answering handlers: Handlers, clock: @escaping @Sendable (EventLoop) -> any Scheduler = { $0 },
    _ link: @escaping @Sendable (EventLoop) throws -> any Link
  ) async throws {
    handle = Handle(
      try await Resident { loop in Connection(try link(loop), answering: handlers, on: loop, clock: clock(loop)) })
    let hello: [String: RawJSON] = [
      "protocolVersion": Session.protocolVersion.json,
      "client": ["name": "nagare for Swift", "version": "0.1.0"].json, "capabilities": handlers.capabilities,
    ]
    let greeting = try await handle.request("initialize", hello.json) { connection, greeting in
      connection.applyLimits(greeting)
      return RawJSON(copying: greeting)
    }
    let version = greeting.member("protocolVersion")?.string
    guard version == Session.protocolVersion else {
      let spoken = version.map { "\"\($0)\"" } ?? "none"
      throw ProtocolError(description: "the server speaks version \(spoken), not \"\(Session.protocolVersion)\"")
    }
    server = greeting.member("server") ?? .emptyObject
    capabilities = greeting.member("capabilities") ?? .emptyObject
    limits = greeting.member("limits") ?? .emptyObject
    screens = try await handle.request("screens", .emptyObject) { connection, result in
      let screens = try ScreenDescription.list(result)
      connection.screens = Dictionary(screens.map { ($0.name, $0) }, uniquingKeysWith: { $1 })
      return screens
    }
  }

  /// Opens a view of a screen, with declared inputs and outputs. Opening a view loads nothing yet.
  ///
  /// ```swift
  /// let inbox = try await session.open("items", ["pageSize": 50], as: ListView<Mail>.self)
  /// ```
  /// - Parameters:
  ///   - screen: the screen's name.
  ///   - params: parameters that override the screen's own, an object.
  ///   - view: the view's name; without it the server chooses a name.
  ///   - type: a view type with the inputs and outputs.
  /// - Returns: the view.
  /// - Throws: ``ResponseError`` of the kinds `noSuchScreen`, `invalidParams`, `viewTaken`, `limitPassed`.
  public func open<Input, Output>(
    _ screen: String, _ params: some Encodable = RawJSON.emptyObject, view: String? = nil,
    as type: RemoteView<Input, Output>.Type
  ) async throws -> RemoteView<Input, Output> {
    var opening = ["screen": screen.json, "params": try RawJSON(encoding: params)]
    if let view { opening["view"] = view.json }
    let state = try await handle.request("open", opening.json) { connection, opened in
      guard let name = opened.member("view")?.string else { return }
      connection.notify("close", ["view": name].json)
    } take: { connection, opened in
      try connection.open(opened, of: screen)
    }
    return RemoteView(state, handle)
  }

  /// Opens a view of a screen whose view model this client shares with the server.
  ///
  /// ```swift
  /// let articles = try await session.open("articles", as: Articles.self)
  /// for article in try articles.items { print(article.title) }
  /// ```
  /// - Parameters:
  ///   - screen: the screen's name.
  ///   - params: parameters that override the screen's own, an object.
  ///   - view: the view's name; without it the server chooses a name.
  ///   - model: the view model with the view's inputs and outputs.
  /// - Returns: the view.
  /// - Throws: ``ResponseError`` of the kinds `noSuchScreen`, `invalidParams`, `viewTaken`, `limitPassed`.
  public func open<Model: ViewModel>(
    _ screen: String, _ params: some Encodable = RawJSON.emptyObject, view: String? = nil, as model: Model.Type
  ) async throws -> RemoteView<Model.Input, Model.Output> {
    try await open(screen, params, view: view, as: RemoteView<Model.Input, Model.Output>.self)
  }

  /// Opens a view of a screen, without declared inputs and outputs.
  ///
  /// - Parameters:
  ///   - screen: the screen's name.
  ///   - params: parameters that override the screen's own, an object.
  ///   - view: the view's name; without it the server chooses a name.
  /// - Returns: the view.
  /// - Throws: ``ResponseError`` of the kinds `noSuchScreen`, `invalidParams`, `viewTaken`, `limitPassed`.
  public func open(
    _ screen: String, _ params: some Encodable = RawJSON.emptyObject, view: String? = nil
  ) async throws -> AnyRemoteView {
    try await open(screen, params, view: view, as: AnyRemoteView.self)
  }

  /// Dispatches an action to the stores that screens share, and waits until everything that it started is finished,
  /// such as a list's load.
  ///
  /// - Parameters:
  ///   - type: the type of the action.
  ///   - value: the value of the action.
  /// - Returns: the combined outcome.
  /// - Throws: ``ResponseError`` of the kind `invalidParams` if no store handles the action.
  @discardableResult
  public func dispatch(_ type: String, _ value: some Encodable = RawJSON.null) async throws -> Outcome {
    try await handle.call("dispatch", Session.action(type, try RawJSON(encoding: value)))
  }

  /// Dispatches an action to the stores without waiting. Errors aren't reported, not even for a value that can't be
  /// encoded as JSON.
  ///
  /// - Parameters:
  ///   - type: the type of the action.
  ///   - value: the value of the action.
  public func sendAction(_ type: String, _ value: some Encodable = RawJSON.null) {
    if let value = try? RawJSON(encoding: value) { handle.notify("dispatch", Session.action(type, value)) }
  }

  private static func action(_ type: String, _ value: RawJSON) -> RawJSON {
    ["action": ["type": type.json, "value": value]].json
  }

  /// Advances a virtual clock. When it returns, the outputs of everything that was due have been received.
  ///
  /// - Parameter milliseconds: the time to advance by.
  /// - Returns: the milliseconds since the server's start.
  /// - Throws: ``ResponseError`` of the kind `methodNotFound` if the server's clock is real.
  @discardableResult
  public func advance(_ milliseconds: Int) async throws -> Int {
    try await handle.request("clock/advance", ["milliseconds": milliseconds].json).member("now")?.int ?? 0
  }

  /// Returns the OpenRPC document that describes the service.
  ///
  /// - Throws: ``ServerDied`` and other errors of the session.
  public func discover() async throws -> RawJSON { try await handle.request("rpc.discover") }

  /// Waits until the immediate effects of all earlier messages have been received.
  ///
  /// - Throws: ``ServerDied`` and other errors of the session.
  public func ping() async throws { try await handle.request("ping", .emptyObject) { _, _ in } }

  /// Ends the server: by `shutdown`, `exit` and the end of its input, or by force if that takes too long.
  ///
  /// - Parameter patience: the time before the server's process group gets SIGTERM, and again before it gets SIGKILL.
  /// - Returns: how the server ended; nil if it is unknown, because this client didn't start the server.
  @discardableResult
  public func close(patience: Duration = .seconds(3)) async -> ServerEnd? {
    await withCheckedContinuation { continuation in
      handle.connection.perform { connection in
        connection.close(patience: patience) { continuation.resume(returning: $0) }
      }
    }
  }
}
