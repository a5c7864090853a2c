public import Flow
package import RPC
internal import Reactor
internal import WireJSON

/// A session with one client: the screens, the open views, and the JSON-RPC messages in both directions.
///
/// It doesn't read or write by itself: ``receive(_:)`` takes the client's bytes and returns the answer's bytes. So a
/// service works the same way with pipes, in memory, and on a virtual clock.
public final class Service {
  /// The limits of a session.
  public struct Limits: Sendable {
    /// The limits of one message.
    package var message = Peer.Limits()
    /// The maximum number of open views.
    public var views = 10_000
    /// The default limits.
    public init() {}
  }

  /// The version of this server.
  public static let version = "0.1.0"
  /// The version of the protocol.
  public static let protocolVersion = "1"

  /// The names of the session's methods. No input can have one of these names.
  public static let methods = sessionMethods.map { $0.name }

  private static let methodsByName = Dictionary(uniqueKeysWithValues: sessionMethods.map { (WireText($0.name), $0) })

  /// The server's side of the JSON-RPC connection.
  package private(set) lazy var peer = makePeer()
  /// The clock of the view models.
  public let clock: any Scheduler
  /// Sends actions of view models and of the client to the stores.
  public let dispatcher = Dispatcher()
  /// The command-line arguments that aren't standard options, in a program that ``stdio(usage:version:_:)`` runs.
  public internal(set) var arguments: [String] = []
  /// The client's capabilities. They are the defaults until the client sends `initialize`.
  public internal(set) var client = Client()
  /// Receives errors of running view models, such as an input that is refused when no caller can receive the error. By
  /// default they are written to standard error.
  public var onModelError: (String) -> Void = { CurrentProcess.log("\($0)\n") }
  /// Receives the id of the process whose end should end the server, when the client has named one in `initialize`.
  public var onParentProcess: (Int) -> Void = { _ in }
  /// Called when the client has sent `exit`. The argument is whether `shutdown` came before, as it should.
  public var onExit: (_ isOrderly: Bool) -> Void = { _ in }
  /// Receives a sentence about a parameter that the method doesn't have. By default it is written to standard error.
  var onUnreadParameter: (String) -> Void = { CurrentProcess.log("\($0)\n") }
  /// The names of the parameters that were reported.
  private var unreadParameters: Set<WireText> = []
  /// Whether any closed view had edits that continued after its end.
  private var hasLeftWork = false
  /// The screens whose outputs are checked when they are first opened, because before that their parameters would be
  /// made up.
  private var uncheckedScreens: Set<String> = []
  /// Called when no loads run any more, before the remaining output is written. It stops the programs that provide
  /// sources.
  package var onStop: () -> Void = {}
  /// Receives the parameters of the client's `source/changed`, by the name of the source.
  package var onSourceChange: [WireText: (RawJSON) -> Void] = [:]

  /// The capabilities of a client, from its `initialize`.
  public struct Client {
    /// Whether the client accepts items as splices.
    public internal(set) var takesDeltas = false
    /// Whether the client may hold only a window of a list.
    public internal(set) var takesWindows = false
    /// Whether the client presents tasks.
    public internal(set) var presentsTasks = false
    /// The names of the sources that the client provides.
    public internal(set) var sources: Set<WireText> = []
    var isInitialized = false
  }

  /// The names of the screens, in their order.
  public var screenNames: [String] { screens.map(\.name) }

  /// Whether the client moves the time.
  public var hasVirtualClock: Bool { clock is VirtualScheduler }

  enum Phase { case running, shutDown }

  let limits: Limits
  var phase = Phase.running
  private(set) var screens: [Screen] = []
  private var viewsByName: [WireText: View] = [:]
  private var screensByName: [WireText: Screen] = [:]
  /// The error if a view that the current call should open couldn't be opened.
  private var refusal: RPCError?
  private var lastViewNumber = 0
  private var lastOutputNumber = 0
  private var lastMadeName = 0
  #if DEBUG
    /// Reports calls that take too long; nil on a virtual clock.
    var stepWatch: StepWatch?
  #endif

  /// Creates a service without screens.
  ///
  /// - Parameters:
  ///   - clock: the clock of the view models. The client moves a `VirtualScheduler` by `clock/advance`.
  ///   - limits: the limits of the session.
  public init(clock: any Scheduler, limits: Limits = Limits()) {
    self.clock = clock
    self.limits = limits
    // The lazy property is created now. It captures this service, which would no longer be possible during its
    // deinitialization.
    _ = peer
  }

  private func makePeer() -> Peer {
    Peer(limits: limits.message) { [unowned self] call throws(RPCError) in try handle(call) }
  }

  // The peer may live longer than its service, and must not call it then.
  deinit { peer.close() }

