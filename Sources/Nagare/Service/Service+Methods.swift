internal import Flow
internal import RPC
internal import WireJSON

extension Service {
  /// Answers one call. All that it causes at once is said before.
  func handle(_ call: Call) throws(RPCError) -> Answer {
    defer { endStep() }
    if phase == .shutDown, call.method != "exit" {
      throw RPCError(.invalidRequest, "the session was shut down; only exit is left")
    }
    if call.params?.member("wait") != nil, call.method != "dispatch", Service.methods.contains(call.method) {
      throw RPCError(
        "wait", mustBe: "left out: \"\(call.method)\" is over when it is answered; inputs and dispatch wait")
    }
    switch call.method {
    case "ping": return .empty
    case "initialize": return try initialize(InitializeParams(params: call.params))
    case "screens": return describeScreens()
    case "open": return try open(OpenParams(params: call.params))
    case "outputs": return try outputs(call.params)
    case "close":
      close(try view(meantBy: call.params))
      return .empty
    case "dispatch":
      let action = try DispatchParams(params: call.params).action
      return try answer(to: call) { over throws(RPCError) in
        let waiting = over.map(WaitingCall.init)
        waiting?.hold()
        try dispatcher.dispatch(action, for: waiting)
        waiting?.release()
      }
    case "rpc.discover": return .result(Discovery(self).write)
    case "clock/advance": return try advance(call.params)
    case "shutdown":
      phase = .shutDown
      return .empty
    case "exit":
      onExit(phase == .shutDown)
      return .empty
    default: return try input(call)
    }
  }

  private func initialize(_ params: InitializeParams) throws(RPCError) -> Answer {
    if client.isInitialized { throw RPCError(.invalidRequest, "initialize was said already") }
    client.isInitialized = true
    client.takesDeltas = params.capabilities?.deltas ?? false
    client.presentsTasks = params.capabilities?.present ?? false
    client.sources = Set(params.capabilities?.sources ?? [])
    if let processId = params.processId { onParentProcess(processId) }
    let capabilities = ServerCapabilities(deltas: true, virtualClock: hasVirtualClock)
    let server = Identity(name: "nagare", version: Service.version)
    let result = InitializeResult(
      protocolVersion: Service.protocolVersion, server: server, capabilities: capabilities)
    return .result(result.write)
  }

  private func describeScreens() -> Answer {
    let descriptions = screens.map { screen in
      ScreenDescription(
        screen: screen.name, viewModel: screen.viewModel, inputs: screen.prototype.inputs.map(\.name),
        outputs: screen.prototype.outputs.map(\.name))
    }
    return .result(ScreensResult(screens: descriptions).write)
  }

  private func open(_ params: OpenParams) throws(RPCError) -> Answer {
    guard let screen = screen(params.screen) else {
      let known = KnownScreens(screens: screens.map(\.name))
      throw RPCError(.noSuchScreen, "no screen is named \"\(params.screen)\"", data: known)
    }
    if params.view == "" { throw RPCError("view", mustBe: "a string of one character or more") }
    if let name = params.view, view(name) != nil {
      throw RPCError(.viewTaken, "a view named \"\(name)\" is open already")
    }
    guard viewCount < limits.views else { throw viewLimitPassed }
    let assembly: Assembly
    do throws(RPCError) {
      assembly = try screen.assemble(params.params, clock)
    } catch {
      if error.code == RPCError.Code.internalError.rawValue { onMistake("\(screen.viewModel): \(error.message)") }
      throw error
    }
    let view = open(assembly, screen: screen.name, viewModel: screen.viewModel, name: params.view, parent: nil)
    return .result { writer in
      writer.beginObject()
      writer.key("view")
      writer.string(view.name)
      writer.key("screen")
      writer.string(view.screen)
      writer.key("viewModel")
      writer.string(view.viewModel)
      writer.key("outputs")
      view.writeOutputs(to: &writer)
      writer.endObject()
    }
  }

  private func outputs(_ params: RawJSON?) throws(RPCError) -> Answer {
    let view = try view(meantBy: params)
    return .result { writer in
      writer.beginObject()
      writer.key("outputs")
      view.writeOutputs(to: &writer)
      writer.endObject()
    }
  }

  private func advance(_ params: RawJSON?) throws(RPCError) -> Answer {
    guard let clock = clock as? VirtualScheduler else {
      let remedy = "time passes by itself here; start the server with --clock virtual to move it"
      throw RPCError(.methodNotFound, "no method \"clock/advance\": \(remedy)")
    }
    let params = try AdvanceParams(params: params)
    // The largest integer that every client can read back.
    let latest = 9_007_199_254_740_991
    guard (0...latest - clock.now.wholeMilliseconds).contains(params.milliseconds) else {
      throw RPCError("milliseconds", mustBe: "a whole number, 0 or more, that takes the clock to \(latest) at most")
    }
    clock.run(until: clock.now + .milliseconds(params.milliseconds), afterEach: endStep)
    return .result(AdvanceResult(now: clock.now.wholeMilliseconds).write)
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

  /// Carries out a call, and answers it when all that it began is over, if it asks for that.
  ///
  /// - Parameters:
  ///   - call: the call.
  ///   - carryOut: carries it out. It gets what takes the outcome, if somebody waits for that.
  /// - Returns: the answer.
  /// - Throws: what `carryOut` does, or what is wrong with the `wait`.
  private func answer(
    to call: Call, _ carryOut: (((Outcome) -> Void)?) throws(RPCError) -> Void
  ) throws(RPCError) -> Answer {
    let wait = call.params?.member("wait")
    if let wait, wait.bool == nil { throw RPCError("wait", mustBe: "true or false", not: wait) }
    guard wait?.bool == true, !call.isNotification else {
      try carryOut(nil)
      return .empty
    }
    let reply = WaitingReply()
    try carryOut { [weak self] outcome in self?.answerAtEnd { reply.take(outcome) } }
    return .later(reply.start)
  }
}

extension Service {
  /// Whether any screen has an input of that name.
  private func isInput(_ name: String) -> Bool {
    screens.contains { screen in screen.prototype.inputs.contains { $0.name == name } }
  }
}

extension Duration {
  /// The milliseconds that have passed whole.
  fileprivate var wholeMilliseconds: Int {
    Int(components.seconds) * 1000 + Int(components.attoseconds / 1_000_000_000_000_000)
  }
}
