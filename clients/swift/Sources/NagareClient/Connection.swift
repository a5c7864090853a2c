internal import Reactor
internal import RPC
internal import Nagare

/// A session with a server: its messages, unanswered requests and views. It runs on the loop's thread.
final class Connection {
  typealias Completion = (Result<RawJSON, any Error>) -> Void

  private struct Waiting {
    let ticket: Ticket
    /// The number of the request's message, counted over all sent messages.
    let message: Int
    /// Receives the result. Nil if the caller was cancelled.
    var answered: Completion?
    /// Receives a result that arrives after the caller was cancelled.
    let late: (RawJSON) -> Void
  }

  private let link: any Link
  /// The clock for the time limits while the server ends.
  let clock: any Scheduler
  private let answering: Answering
  private lazy var peer = makePeer()
  /// The number of the newest message that has no answer right after its effects: a notification, or a call with
  /// `wait`.
  private var lastCause = 0
  /// The number of the newest answered message. The server has carried out all messages up to it.
  private var carriedOut = 0
  private var waiting: [Int: Waiting] = [:]
  private(set) var views: [String: ViewState] = [:]
  var screens: [String: ScreenDescription] = [:]
  private var catchingUp: Set<String> = []
  /// The error that ended the session; nil while requests can be sent.
  private(set) var end: (any Error)?
  private var closed: [(ServerEnd?) -> Void] = []
  private var isClosing = false
  /// Whether to end the server's input as soon as everything is written.
  private var isLeaving = false
  /// The remaining steps to end the server. Each runs when the server hasn't ended within its `patience`.
  private var steps: [(patience: Duration, run: (Connection) -> Void)] = []
  private var deadline: ScheduledTimer?

  /// Creates a session over a connection.
  ///
  /// - Parameters:
  ///   - link: the connection to the server.
  ///   - handlers: the handlers of the server's requests.
  ///   - loop: the event loop on whose thread this runs.
  ///   - clock: the clock for the time limits while the server ends; by default the loop's.
  init(_ link: any Link, answering handlers: Handlers, on loop: EventLoop, clock: (any Scheduler)? = nil) {
    self.link = link
    self.clock = clock ?? loop
    answering = Answering(handlers, on: loop)
    link.onOutput = { [unowned self] in receive($0) }
    link.onWritable = { [unowned self] in write() }
    link.onHangUp = { [unowned self] in hungUp() }
    link.onEnd = { [unowned self] error in ended(error) }
    deadline = self.clock.timer { [unowned self] in runNextStep() }
    answering.onAnswer = { [unowned self] in write() }
    answering.onChange = { [unowned self] in tellChange($0) }
  }

  private func makePeer() -> Peer {
    var limits = Peer.Limits()
    // A server may send larger and deeper messages than it accepts: an item is nested deeper in splices than in a page.
    limits.messageSize = 1 << 30
    limits.nesting = 1 << 20
    let peer = Peer(limits: limits, framing: .lines) { [unowned self] call throws(RPCError) in try answer(call) }
    peer.onUnusable = { [unowned self] message, error in
      let text = String(decoding: message.prefix(200), as: UTF8.self)
      fail(ProtocolError(description: "the server wrote something that is no message (\(error.message)): \(text)"))
    }
    peer.onUnread = { [unowned self] error in unread(error) }
    return peer
  }

  deinit {
    deadline?.dispose()
    finish(SessionClosed())
  }

  // MARK: - Sending