  /// Adds a screen. It replaces a screen of the same name.
  ///
  /// - Parameters:
  ///   - screen: the screen.
  ///   - validated: whether to skip the check of the view model's inputs and outputs, which takes a fraction of a
  ///     millisecond. Then they are checked only when a view is opened or described. An error in them ends the
  ///     program.
  public func add(_ screen: Screen, validated: Bool = false) {
    if !validated {
      if screen.isOpenable, screen.parameters.properties.isEmpty {
        reportUnsentFailures(of: screen.prototype, screen.viewModel)
      } else {
        uncheckedScreens.insert(screen.name)
      }
      // Only the author of the screen can correct this mistake, and it shows when the program starts for the first
      // time. `add` doesn't throw, because its caller could do nothing about it.
      if let error = screen.displayError { fatalError(error) }
      if let advice = ScreenKind.advice(on: ScreenKind.Ports(of: screen)) {
        onModelError(
          "frontends don't show the screen \"\(screen.name)\" as \(advice); section 3 of the specification lists what makes each "
            + "kind of screen")
      }
    }
    let name = WireText(screen.name)
    if screensByName.updateValue(screen, forKey: name) != nil { screens.removeAll { WireText($0.name) == name } }
    screens.append(screen)
  }

  /// Ends a step: sends the outputs that changed in it. Call this after everything that isn't a message, such as a
  /// timer or the end of asynchronous work.
  public func endStep() { peer.outbox.endStep() }

  /// Handles bytes from the client, in pieces of any size, and returns the bytes to send. With no bytes it returns the
  /// output that is queued, for example after time has passed and ``endStep()`` was called.
  public func receive(_ bytes: [UInt8]) -> [UInt8] {
    var output: [UInt8] = []
    peer.receive(bytes.span)
    while peer.handleNext() {}
    while peer.backlog.readyBytes > 0 {
      peer.write { ready in
        output.append(addingCapacity: ready.count) { $0.append(copying: ready) }
        return ready.count
      }
    }
    return output
  }

  /// Applies the views' rules for closing, because no more input comes.
  func endInput() {
    for view in views { view.endInput() }
  }

  /// Ends the running work of the views. Work that outlives them continues, such as edits that were sent.
  func stopViews() {
    peer.refuseRequests()
    for view in views { view.stop() }
    peer.endRequests()
  }

  /// Ends all work: running work is dropped, every request of the client is answered, and requests to the client are
  /// cancelled.
  public func stop() {
    stopViews()
    peer.cancelAll()
    onStop()
  }
}

// MARK: - Calls

extension Service {
  #if DEBUG
    /// Describes the input that a call is for, in the report of a long step.
    private func stepName(_ call: Call) -> String {
      let method = "\(call.method)"
      guard Service.methodsByName[call.method] == nil, let view = try? view(meantBy: call.params) else {
        return "the call \"\(method)\""
      }
      return "the input \"\(method)\" of the view \"\(view.name)\" (screen \(view.screen))"
    }
  #endif

  /// Handles one call. All output that the call causes immediately is sent before the answer.
  private func handle(_ call: Call) throws(RPCError) -> Answer {
    #if DEBUG
      stepWatch?.begin(stepName(call))
      defer { stepWatch?.end() }
    #endif
    if phase == .shutDown, call.method != "exit" {
      throw RPCError(.invalidRequest, "the session was shut down; only exit is left")
    }
    // `ping` is by far the most frequent method. To look it up would take as long as to answer it.
    if call.method == "ping", call.params?.member("wait")?.isNull ?? true { return .empty }
    guard let method = Service.methodsByName[call.method] else { return try input(call) }
    if let wait = call.params?.member("wait"), !wait.isNull, method != Dispatch.self {
      let remedy = "left out: \"\(call.method)\" is finished when it is answered; only inputs and dispatch can wait"
      throw RPCError("wait", mustBe: remedy)
    }
    let answer = try method.run(call, in: self)
    if let params = call.params, let names = method.names { reportUnread(params, of: method.name, names) }
    return answer
  }

  /// Runs `carryOut`, and returns the answer to a call. If the call has `"wait":true`, `carryOut` receives a closure
  /// for the outcome, and the answer is sent when all work that the call began has ended.
  ///
  /// - Throws: the error of `carryOut`, or an error if `wait` isn't a Boolean.
  func answer(
    to call: Call, wait: RawJSON?, _ carryOut: (((Outcome) -> Void)?) throws(RPCError) -> Void
  ) throws(RPCError) -> Answer {
    if let wait, !wait.isNull, wait.bool == nil { throw RPCError("wait", mustBe: "true or false", not: wait) }
    guard wait?.bool == true, !call.isNotification else {
      try carryOut(nil)
      return .empty
    }
    let reply = WaitingReply()
    try carryOut { [weak outbox = peer.outbox] outcome in outbox?.answerAtEnd { reply.receive(outcome) } }
    return .later(reply.start)
  }

