internal import Nagare
internal import WireJSON

/// A client's copy of the state. It trusts the server's messages, and reports a finding if they contradict each other.
final class ClientCopy {
  private struct ViewCopy {
    let screen: String
    var outputs: [String: RawJSON] = [:]
    var items: [RawJSON] = []
    var revision = -1
    /// The number of the last reported failure.
    var failures = 0
  }

  /// The requests without a response yet: method and params by id.
  private(set) var awaited: [String: (method: String, params: String)] = [:]
  /// The server's requests without a response yet: their methods by id.
  var asked: [Int: String] = [:]
  /// Whether all earlier messages were received, so that `outputs` can't return anything new.
  var isUpToDate = false
  private var views: [String: ViewCopy] = [:]
  private var inputs: [String: [String]] = [:]

  var viewNames: [String] { views.keys.sorted() }

  /// The inputs of a view; empty until the screens were requested.
  func inputs(of view: String) -> [String] { views[view].flatMap { inputs[$0.screen] } ?? [] }

  func remember(_ id: String, _ method: String, _ params: String) { awaited[id] = (method, params) }

  func take(answer: RawJSON, to id: String) throws(Finding) {
    // A response for a broken message has no request.
    if id == "null" { return try require(answer.member("error") != nil, "answered: \(answer)") }
    let (method, params) = try require(awaited.removeValue(forKey: id), "nobody waits for \(answer)")
    guard let result = answer.member("result") else {
      let code = answer.member("error")?.member("code")?.int
      return try require(code != -32603, "\(method) \(params) is an internal error: \(answer)")
    }
    let name = (try? RawJSON(params))?.member("view")?.string ?? ""
    switch method {
    case "open": try open(result)
    case "close": views[name] = nil
    case "screens":
      for screen in result.member("screens").map({ Array($0.elements) }) ?? [] {
        inputs[screen.member("screen")?.string ?? ""] = screen.member("inputs")?.elements.compactMap(\.string)
      }
    case "outputs":
      let outputs = try require(result.member("outputs"), "no outputs: \(result)")
      for (output, members) in outputs.members { try update(output.string, members, of: name, isSnapshot: true) }
    default: break
    }
  }

  func take(call: RawJSON) throws(Finding) {
    let method = call.member("method")?.string ?? ""
    let params = try require(call.member("params"), "no params: \(call)")
    if let id = call.member("id") {
      let number = try require(id.int, "an id of the server's: \(call)")
      return asked[number] = method
    }
    if method == "$/cancelRequest" {
      if let id = params.member("id")?.int { asked[id] = nil }
      return
    }
    let name = try require(params.member("view")?.string, "of no view: \(call)")
    try require(views[name] != nil, "of a view that isn't open: \(call)")
    switch method {
    case "closed": views[name] = nil
    case "navigate": try open(require(params.member("value"), "no value: \(call)"))
    default: try update(method, params, of: name, isSnapshot: false)
    }
  }

  private func open(_ opened: RawJSON) throws(Finding) {
    let name = try require(opened.member("view")?.string, "no name: \(opened)")
    try require(views[name] == nil, "\(name) is opened a second time")
    views[name] = ViewCopy(screen: opened.member("screen")?.string ?? "")
    for (output, members) in try require(opened.member("outputs"), "no outputs: \(opened)").members {
      try update(output.string, members, of: name, isSnapshot: true)
    }
  }

  private func update(_ output: String, _ members: RawJSON, of name: String, isSnapshot: Bool) throws(Finding) {
    var view = try require(views[name], "\(name) isn't open")
    defer { views[name] = view }
    if let revision = members.member("revision")?.int {
      let isNewer = revision > view.revision || isSnapshot && revision == view.revision
      try require(isNewer, "the revision \(revision) of \(name) follows \(view.revision)")
      if isSnapshot, isUpToDate { try require(revision == view.revision, "\(revision) of \(name) was never said") }
      let before = view.items
      try apply(members, to: &view)
      let isSame = before.map(\.text) == view.items.map(\.text)
      try require(isSame || revision > view.revision, "the items of \(name) changed, the revision \(revision) didn't")
      view.revision = revision
      let ids = Set(view.items.compactMap { $0.member("id").flatMap(ItemID.init) })
      try require(ids.count == view.items.count, "an id is listed twice in \(name)")
      return
    }
    let value = try require(members.member("value"), "\(output) has no value: \(members)")
    // An output without an initial value is an event.
    guard let before = view.outputs[output] else {
      if isSnapshot { view.outputs[output] = value }
      return
    }
    if !isSnapshot || isUpToDate {
      let isSame = before.text == value.text
      let fault = isSame ? "said before" : "never said"
      try require(isSame == isSnapshot, "the \(output) \(value) of \(name) was \(fault)")
    }
    if !isSnapshot, output == "error", let number = value.member("number")?.int {
      try require(number > view.failures, "the failure \(number) of \(name) follows \(view.failures)")
      view.failures = number
    }
    view.outputs[output] = value
  }

  private func apply(_ members: RawJSON, to view: inout ViewCopy) throws(Finding) {
    if let value = members.member("value") { return view.items = Array(value.elements) }
    try require(members.member("base")?.int == view.revision, "the splices don't fit \(view.revision): \(members)")
    for splice in try require(members.member("splices"), "no splices: \(members)").elements {
      guard let start = splice.member("start")?.int, let count = splice.member("deleteCount")?.int,
        let items = splice.member("items"), start >= 0, count >= 0, start + count <= view.items.count
      else { throw Finding("a splice of \(view.items.count) items: \(splice)") }
      view.items.replaceSubrange(start..<start + count, with: Array(items.elements))
    }
    try require(members.member("count")?.int == view.items.count, "the count isn't \(view.items.count): \(members)")
  }

  /// Checks that nothing is loading when no more messages are expected.
  func checkRest(of name: String) throws(Finding) {
    let outputs = views[name]?.outputs ?? [:]
    try require(outputs["loading"]?.bool != true, "\(name) loads for ever")
    try require(outputs["state"]?.member("phase")?.string != "requesting", "\(name) requests for ever")
    if let count = outputs["state"]?.member("count")?.int {
      try require(count == views[name]?.items.count, "the state of \(name) counts \(count) items")
    }
  }
}
