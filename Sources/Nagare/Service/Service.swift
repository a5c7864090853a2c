public import Flow
package import RPC
internal import Reactor
internal import WireJSON

/// A session: the screens that can be opened, the views that are, and the conversation with one client.
///
/// It does no input or output of its own: ``receive(_:)`` takes bytes in and gives bytes out, so a service runs the same over
/// pipes, in memory, and on the virtual clock.
public final class Service {
  /// What a session may at most hold.
  public struct Limits: Sendable {
    /// What one message may be.
    package var message = Peer.Limits()
    /// How many views may be open.
    public var views = 10_000
    /// The usual limits.
    public init() {}
  }

  /// The version of this server.
  public static let version = "0.1.0"
  /// The version of the protocol.
  public static let protocolVersion = "1"

  /// The methods of the session: names that no input has.
  public static let methods = sessionMethods.map { $0.name }

  private static let methodsByName = Dictionary(uniqueKeysWithValues: sessionMethods.map { (WireText($0.name), $0) })

  /// The conversation.
  package private(set) lazy var peer = makePeer()
  /// Where the view models' time comes from.
  public let clock: any Scheduler
  /// The way to the stores, of the view models and of the client.
  public let dispatcher = Dispatcher()
  /// The words of the command line that aren't standard options, in a program that ``stdio(usage:version:_:)`` runs.
  public internal(set) var arguments: [String] = []
  /// What the client is, once it has said so.
  public internal(set) var client = Client()
  /// Called with an error of a view model's own while it runs, such as an input that is refused where nobody hears of it.
  /// Unless it is set, the standard error is told.
  public var onModelError: (String) -> Void = { CurrentProcess.log("\($0)\n") }
  /// Called when the client has told the process with whose death the server is to end.
  public var onParentProcess: (Int) -> Void = { _ in }
  /// Called when the client has sent `exit`; whether `shutdown` came before, as it should.
  public var onExit: (_ isOrderly: Bool) -> Void = { _ in }
  /// Whether views were closed whose edits went on.
  private var hasLeftWork = false
  /// The screens whose outputs are checked when they are first opened: before, their parameters would be made up.
  private var uncheckedScreens: Set<String> = []
  /// Called when nothing is loaded any more, before what is to be sent is written: for programs that answered for sources.
  package var onStop: () -> Void = {}
  /// What takes the parameters of a `source/changed` of the client, by the source's name.
  package var onSourceChange: [WireText: (RawJSON) -> Void] = [:]

  /// What a client has told about itself.
  public struct Client {
    /// Whether it takes items as splices.
    public internal(set) var takesDeltas = false
    /// Whether it may hold a part of a list.
    public internal(set) var takesWindows = false
    /// Whether it presents tasks.
    public internal(set) var presentsTasks = false
    /// The sources it answers for.
    public internal(set) var sources: Set<WireText> = []
    var isInitialized = false
  }

  /// The names of the screens, in their order.
  public var screenNames: [String] { screens.map(\.name) }

  /// Whether time is moved by the client.
  public var hasVirtualClock: Bool { clock is VirtualScheduler }

  enum Phase { case running, shutDown }

  let limits: Limits
  var phase = Phase.running
  private(set) var screens: [Screen] = []
  private var viewsByName: [WireText: View] = [:]
  private var screensByName: [WireText: Screen] = [:]
  /// Why what the running call set going could not be done.
  private var refusal: RPCError?
  private var lastViewNumber = 0
  private var lastOutputNumber = 0
  private var lastMadeName = 0
  #if DEBUG
    /// Reports calls that take long; nil on a virtual clock.
    var stepWatch: StepWatch?
  #endif

  /// Makes a service without screens.
  ///
  /// - Parameters:
  ///   - clock: where the view models' time comes from. On a `VirtualScheduler` the client moves it, by
  ///     `clock/advance`.
  ///   - limits: what the session may at most hold.
  public init(clock: any Scheduler, limits: Limits = Limits()) {
    self.clock = clock
    self.limits = limits
    // At once, since it holds this service, and what goes away can't be held any more.
    _ = peer
  }

