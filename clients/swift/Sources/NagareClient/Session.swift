public import Nagare
internal import Reactor

/// The screens of one server.
///
/// ```swift
/// let session = try await Session.spawn(["nagare"])
/// let inbox = try await session.open("items", as: ListView<Mail>.self)
/// ```
/// A server that was started for it ends with ``close(patience:)``, or when nobody has hold of the session or one of its
/// views any more.
public struct Session: Sendable {
  /// The version of the protocol.
  private static let protocolVersion = "1"

  /// The server's name and version.
  public let server: RawJSON
  /// The server's capabilities.
  public let capabilities: RawJSON
  /// All screens, also those that only another view's input opens.
  public let screens: [ScreenDescription]
  /// What the server reads and opens at most, as it says in `initialize`; empty where it doesn't say.
  public let limits: RawJSON
  let handle: Handle

  /// Starts a server.
  ///
  /// - Parameters:
  ///   - command: the program, looked for in `PATH` unless it has a slash, and its arguments.
  ///   - folder: where it runs; this process's folder if empty.
  ///   - handlers: what this client answers for.
  ///   - log: takes what the server says on its standard error, as it comes.
  /// - Returns: the session.
  /// - Throws: ``ServerDied`` if the server ends at once, `SystemError` if it can't be started.
  public static func spawn(
    _ command: [String], in folder: String = "", answering handlers: Handlers = Handlers(),
    log: (@Sendable (String) -> Void)? = nil
  ) async throws -> Session {
    try await Session(answering: handlers) { try ChildLink(command, in: folder, log: log, on: $0) }
  }

  /// A session with a server that is there already.
  ///
  /// - Parameters:
  ///   - input: the file descriptor that its messages come from, such as a socket's. It is closed in the end.
  ///   - output: the one that messages to it go to; may be the same.
  ///   - handlers: what this client answers for.
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

  /// Opens a view of a screen. This loads nothing yet.
  ///
  /// ```swift
  /// let inbox = try await session.open("items", ["pageSize": 50], as: ListView<Mail>.self)
  /// ```
  /// - Parameters:
  ///   - screen: the screen's name.
  ///   - params: parameters that the view has its own way, an object.
  ///   - view: the view's name; without it the server takes one.
  ///   - type: what is known of its inputs and outputs.
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

  /// Opens a view of a screen whose view model is known here.
  ///
  /// ```swift
  /// let articles = try await session.open("articles", as: Articles.self)
  /// for article in try articles.items { print(article.title) }
  /// ```
  /// - Parameters:
  ///   - screen: the screen's name.
  ///   - params: parameters that the view has its own way, an object.
  ///   - view: the view's name; without it the server takes one.
  ///   - model: the view model, whose inputs and outputs the view has.
  /// - Returns: the view.
  /// - Throws: ``ResponseError`` of the kinds `noSuchScreen`, `invalidParams`, `viewTaken`, `limitPassed`.
  public func open<Model: ViewModel>(
    _ screen: String, _ params: some Encodable = RawJSON.emptyObject, view: String? = nil, as model: Model.Type
  ) async throws -> RemoteView<Model.Input, Model.Output> {
    try await open(screen, params, view: view, as: RemoteView<Model.Input, Model.Output>.self)
  }

  /// Opens a view of a screen of which nothing is known here.
  ///
  /// - Parameters:
  ///   - screen: the screen's name.
  ///   - params: parameters that the view has its own way, an object.
  ///   - view: the view's name; without it the server takes one.
  /// - Returns: the view.
  /// - Throws: ``ResponseError`` of the kinds `noSuchScreen`, `invalidParams`, `viewTaken`, `limitPassed`.
  public func open(
    _ screen: String, _ params: some Encodable = RawJSON.emptyObject, view: String? = nil
  ) async throws -> AnyRemoteView {
    try await open(screen, params, view: view, as: AnyRemoteView.self)
  }

  /// Gives an action to the stores that screens share, and waits until all that follows from it is over, such as the load
  /// of a list that follows a store.
  ///
  /// - Parameters:
  ///   - type: which action.
  ///   - value: what it carries.
  /// - Returns: what has become of it all.
  /// - Throws: ``ResponseError`` of the kind `invalidParams` if no store takes it.
  @discardableResult
  public func dispatch(_ type: String, _ value: some Encodable = RawJSON.null) async throws -> Outcome {
    try await handle.call("dispatch", Session.action(type, try RawJSON(encoding: value)))
  }

  /// Gives an action to the stores, and waits for nothing: what goes wrong with it isn't told, a value that can't be written
  /// as JSON among it.
  ///
  /// - Parameters:
  ///   - type: which action.
  ///   - value: what it carries.
  public func sendAction(_ type: String, _ value: some Encodable = RawJSON.null) {
    if let value = try? RawJSON(encoding: value) { handle.notify("dispatch", Session.action(type, value)) }
  }

  private static func action(_ type: String, _ value: RawJSON) -> RawJSON {
    ["action": ["type": type.json, "value": value]].json
  }

  /// Moves a virtual clock. All that fell due has been heard then.
  ///
  /// - Parameter milliseconds: by how much.
  /// - Returns: the milliseconds since the server's start.
  /// - Throws: ``ResponseError`` of the kind `methodNotFound` if the server's clock is real.
  @discardableResult
  public func advance(_ milliseconds: Int) async throws -> Int {
    try await handle.request("clock/advance", ["milliseconds": milliseconds].json).member("now")?.int ?? 0
  }

  /// The service described as an OpenRPC document.
  ///
  /// - Throws: ``ServerDied`` and the like.
  public func discover() async throws -> RawJSON { try await handle.request("rpc.discover") }

  /// Waits until all has been heard that was caused before.
  ///
  /// - Throws: ``ServerDied`` and the like.
  public func ping() async throws { try await handle.request("ping", .emptyObject) { _, _ in } }

  /// Has the server end: in order (`shutdown`, `exit`, the end of its input), or by force where that takes too long.
  ///
  /// - Parameter patience: how long the server has before SIGTERM, and then again before SIGKILL. Either goes to its whole
  ///   process group.
  /// - Returns: how it ended; nil where that isn't known, as it wasn't started here.
  @discardableResult
  public func close(patience: Duration = .seconds(3)) async -> ServerEnd? {
    await withCheckedContinuation { continuation in
      handle.connection.perform { connection in
        connection.close(patience: patience) { continuation.resume(returning: $0) }
      }
    }
  }
}