  /// Passes a call to its view.
  private func input(_ call: Call) throws(RPCError) -> Answer {
    let (method, params) = (call.method, call.params)
    let common = InputParameters(params)
    guard viewCount == 1 || common.view != nil || isInput(method) else {
      let near = suggestion(for: method.string, in: callable + screens.flatMap { $0.prototype.inputs.map(\.name) })
      throw RPCError(.methodNotFound, "no method \"\(method)\"\(near)")
    }
    let view = try view(common.view, of: params)
    guard let port = view.port(method) else {
      let known = KnownInputs(view: view.name, inputs: view.inputs.map(\.name))
      let near = suggestion(for: method.string, in: known.inputs + callable)
      throw RPCError(.methodNotFound, "the view \"\(view.name)\" has no input \"\(method)\"\(near)", data: known)
    }
    refusal = nil
    let answer = try answer(to: call, wait: common.wait) { over throws(RPCError) in
      do throws(RPCError) {
        try port.receive(params, over)
      } catch {
        if error.code == RPCError.Code.internalError.rawValue {
          view.report("the input \"\(method)\" failed: \(error.message)")
        }
        throw error
      }
      if let refusal { throw refusal }
    }
    if common.hasOthers, let params, let names = port.parameterNames { reportUnread(params, of: method.string, names) }
    return answer
  }

  /// The names of the session's methods that can be called now.
  var callable: [String] { Service.methods.filter { hasVirtualClock || $0 != AdvanceClock.name } }

  /// Reports the parameters that a method doesn't have, each name once. A client may be newer than this server, so they
  /// aren't refused.
  private func reportUnread(_ params: RawJSON, of method: String, _ names: ParameterNames) {
    for name in names.unknown(in: params)
    where unreadParameters.count < 100 && unreadParameters.insert(name).inserted {
      let shown = String(name.string.json.text.unicodeScalars.prefix(80))
      let near = suggestion(for: name.string, in: names.all)
      onUnreadParameter("\"\(method)\" has no parameter \(shown), so it was ignored\(near)")
    }
  }

  /// Whether any screen has an input with that name.
  private func isInput(_ name: WireText) -> Bool {
    screens.contains { screen in screen.prototype.inputs.contains { WireText($0.name) == name } }
  }
}

/// The `data` of the error `methodNotFound` if the call was for a view.
private struct KnownInputs: Record, Sendable {
  let view: String
  let inputs: [String]

  static let fields = Fields(KnownInputs.init, Field("view", \.view), Field("inputs", \.inputs))
}

// MARK: - Views

extension Service {
  func screen(_ name: String) -> Screen? { screensByName[WireText(name)] }

  func view(_ name: String) -> View? { viewsByName[WireText(name)] }

  /// The number of open views.
  var viewCount: Int { viewsByName.count }

  /// The view that was opened last.
  var newestView: View? { views.last }

  /// The open views, in the order in which they were opened. They are sorted at each use, so this is only for the end
  /// of the session and for errors.
  private var views: [View] { viewsByName.values.sorted { $0.number < $1.number } }

  /// Whether any view has running work, such as a load.
  var isWorking: Bool { viewsByName.values.contains { $0.isWorking } }

  /// Whether edits may be running, including those of closed views.
  var isEditing: Bool { hasLeftWork || isWorking }

  /// Returns the view that a call is for: the view that it names, or the only open view.
  func view(meantBy params: RawJSON?) throws(RPCError) -> View { try view(params?.member("view"), of: params) }

  /// Returns the view with a name, or without a name the only open view. The name is the parameter `view` of a call.
  private func view(_ name: RawJSON?, of params: RawJSON?) throws(RPCError) -> View {
    guard let json = name, !json.isNull else {
      guard viewCount == 1, let only = viewsByName.first?.value else {
        let names = views.prefix(10).map { "\"\($0.name)\"" }.joined(separator: ", ")
        let expected =
          names.isEmpty ? "the name of an open view; none is open" : "given, because several views are open: \(names)"
        let misspelt = params?.misspelling(of: "view", known: ["view"])
        let near = misspelt.map { "; did you misspell it as '\($0)'?" } ?? ""
        let data = ParameterErrorData(param: "view", expected: expected)
        throw RPCError(.invalidParams, "'view' must be \(expected)\(near)", data: data)
      }
      return only
    }
    guard let name = json.string else { throw RPCError("view", mustBe: "a string") }
    return try openView(name)
  }

