internal import Flow
internal import Nagare
internal import NagareCommand
internal import Reactor
internal import WireJSON

extension FuzzTarget {
  /// The configuration. Either each fault is reported with its position in the text; or the configuration can be
  /// written, read again and used to make screens.
  static let configuration = FuzzTarget(
    "configuration", testedInputs: 3000, seeds: Configurations.good, words: Configurations.words
  ) { input throws(Finding) in
    switch read(input) {
    case .failure(let fault): try checkPlaces(in: fault.description, of: input)
    case .success(let file):
      let text = file.configuration.json.text
      guard case .success(let again) = read(Array(text.utf8)) else {
        throw Finding("written anew it is wrong: \(text)")
      }
      // Headers have no order.
      let isSame = again.configuration.json.isEquivalent(to: file.configuration.json)
      try require(isSame, "again it is \(again.configuration.json.text), not \(text)")
      try checkScreens(of: file)
    }
  }
}

private func read(_ bytes: [UInt8]) -> Result<ConfigurationFile, ConfigurationError> {
  do throws(ConfigurationError) {
    return .success(try ConfigurationFile(bytes, path: "c.json"))
  } catch {
    return .failure(error)
  }
}

/// Checks that each fault begins with a line and a column of the text, or just after its end.
private func checkPlaces(in failures: String, of input: [UInt8]) throws(Finding) {
  let lines = input.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
  try require(!failures.isEmpty, "what is wrong isn't told")
  for fault in failures.split(separator: "\n") {
    let parts = fault.split(separator: ":", maxSplits: 3)
    guard parts.count == 4, parts[0] == "c.json", let line = Int(parts[1]), let column = Int(parts[2]) else {
      throw Finding("a fault is told without its place: \(fault)")
    }
    try require((1...lines.count).contains(line), "a fault is told of a line that isn't there: \(fault)")
    try require((1...lines[line - 1].count + 1).contains(column), "a fault is told beside its line: \(fault)")
  }
}

/// Checks that a valid configuration can be served: every screen exists and is described.
private func checkScreens(of file: ConfigurationFile) throws(Finding) {
  guard let loop = try? EventLoop() else { throw Finding("there is no loop") }
  let service = Service(clock: VirtualScheduler())
  var sources = SourceFactory(for: service, on: loop)
  ScreenBuilder(file.configuration).addScreens(to: service, &sources)
  service.peer.take(line: #"{"jsonrpc":"2.0","id":1,"method":"rpc.discover"}"#)
  let said = try Said(service.peer.said(), in: .lines)
  try require(said.answers.map(\.id) == ["1"], "\(said.answers)")
  try require(said.answers[0].1.member("result") != nil, "it can't be described: \(said.answers[0].1)")
}
