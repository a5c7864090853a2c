import Testing

@testable import NagareClient

// The steps of a scenario.

extension Played {
  func take(_ step: RawJSON) async throws {
    guard let fails = step["fails"] else { return try await perform(step) }
    do {
      try await perform(step)
    } catch let error as ResponseError {
      let told = error.rpcError.json
      guard fails.matches(told) else { throw TimedOut(description: "failed with \(told)") }
      return
    }
    throw TimedOut(description: "didn't fail")
  }

  private func perform(_ step: RawJSON) async throws {
    switch step.members.first(where: { _ in true })?.key {
    case "open":
      name(step["as"]?.string ?? "v", try await session.open(step.text("open"), step["params"] ?? .emptyObject))
    case "do": try await open(step)
    case "call":
      let (view, input, params) = (try view(step), step.text("call"), try params(step))
      calls[step.text("as")] = Waiting { try await view.call(input, params) }
    case "over": try await over(step)
    case "pending":
      try await settle()
      if let call = calls[step.text("pending")], call.isOver {
        throw TimedOut(description: "it is over: \(try await call.task.value)")
      }
    case "leave":
      let call = calls.removeValue(forKey: step.text("leave"))
      call?.task.cancel()
      do {
        throw TimedOut(description: "it was over: \(try await call?.task.value as Any)")
      } catch is CancellationError {}
    case "tell": try view(step).send(step.text("tell"), params(step))
    case "expect": try await expect(step)
    case "heard": try await hear(step)
    case "asked": try await ask(step)
    case "answer": named[step.text("answer")]?.give(step.answer)
    case "cancelled":
      let asked = named[step.text("cancelled")]
      _ = try await eventually({ asked?.isCancelled == true ? true : nil }, { "it wasn't cancelled" })
    case "unasked":
      try await settle()
      try require(requests.all.isEmpty, "asked was \(requests.all.map(\.params))")
    case "advance": try await session.advance(step["advance"]?.int ?? 0)
    case "dispatch":
      let (session, action, value) = (session, step.text("dispatch"), step["value"] ?? .null)
      guard let name = step["as"]?.string else { return session.sendAction(action, value) }
      calls[name] = Waiting { try await session.dispatch(action, value) }
    case "screens":
      try require((step["screens"] ?? .null).matches(session.screens.map(\.name).json), "they are \(session.screens)")
    case "outputs": try await outputs(step)
    case "close": try await views[step.text("close")]?.close()
    case "changed":
      let changes = step["changes"] ?? .emptyArray
      named[step.text("changed")]?.tell(SourceStep(changes, step["state"]?.string, step["total"]?.int))
    case "closed":
      let view = views[step.text("closed")]
      try await bounded { try await view?.untilClosed() }
    default: throw TimedOut(description: "nobody knows this step")
    }
  }

