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
      try dispatcher.dispatch(DispatchParams(params: call.params).action)
      return .empty
    case "rpc.discover": return .result(Discovery(self).write)
    case "clock/advance": return try advance(call.params)
    case "shutdown":
      phase = .shutDown
      return .empty
    case "exit":
      onExit(phase == .shutDown)
      return .empty
    default:
      try input(call.method, call.params)
      return .empty
    }
  }

  private func initialize(_ params: InitializeParams) throws(RPCError) -> Answer {
    if client.isInitialized { throw RPCError(.invalidRequest, "initialize was said already") }
    client.isInitialized = true
    client.takesDeltas = params.capabilities?.deltas ?? false
    client.presentsTasks = params.capabilities?.present ?? false
    client.sources = Set((params.capabilities?.sources ?? []).map { WireText($0) })
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
    if params.view?.isEmpty == true { throw RPCError("view", mustBe: "a string of one character or more") }
    if let name = params.view, view(name) != nil {
      throw RPCError(.viewTaken, "a view named \"\(name)\" is open already")
    }
    guard viewCount < limits.views else { throw viewLimitPassed }
    let assembly = try screen.assemble(params.params, clock)
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
  private func input(_ method: WireText, _ params: RawJSON?) throws(RPCError) {
    guard viewCount == 1 || params?.member("view") != nil || isInput(method) else {
      throw RPCError(.methodNotFound, "no method \"\(method)\"")
    }
    let view = try view(meantBy: params)
    guard let port = view.port(method) else {
      let known = KnownInputs(view: view.name, inputs: view.inputs.map(\.name))
      throw RPCError(.methodNotFound, "the view \"\(view.name)\" has no input \"\(method)\"", data: known)
    }
    refusal = nil
    do throws(RPCError) {
      try port.receive(params, nil)
    } catch {
      if error.code == RPCError.Code.internalError.rawValue {
        view.report("the input \"\(method)\" failed: \(error.message)")
      }
      throw error
    }
    if let refusal { throw refusal }
  }
}

extension Service {
  /// Whether any screen has an input of that name.
  private func isInput(_ name: WireText) -> Bool {
    screens.contains { screen in screen.prototype.inputs.contains { WireText($0.name) == name } }
  }
}

extension Duration {
  /// The milliseconds that have passed whole.
  fileprivate var wholeMilliseconds: Int {
    Int(components.seconds) * 1000 + Int(components.attoseconds / 1_000_000_000_000_000)
  }
}