  private func openView(_ name: String) throws(RPCError) -> View {
    if let view = view(name) { return view }
    let names = views.map(\.name)
    let near = suggestion(for: name, in: names)
    throw RPCError(.noSuchView, "no view \"\(name)\" is open\(near)", data: ["views": names])
  }

  /// Returns the outputs of the view model in an open view, for another view that shares its state.
  package func output(of view: String) throws(RPCError) -> Any? { try openView(view).output }

  /// Opens a view of a screen.
  ///
  /// - Throws: an error if a parameter is wrong, or if the limit of open views is reached.
  func open(_ screen: Screen, _ parameters: RawJSON?, name: String?) throws(RPCError) -> View {
    guard viewCount < limits.views else { throw viewLimitPassed }
    let binding: ViewModelBinding
    do throws(RPCError) {
      binding = try screen.bind(parameters, clock)
    } catch {
      if error.code == RPCError.Code.internalError.rawValue { onModelError("\(screen.viewModel): \(error.message)") }
      throw error
    }
    checkOnce(binding, screen: screen.name, screen.viewModel)
    let parent = binding.parent.flatMap(view)
    return open(binding, screen: screen.name, viewModel: screen.viewModel, name: name, parent: parent)
  }

  /// Opens a view. No open view has the given name.
  private func open(_ binding: ViewModelBinding, screen: String, viewModel: String, name: String?, parent: View?)
    -> View
  {
    lastViewNumber += 1
    let view = View(
      name: name ?? nextFreeName(), screen: screen, viewModel: viewModel, parent: parent, number: lastViewNumber,
      binding: binding, service: self)
    viewsByName[WireText(view.name)] = view
    // The view is registered first, because an output may open a child immediately.
    view.connect()
    return view
  }

  /// Opens a view for an output of another one. If that is impossible, returns nil, and the call that caused it is
  /// refused.
  func open(_ navigation: Navigation, from parent: View) -> View? {
    guard viewCount < limits.views else {
      refusal = viewLimitPassed
      return nil
    }
    let viewModel = screen(navigation.screen)?.viewModel ?? navigation.screen
    do throws(RPCError) {
      let binding = try ViewModelBinding(opening: navigation.viewModel, on: clock)
      checkOnce(binding, screen: navigation.screen, viewModel)
      return open(binding, screen: navigation.screen, viewModel: viewModel, name: nil, parent: parent)
    } catch {
      parent.report("the screen \"\(navigation.screen)\" can't be opened: \(error.message)")
      refusal = error
      return nil
    }
  }

  /// Checks the outputs of a screen when it is opened for the first time.
  private func checkOnce(_ binding: ViewModelBinding, screen: String, _ viewModel: String) {
    if uncheckedScreens.isEmpty || uncheckedScreens.remove(screen) == nil { return }
    reportUnsentFailures(of: binding, viewModel)
  }

  private func reportUnsentFailures(of binding: ViewModelBinding, _ viewModel: String) {
    for failure in binding.findUnsentFailures() { onModelError("\(viewModel): \(failure)") }
  }

  private var viewLimitPassed: RPCError {
    let data = LimitErrorData(limit: "views", max: limits.views)
    return RPCError(.limitPassed, "\(limits.views) views are open; close one first", data: data)
  }

  /// Closes a view and its descendants. Their running work is cancelled; then each descendant sends `closed`.
  func close(_ view: View) {
    let descendants = view.descendants
    for closing in [view] + descendants {
      closing.close()
      viewsByName[WireText(closing.name)] = nil
    }
    for closed in [view] + descendants {
      closed.closeFeedbacks()
      if closed.hasRuns { hasLeftWork = true }
    }
    for closed in descendants { peer.outbox.send("closed", of: closed.name) { $0.literal("{}") } }
  }

  /// Closes all views, for example after a sign-out. Each view sends `closed`. Running loads are dropped; edits that
  /// were sent continue. The client then opens the next view.
  ///
  /// ```swift
  /// let session = Store(Session(), on: service.dispatcher)
  ///   .taking(.logOut) { session in session.user = nil }
  /// _ = session.state.user.subscribe { if $0 == nil { service.closeViews() } }
  /// ```
  public func closeViews() {
    for view in views where view.parent == nil && self.view(view.name) === view {
      close(view)
      peer.outbox.send("closed", of: view.name) { $0.literal("{}") }
    }
  }

  /// Returns the number of a new output. The outputs of all views are sent in the order of their numbers.
  func nextOutputNumber() -> Int {
    lastOutputNumber += 1
    return lastOutputNumber
  }

  private func nextFreeName() -> String {
    repeat { lastMadeName += 1 } while view("v\(lastMadeName)") != nil
    return "v\(lastMadeName)"
  }
}
