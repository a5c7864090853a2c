internal import Flow
internal import Nagare
internal import NagareCommand
internal import Randomness
internal import Reactor
internal import WireJSON

extension FuzzTarget {
  /// The view models, in a whole service on the virtual clock. Whatever a client does, each request is answered once.
  /// The messages that it received match the state, so `outputs` returns nothing new. Nothing loads forever. The bytes
  /// of an input choose the client's actions; the tested inputs make 100,000 steps.
  static let views = FuzzTarget(
    "views", testedInputs: 1300,
    seeds: (0..<40).map { seed in
      var random = SplitMix64(seed: UInt64(seed))
      // A byte below 128 is a character, so a text can be a seed.
      return String(decoding: (0..<400).map { _ in UInt8(random.below(128)) }, as: UTF8.self)
    }
  ) { input throws(Finding) in
    let day = try ClientDay(input)
    do throws(Finding) {
      try day.run()
    } catch {
      throw Finding("\(error)\nafter\n\(day.history.joined(separator: "\n"))")
    }
  }
}

/// Choices made by the bytes of an input, until they are used up.
private struct Choices {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) { rest = bytes[...] }

  var isEmpty: Bool { rest.isEmpty }

  mutating func below(_ bound: Int) -> Int { Int(rest.popFirst() ?? 0) % bound }

  mutating func pick(_ texts: [String]) -> String { texts[below(texts.count)] }
}

/// A client's actions, chosen by an input, and the messages that it receives.
private final class ClientDay {
  private(set) var history: [String] = []
  private let service: Service
  private let copy = ClientCopy()
  private var choices: Choices
  private var lastID = 0
  private var isReading = true

  init(_ input: [UInt8]) throws(Finding) {
    choices = Choices(input)
    var limits = Service.Limits()
    limits.views = 6
    service = Service(clock: VirtualScheduler(), limits: limits)
    guard let loop = try? EventLoop() else { throw Finding("there is no loop") }
    var sources = SourceFactory(for: service, on: loop)
    if choices.below(2) == 0 {
      ScreenBuilder(.demo).addScreens(to: service, &sources)
    } else {
      guard let file = try? ConfigurationFile(Array(ClientWords.configuration.utf8), path: "c.json") else {
        throw Finding("the configuration is wrong")
      }
      ScreenBuilder(file.configuration).addScreens(to: service, &sources)
    }
  }

  func run() throws(Finding) {
    try request("initialize", choices.pick(ClientWords.capabilities))
    try request("screens", "{}")
    try request("open", #"{"screen":"\#(choices.pick(service.screenNames))","view":"v"}"#)
    while !choices.isEmpty, lastID < 200 { try act() }
    isReading = true
    try hear()
    try settle()
    try checkOutputs(isAtRest: true)
    service.stop()
    try hear()
    try require(copy.awaited.isEmpty, "never answered: \(copy.awaited)")
  }

  private func act() throws(Finding) {
    switch choices.below(20) {
    case 0, 1, 2:
      let name = choices.pick(["", #","view":"v""#, #","view":"w""#, #","view":"v1""#, #","view":"""#])
      let params = choices.pick(ClientWords.parameters)
      try request("open", #"{"screen":"\#(choices.pick(service.screenNames + ["none"]))"\#(name)\#(params)}"#)
    case 3...9: try input()
    case 10, 11, 12: try request("clock/advance", #"{"milliseconds":\#(choices.pick(ClientWords.times))}"#)
    case 13, 14: try answer()
    case 15: if isReading { try checkOutputs() } else { try request("outputs", #"{"view":"v"}"#) }
    case 16: try request("close", #"{"view":"\#(choices.pick(copy.viewNames + ["none", "none", "none"]))"}"#)
    case 17: try request("dispatch", #"{"action":\#(choices.pick(ClientWords.actions))}"#)
    case 18:
      isReading.toggle()
      if !isReading {
        try send(#"{"jsonrpc":"2.0","id":"\#(ClientWords.long)","method":"ping"}"#, id: ClientWords.long)
      }
      try hear()
    default: try send(choices.pick(ClientWords.broken), id: nil)
    }
  }

  private func input() throws(Finding) {
    // Most actions of a client make sense.
    let view = choices.below(16) == 0 ? "none" : choices.pick(copy.viewNames + ["v"])
    let own = copy.inputs(of: view)
    let method = choices.below(16) == 0 || own.isEmpty ? choices.pick(ClientWords.inputs) : choices.pick(own)
    let params = #"{"view":"\#(view)"\#(choices.pick(ClientWords.members[method] ?? [""]))}"#
    if choices.below(3) > 0 { return try request(method, params) }
    try send(#"{"jsonrpc":"2.0","method":"\#(method)","params":\#(params)}"#, id: nil)
  }

  /// Answers a request of the server: rightly, wrongly, twice, or with something else.
  private func answer() throws(Finding) {
    guard let (id, method) = copy.asked.randomElement(choice: choices.below(256)) else { return }
    let answer = choices.pick(method == "present" ? ClientWords.outcomes : ClientWords.pages)
    if choices.below(8) > 0 { copy.asked[id] = nil }
    try send(#"{"jsonrpc":"2.0","id":\#(id),\#(answer)}"#, id: nil)
  }

  /// Answers all requests of the server and moves the clock, until there are no more requests.
  private func settle() throws(Finding) {
    for _ in 0..<30 {
      try request("clock/advance", #"{"milliseconds":200000}"#)
      if copy.asked.isEmpty { return }
      for id in copy.asked.keys.sorted() {
        copy.asked[id] = nil
        try send(#"{"jsonrpc":"2.0","id":\#(id),"error":{"code":7,"message":"no"}}"#, id: nil)
      }
    }
    throw Finding("it never ends asking")
  }

  private func checkOutputs(isAtRest: Bool = false) throws(Finding) {
    for view in copy.viewNames {
      copy.isUpToDate = true
      try request("outputs", #"{"view":"\#(view)"}"#)
      copy.isUpToDate = false
      if isAtRest { try copy.checkRest(of: view) }
    }
  }

  private func request(_ method: String, _ params: String) throws(Finding) {
    lastID += 1
    copy.remember("\(lastID)", method, params)
    try send(#"{"jsonrpc":"2.0","id":\#(lastID),"method":"\#(method)","params":\#(params)}"#, id: nil)
  }

  private func send(_ line: String, id: String?) throws(Finding) {
    history.append("--> \(line.prefix(300))")
    if let id { copy.remember("\"\(id)\"", "ping", "{}") }
    service.peer.take(line: line)
    if isReading { try hear() }
  }

  private func hear() throws(Finding) {
    guard isReading else { return }
    let lines = service.peer.said().split(separator: UInt8(ascii: "\n"))
    for line in lines {
      history.append("<-- \(String(decoding: line.prefix(300), as: UTF8.self))")
      let said = try Said(Array(line) + [UInt8(ascii: "\n")], in: .lines)
      for call in said.calls { try copy.take(call: call) }
      for (id, answer) in said.answers { try copy.take(answer: answer, to: id) }
    }
  }
}

extension [Int: String] {
  fileprivate func randomElement(choice: Int) -> (key: Int, value: String)? {
    let keys = keys.sorted()
    guard !isEmpty, let value = self[keys[choice % count]] else { return nil }
    return (keys[choice % count], value)
  }
}