  /// Sends a request, which a ticket can cancel.
  ///
  /// `answered` receives the result or the error before later messages are handled. `late` receives a result that
  /// arrives although the request was cancelled.
  func request(
    _ method: String, _ params: RawJSON, _ ticket: Ticket, answered: @escaping Completion,
    late: @escaping (RawJSON) -> Void = { _ in }
  ) {
    if let end { return answered(.failure(end)) }
    if ticket.isCancelled { return answered(.failure(CancellationError())) }
    var number = 0
    var refusal: RPCError?
    number = peer.request(method, { $0.raw(params) }) { [unowned self] result in
      // A request that exceeds the server's limits isn't sent, and fails at once.
      if case .failure(let error) = result, number == 0 { refusal = error } else { completed(number, result) }
    }
    if let refusal { return answered(.failure(ResponseError(refusal))) }
    let message = peer.outbox.messageCount
    waiting[number] = Waiting(ticket: ticket, message: message, answered: answered, late: late)
    if params.member("wait")?.bool == true { lastCause = message }
    write()
  }

  /// Calls `receive` between the immediate effects of all earlier messages and the effects of any later message. Does
  /// nothing if every earlier notification and every earlier call with `wait` is known to be carried out.
  func separate(_ receive: @escaping () -> Void) {
    guard lastCause > carriedOut else { return }
    request("ping", .emptyObject, Ticket()) { result in if case .success = result { receive() } }
  }

  /// Sends a notification. Returns an error if it exceeds the server's limits; it isn't sent then.
  @discardableResult
  func notify(_ method: String, _ params: RawJSON) -> RPCError? {
    guard end == nil else { return nil }
    let refusal = peer.notify(method) { $0.raw(params) }
    if refusal == nil { lastCause = peer.outbox.messageCount }
    write()
    return refusal
  }

  /// Reports changes of a source. If they exceed the server's limits, the list must reload.
  private func tellChange(_ params: RawJSON) {
    guard notify("source/changed", params) != nil else { return }
    notify("source/changed", params.replacing("changes", with: "all".json))
  }

  /// Applies the server's limits in the answer to `initialize`.
  func applyLimits(_ greeting: RawJSON) {
    guard let limits = greeting.member("limits"), let messageSize = limits.member("messageSize")?.int,
      let depth = limits.member("depth")?.int
    else { return }
    peer.outbox.readerLimits = ReaderLimits(messageSize: messageSize, depth: depth)
  }

  /// Fails the request whose message the server couldn't read.
  private func unread(_ error: RPCError) {
    let message = error.data?.json.member("message")?.int
    guard let number = waiting.first(where: { $0.value.message == message })?.key else { return }
    peer.fail(number, error)
  }

  /// Cancels a request: its caller gets a `CancellationError` at once.
  func cancel(_ ticket: Ticket) {
    guard let number = waiting.first(where: { $0.value.ticket === ticket })?.key,
      let answered = waiting[number]?.answered
    else { return }
    waiting[number]?.answered = nil
    notify("$/cancelRequest", ["id": number].json)
    answered(.failure(CancellationError()))
  }

  private func completed(_ number: Int, _ result: Result<RawJSON, RPCError>) {
    guard let waiting = waiting.removeValue(forKey: number) else { return }
    carriedOut = max(carriedOut, waiting.message)
    switch (result, waiting.answered) {
    case (.success(let value), let answered?): answered(.success(value))
    case (.success(let value), nil): waiting.late(value)
    case (.failure(let error), let answered): answered?(.failure(ResponseError(error)))
    }
  }

  private func write() {
    peer.writeAll(link.write)
    if isLeaving, peer.backlog.isEmpty { link.finishWriting() }
  }

  // MARK: - Receiving

  private func receive(_ bytes: Span<UInt8>) {
    guard end == nil else { return }
    peer.receive(bytes)
    while end == nil, peer.handleNext() {}
    write()
  }

  private func answer(_ call: Call) throws(RPCError) -> Answer {
    guard call.isNotification else {
      return try answering.answer(call)
    }
    do { try receive(call) } catch { fail(error) }
    return .empty
  }

  private func receive(_ call: Call) throws {
    if call.method == "source/unwatch" {
      return answering.watches.end(RawJSON(copying: call.params ?? .emptyObject))
    }
    guard let params = call.params, let view = params.member("view")?.string.flatMap({ views[$0] }) else { return }
    switch call.method {
    case "closed":
      _ = try view.apply("closed", params)
      forget(view)
    case "navigate":
      guard let value = params.member("value") else { throw ProtocolError(malformed: "navigate", params) }
      view.receive(opened: try open(value, of: value.member("screen")?.string ?? ""))
    default:
      if try !view.apply(call.method.string, params) { catchUp(view) }
    }
  }

