internal import RPC
internal import Randomness
internal import WireJSON

extension FuzzTarget {
  /// The peer. Whatever it reads, it writes JSON-RPC, and answers every request once. This includes requests that take
  /// time, are cancelled, come in batches, or cross its own.
  static let peer = FuzzTarget(
    "peer", testedInputs: 2000, seeds: Messages.conversations, words: Messages.words
  ) { input throws(Finding) in
    let conversation = Conversation(SplitMix64(hashing: input))
    let output = conversation.output(to: input)
    let said = try Said(output, in: conversation.peer.framing)
    var answered = Counts(said.answers.map(\.id))
    for id in conversation.requests { try answered.remove(id, "was handled and not answered") }
    guard conversation.peer.framing == .lines else { return }
    answered = Counts(said.answers.map(\.id))
    for line in Lines(input).lines {
      for id in answers(to: Array(line)) { try answered.remove(id, "was read and not answered") }
    }
    try require(answered.isEmpty, "nobody has asked for \(answered)")
  }
}

/// The number of occurrences of each id.
private struct Counts: CustomStringConvertible {
  private var counts: [String: Int]

  init(_ ids: [String]) { counts = ids.reduce(into: [:]) { $0[$1, default: 0] += 1 } }

  var isEmpty: Bool { counts.isEmpty }
  var description: String { "\(counts)" }

  mutating func remove(_ id: String, _ fault: String) throws(Finding) {
    let count = try require(counts[id], "the request \(id) \(fault)")
    counts[id] = count > 1 ? count - 1 : nil
  }
}

/// The ids of the required responses to a line, by the rules of JSON-RPC 2.0 and of the protocol.
private func answers(to line: [UInt8]) -> [String] {
  if line.allSatisfy(" \t\r".utf8.contains) { return [] }
  let (limits, size) = (FuzzTarget.limits, line.last == UInt8(ascii: "\r") ? line.count - 1 : line.count)
  guard size <= limits.messageSize, let json = readJSON(line, maxDepth: limits.nesting).0 else { return ["null"] }
  guard json.kind == .array else { return answers(toMessage: json) }
  let messages = Array(json.elements)
  return (1...limits.batch).contains(messages.count) ? messages.flatMap(answers) : ["null"]
}

private func answers(toMessage json: RawJSON) -> [String] {
  guard json.kind == .object else { return ["null"] }
  let id = json.member("id")
  let answer = [.string, .number].contains(id?.kind) ? id?.text ?? "null" : "null"
  if let method = json.member("method") { return method.kind == .string && id == nil ? [] : [answer] }
  return json.member("result") == nil && json.member("error") == nil ? [answer] : []
}

/// A conversation with other events in between.
private final class Conversation {
  private(set) var peer = Peer { _ in .empty }
  /// The ids of the requests that were handled.
  private(set) var requests: [String] = []
  private var random: SplitMix64
  private var replies: [Reply] = []

  init(_ random: SplitMix64) {
    self.random = random
    peer = Peer(limits: FuzzTarget.limits) { [unowned self] call throws(RPCError) in try handle(call) }
  }

  func output(to input: [UInt8]) -> [UInt8] {
    var output: [UInt8] = []
    for piece in random.pieces(of: input, longest: 200) {
      peer.take(piece)
      switch random.below(4) {
      case 0: replies.randomElement(using: &random)?.succeed { $0.literal("{}") }
      case 1: replies.randomElement(using: &random)?.fail(RPCError(.invalidParams, "no"))
      case 2: output += peer.said(atMost: random.below(100))
      default: break
      }
    }
    peer.receiveEnd()
    peer.take([])
    peer.cancelAll()
    return output + peer.said()
  }

  private func handle(_ call: Call) throws(RPCError) -> Answer {
    if let id = call.id { requests.append(id.text) }
    switch call.method {
    case "ping": return .empty
    case "fail": throw RPCError(.invalidParams, "no")
    case "later":
      return .later { [unowned self] reply in
        replies.append(reply)
        return {}
      }
    case "now":
      return .later { reply in
        reply.succeed { $0.literal("{}") }
        return {}
      }
    case "say":
      peer.notify("said") { $0.literal("{}") }
      return .empty
    case "ask":
      let id = peer.request("question") {
        $0.literal("{}")
      } completion: { [unowned self] _ in
        peer.notify("told") { $0.literal("{}") }
      }
      if random.below(4) == 0 { peer.cancel(id) }
      return .empty
    default: return .result { $0.literal(#"{"a":"b"}"#) }
    }
  }
}