  private func makePeer() -> Peer {
    Peer(limits: limits.message) { [unowned self] call throws(RPCError) in try handle(call) }
  }

  // A peer that outlives its service calls nobody.
  deinit { peer.close() }

  /// Adds a screen; one of the same name gives way to it.
  ///
  /// - Parameters:
  ///   - screen: the screen.
  ///   - validated: whether its view model's inputs and outputs needn't be looked at now, which takes a part of a
  ///     millisecond: where nobody asks what there is, they are looked at when a view is opened. An error in them ends
  ///     the program.
  public func add(_ screen: Screen, validated: Bool = false) {
    if !validated {
      if screen.isOpenable, screen.parameters.properties.isEmpty {
        reportUnsentFailures(of: screen.prototype, screen.viewModel)
      } else {
        uncheckedScreens.insert(screen.name)
      }
      // Only the author of the screen can mend this, and it shows at the program's first start. `add` doesn't throw, because
      // its caller could do nothing about it.
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

  /// Ends a step: sends what changed in it. To be called after whatever wasn't a message: a timer, work from elsewhere.
  public func endStep() { peer.outbox.endStep() }

  /// Carries out what a client sends, in pieces of any size, and gives what is to be sent to it. After time has passed and
  /// ``endStep()``, no bytes give what has changed.
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

  /// Lets the views do what they do when they close, because no more input comes.
  func endInput() {
    for view in views { view.endInput() }
  }

  /// Ends the work of the views, except for what outlives them, such as edits that are sent.
  func stopViews() {
    peer.refuseRequests()
    for view in views { view.stop() }
    peer.endRequests()
  }

  /// Ends the work: whatever runs is dropped, every request of the client is answered, and those to it are cancelled.
  public func stop() {
    stopViews()
    peer.cancelAll()
    onStop()
  }
}

// MARK: - Calls

extension Service {
  #if DEBUG
    /// The input that a call means, as the report of a long step names it.
    private func stepName(_ call: Call) -> String {
      let method = "\(call.method)"
      guard Service.methodsByName[call.method] == nil, let view = try? view(meantBy: call.params) else {
        return "the call \"\(method)\""
      }
      return "the input \"\(method)\" of the view \"\(view.name)\" (screen \(view.screen))"
    }
  #endif

  /// Answers one call. All that it causes at once is sent before.
  private func handle(_ call: Call) throws(RPCError) -> Answer {
    #if DEBUG
      stepWatch?.begin(stepName(call))
      defer { stepWatch?.end() }
    #endif
    if phase == .shutDown, call.method != "exit" {
      throw RPCError(.invalidRequest, "the session was shut down; only exit is left")
    }
    // Asked most often of all by far; to look it up would cost as much as the rest of it.
    if call.method == "ping", call.params?.member("wait")?.isNull ?? true { return .empty }
    guard let method = Service.methodsByName[call.method] else { return try input(call) }
    if let wait = call.params?.member("wait"), !wait.isNull, method != Dispatch.self {
      let remedy = "left out: \"\(call.method)\" is finished when it is answered; only inputs and dispatch can wait"
      throw RPCError("wait", mustBe: remedy)
    }
    return try method.run(call, in: self)
  }

  /// Carries out a call, and answers it when all that it began is over, if it asks for that: then `carryOut` gets what
  /// takes the outcome. Throws what that throws, or that `wait` is no boolean.
  func answer(
    to call: Call, _ carryOut: (((Outcome) -> Void)?) throws(RPCError) -> Void
  ) throws(RPCError) -> Answer {
    let wait = call.params?.member("wait")
    if let wait, !wait.isNull, wait.bool == nil { throw RPCError("wait", mustBe: "true or false", not: wait) }
    guard wait?.bool == true, !call.isNotification else {
      try carryOut(nil)
      return .empty
    }
    let reply = WaitingReply()
    try carryOut { [weak outbox = peer.outbox] outcome in outbox?.answerAtEnd { reply.receive(outcome) } }
    return .later(reply.start)
  }

  /// Passes a call on to the view that it means.
  private func input(_ call: Call) throws(RPCError) -> Answer {
    let (method, params) = (call.method, call.params)
    guard viewCount == 1 || params?.member("view") != nil || isInput(method) else {
      throw RPCError(.methodNotFound, "no method \"\(method)\"")
    }
    let view = try view(meantBy: params)
    guard let port = view.port(method) else {
      let known = KnownInputs(view: view.name, inputs: view.inputs.map(\.name))
      throw RPCError(.methodNotFound, "the view \"\(view.name)\" has no input \"\(method)\"", data: known)
    }
    refusal = nil
    return try answer(to: call) { over throws(RPCError) in
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
  }

  /// Whether any screen has an input of that name.
  private func isInput(_ name: WireText) -> Bool {
    screens.contains { screen in screen.prototype.inputs.contains { WireText($0.name) == name } }
  }
}

/// The `data` of `methodNotFound` where a view was meant.
private struct KnownInputs: Record, Sendable {
  let view: String
  let inputs: [String]

  static let fields = Fields(KnownInputs.init, Field("view", \.view), Field("inputs", \.inputs))
}

// MARK: - Views

extension Service {
  func screen(_ name: String) -> Screen? { screensByName[WireText(name)] }

  func view(_ name: String) -> View? { viewsByName[WireText(name)] }

  /// How many views are open.
  private var viewCount: Int { viewsByName.count }

  /// The open views in the order in which they were opened. They are sorted for it, which is for ends and errors alone.
  private var views: [View] { viewsByName.values.sorted { $0.number < $1.number } }

  /// Whether any view has work under way, such as a load.
  var isWorking: Bool { viewsByName.values.contains { $0.isWorking } }

  /// Whether edits may be under way, including those of closed views.
  var isEditing: Bool { hasLeftWork || isWorking }

  /// The view that a call means: the one it names, or the only one.
  func view(meantBy params: RawJSON?) throws(RPCError) -> View {
    guard let json = params?.member("view"), !json.isNull else {
      guard viewCount == 1, let only = viewsByName.first?.value else {
        let names = views.prefix(10).map { "\"\($0.name)\"" }.joined(separator: ", ")
        let expected =
          names.isEmpty ? "the name of an open view; none is open" : "given, because several views are open: \(names)"
        throw RPCError("view", mustBe: expected)
      }
      return only
    }
    guard let name = json.string else { throw RPCError("view", mustBe: "a string") }
    return try openView(name)
  }

  private func openView(_ name: String) throws(RPCError) -> View {
    if let view = view(name) { return view }
    throw RPCError(.noSuchView, "no view \"\(name)\" is open", data: ["views": views.map(\.name)])
  }

  /// The outputs of the view model in an open view, for another that is to share its state.
  package func output(of view: String) throws(RPCError) -> Any? { try openView(view).output }

  /// Opens a view of a screen. It throws if something is wrong with the parameters, or too many views are open.
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

  /// Opens a view under its name, which nobody else has.
  private func open(_ binding: ViewModelBinding, screen: String, viewModel: String, name: String?, parent: View?)
    -> View
  {
    lastViewNumber += 1
    let view = View(
      name: name ?? nextFreeName(), screen: screen, viewModel: viewModel, parent: parent, number: lastViewNumber,
      binding: binding, service: self)
    viewsByName[WireText(view.name)] = view
    // Only now, because an output may open a view of its own at once.
    view.connect()
    return view
  }

  /// Opens the view that another asks for. Past the limit the call that led here is refused.
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

  /// Checks the outputs of a screen that is opened for the first time.
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

  /// Closes a view and those it opened. What they had running is cancelled; then those it opened say that they closed.
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

  /// Closes all views, for example after a sign-out. Each view sends `closed`. Running loads are dropped; edits that were sent
  /// go on. The client opens the next view.
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

  /// The place of the next view's next output among all: they are sent in the order in which they were opened.
  func nextOutputNumber() -> Int {
    lastOutputNumber += 1
    return lastOutputNumber
  }

  private func nextFreeName() -> String {
    repeat { lastMadeName += 1 } while view("v\(lastMadeName)") != nil
    return "v\(lastMadeName)"
  }
}