  /// Adds an opened view.
  func open(_ opened: RawJSON, of screen: String) throws -> ViewState {
    guard let name = opened.member("view")?.string, let outputs = opened.member("outputs") else {
      throw ProtocolError(malformed: "open", opened)
    }
    let description = screens[screen] ?? ScreenDescription(unknown: screen, outputs)
    let view = try ViewState(name, of: description, outputs)
    views[name] = view
    return view
  }

  /// Removes a closed view.
  func forget(_ view: ViewState) {
    if views[view.name] === view { views[view.name] = nil }
    view.finish(nil)
  }

  private func catchUp(_ view: ViewState) {
    guard catchingUp.insert(view.name).inserted else { return }
    request("outputs", ["view": view.name].json, Ticket()) { [unowned self] result in
      catchingUp.remove(view.name)
      // Without an answer the view is closed, or the server has died, so there is nothing to synchronize.
      guard case .success(let result) = result else { return }
      do { try view.synchronize(result.member("outputs") ?? .emptyObject) } catch { fail(error) }
    }
  }
}

// MARK: - The end

extension Connection {
  /// The time before each step to end a server that has closed a stream or broken the protocol.
  private static let forceDelay = Duration.seconds(1)

  /// Ends the server by `shutdown`, `exit` and the end of its input. After `patience` it gets SIGTERM, and after twice
  /// that time SIGKILL.
  func close(patience: Duration, _ closed: @escaping (ServerEnd?) -> Void) {
    if link.hasEnded { return closed(link.end) }
    self.closed.append(closed)
    guard !isClosing else { return }
    isClosing = true
    steps = [
      (patience / 2, { $0.leave() }), (patience - patience / 2, { $0.link.terminate() }),
      (patience, { $0.link.kill() }),
    ]
    armStep()
    guard end == nil else { return leave() }
    request("shutdown", .emptyObject, Ticket()) { [unowned self] _ in leave() }
  }

  /// Sends `exit`, and ends the server's input as soon as everything is written.
  private func leave() {
    guard !isLeaving else { return }
    notify("exit", .emptyObject)
    finish(SessionClosed())
    isLeaving = true
    write()
  }

  /// Ends the session after an error of the server, so that no request waits for an answer that never comes.
  private func fail(_ error: any Error) {
    guard end == nil else { return }
    finish(error)
    link.finishWriting()
    endByForce()
  }

  private func hungUp() {
    if !isClosing { endByForce() }
  }

  /// Ends a server that can't be used any more, by SIGTERM and SIGKILL.
  private func endByForce() {
    guard steps.isEmpty else { return }
    steps = [(Connection.forceDelay, { $0.link.terminate() }), (Connection.forceDelay, { $0.link.kill() })]
    armStep()
  }

  private func armStep() {
    if let step = steps.first { deadline?.arm(after: step.patience) }
  }

  private func runNextStep() {
    guard !steps.isEmpty else { return }
    steps.removeFirst().run(self)
    armStep()
  }

  private func ended(_ error: ServerDied) {
    deadline?.dispose()
    finish(isClosing ? SessionClosed() : error)
    let closed = closed
    self.closed = []
    for closed in closed { closed(error.end) }
  }

  /// Ends the session: all waiting requests and all views receive the error.
  private func finish(_ error: any Error) {
    guard end == nil else { return }
    end = error
    peer.cancelAll()
    answering.watches.endAll()
    let (waiting, views) = (waiting.values, views.values)
    self.waiting = [:]
    self.views = [:]
    for waiting in waiting { waiting.answered?(.failure(error)) }
    for view in views { view.finish(error) }
  }
}