  private func view(_ step: RawJSON) throws -> AnyRemoteView { try #require(views[step["in"]?.string ?? "v"]) }

  private func require(_ holds: Bool, _ told: @autoclosure () -> String) throws {
    if !holds { throw TimedOut(description: told()) }
  }

  /// Returns the parameters of a step's input.
  private func params(_ step: RawJSON) throws -> RawJSON {
    var params: [String: RawJSON] = [:]
    for (name, value) in (step["with"] ?? .emptyObject).members {
      params[name.string] = value
      guard let named = value.string?.wholeMatch(of: /<(item|id) ([0-9]+)>/), let place = Int(named.2) else { continue }
      let item = try view(step).listed()[place]
      params[name.string] = named.1 == "item" ? item : item?["id"]
    }
    return params.json
  }

  private func over(_ step: RawJSON) async throws {
    guard let task = calls.removeValue(forKey: step.text("over"))?.task else { return }
    let outcome = try await bounded { try await task.value }
    try require(step["outcome"].map { $0.string == outcome.rawValue } ?? true, "the outcome is \(outcome)")
    guard let ids = step["ids"] else { return }
    let listed = try view(step).listed().map { $0?["id"] }.json
    try require(ids.matches(listed), "listed are \(listed)")
  }

  private func open(_ step: RawJSON) async throws {
    let opened = try await view(step).open(step.text("do"), params(step))
    guard let opens = step["opens"] else { return }
    if let name = opens.string {
      try require(opened != nil, "no view was opened")
      if let opened { self.name(name, opened) }
    } else {
      try require(opened == nil, "a view was opened")
    }
  }

  private func expect(_ step: RawJSON) async throws {
    let view = try view(step)
    try await bounded({
      "current is \(view.kept.read { current in current.names.map { "\($0): \(current.json($0) ?? .null)" } })"
    }) {
      try await view.until { view in
        try (step["expect"] ?? .emptyObject).members.allSatisfy { name, value in
          view[name.string].map(value.matches) ?? false
        }
          && (step["ids"].map { ids in ids.matches(try view.listed().map { $0?["id"] }.json) } ?? true)
          && (step["count"].map { count in try view.total() == count.int } ?? true)
          && (step["start"].map { start in try view.window().start == start.int } ?? true)
          && (step["exact"].map { exact in try view.window().isExact == exact.bool } ?? true)
      }
    }
  }

  private func hear(_ step: RawJSON) async throws {
    let (view, output, values) = (step["in"]?.string ?? "v", step.text("heard"), step["values"] ?? .emptyArray)
    guard let stream = heard["\(view).\(output)"] else { throw TimedOut(description: "nobody listens to \(output)") }
    var said: [RawJSON] = []
    for _ in values.elements { said += try await bounded { try await stream.first { _ in true } }.map { [$0] } ?? [] }
    try await settle()
    listen(to: output, of: view)
    said += try await stream.drain()
    try require(values.matches(said.json), "heard \(said)")
  }

  private func ask(_ step: RawJSON) async throws {
    let requests = requests
    let fits: @Sendable (Asked) -> Bool = { asked in
      asked.method == step.text("asked") && (step["with"]?.matches(asked.params) ?? true)
    }
    let asked = try await eventually(
      { requests.take(where: fits) }, { "asked was \(requests.all.map { "\($0.method) \($0.params)" })" })
    named[step["as"]?.string ?? ""] = asked
    guard step["result"] != nil || step["error"] != nil else { return }
    let (messages, answers) = (messages, messages.answers)
    asked.give(step.answer)
    // Changes are sent by another task, so the next step must wait until this one's were sent.
    _ = try await eventually(
      { messages.answers > answers || asked.isCancelled ? true : nil }, { "\(asked.method) wasn't answered" })
  }

  private func outputs(_ step: RawJSON) async throws {
    try await settle()
    let view = try view(step)
    let own = view.kept.read { current in
      current.names.map { ($0, current.json($0) ?? .null) }
    }
    let places = view.kept.read { $0.lists.mapValues(\.place) }
    let said = try await view.synchronize()
    try require((step["outputs"] ?? .null).matches(said), "current is \(said)")
    for (name, value) in own {
      try require(said[name].map(value.isEquivalent) ?? false, "the library had \(name): \(value)")
    }
    try require(places == view.kept.read { $0.lists.mapValues(\.place) }, "the library had \(places)")
  }
}

extension RemoteView {
  /// Returns the items of a list, or those in its window.
  fileprivate func listed() throws -> Rows<RawJSON?> {
    if let window: Window<RawJSON> = try? window() { return window.held }
    return try Rows(rows().map { .some($0) })
  }

  /// The length of a list.
  fileprivate func total() throws -> Int { try (try? window().count) ?? rows().count }
}

extension AsyncThrowingStream where Element: Sendable, Failure == any Error {
  /// Returns the values that have arrived and weren't read yet.
  func drain() async throws -> [Element] {
    let reading = Task {
      var rest: [Element] = []
      for try await value in self { rest.append(value) }
      return rest
    }
    reading.cancel()
    return try await reading.value
  }
}

extension RawJSON {
  func text(_ member: String) -> String { self[member]?.string ?? "" }

  /// The answer of a step to a request of the server.
  var answer: Result<RawJSON, ResponseError> {
    guard let error = self["error"] else { return .success(self["result"] ?? .emptyObject) }
    return .failure(ResponseError(code: error["code"]?.int ?? 0, message: error.text("message"), data: error["data"]))
  }

  /// Whether a value matches this value, which a scenario expects.
  func matches(_ value: RawJSON) -> Bool {
    switch kind {
    case .string:
      switch string {
      case "<any>": true
      case "<string>": value.kind == .string
      case "<number>": value.kind == .number
      case "<object>": value.kind == .object
      case "<array>": value.kind == .array
      default: isEquivalent(to: value)
      }
    case .object:
      value.kind == .object
        && members.allSatisfy { name, expected in value[name.string].map(expected.matches) ?? false }
    case .array:
      value.kind == .array && Array(elements).count == Array(value.elements).count
        && zip(elements, value.elements).allSatisfy { $0.matches($1) }
    default: isEquivalent(to: value)
    }
  }
}
