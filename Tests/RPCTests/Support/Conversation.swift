import RPC
import WireJSON

/// A peer in memory, with methods for tests:
///
/// - `ping` returns `{}`, `echo` its params, `fail` an error with data.
/// - `later` is answered when the test does so, by ``replies``; `now` is answered before its handler has returned.
/// - `say` sends a notification before it answers. `ask` sends a request to the other side, and a notification with the
///   response.
final class Conversation {
  private(set) var peer = Peer { _ in .empty }
  /// The methods that were called, in order.
  private(set) var calls: [String] = []
  /// The pending replies of `later`, in order.
  private(set) var replies: [Reply] = []
  /// The indices of the cancelled ``replies``, in order.
  private(set) var cancelled: [Int] = []
  /// The ids of our own requests.
  private(set) var asked: [Int] = []

  init(limits: Peer.Limits = Peer.Limits()) {
    peer = Peer(limits: limits) { [unowned self] call throws(RPCError) in try handle(call) }
  }

  private func handle(_ call: Call) throws(RPCError) -> Answer {
    calls.append(call.method.string)
    switch call.method {
    case "ping": return .empty
    case "echo": return .result { $0.object("params", call.params ?? .null) }
    case "fail": throw RPCError(.invalidParams, "no", data: ParameterErrorData(param: "a", expected: "b"))
    case "later": return .later { [unowned self] in wait($0) }
    case "now":
      return .later { reply in
        reply.succeed { $0.object("now", .null) }
        return {}
      }
    case "say":
      peer.notify("said") { $0.object("params", call.params ?? .null) }
      return .empty
    case "ask":
      ask()
      return .empty
    default: throw RPCError(.methodNotFound, "no method")
    }
  }

  private func wait(_ reply: Reply) -> () -> Void {
    let number = replies.count
    replies.append(reply)
    return { [unowned self] in cancelled.append(number) }
  }

  /// Sends a request to the other side, and a notification with its response.
  func ask() {
    let id = peer.request("question") {
      $0.literal("{}")
    } completion: { [unowned self] answer in
      switch answer {
      case .success(let result): peer.notify("told") { $0.object("result", result) }
      case .failure(let error): peer.notify("refused") { $0.object("error", RawJSON(encoding: error)) }
      }
    }
    asked.append(id)
  }

  /// Receives bytes, and handles the complete messages.
  func receive(_ bytes: some Sequence<UInt8>) {
    peer.receive(Array(bytes).span)
    while peer.handleNext() {}
  }

  /// Ends the input.
  func end() {
    peer.receiveEnd()
    while peer.handleNext() {}
  }

  /// Writes all waiting output.
  func drain() -> [UInt8] {
    var output: [UInt8] = []
    while !peer.backlog.isEmpty { peer.write { output.take($0) } }
    return output
  }

  /// Returns the output for a text.
  func says(to input: String) -> String {
    receive(input.utf8)
    return String(decoding: drain(), as: UTF8.self)
  }

  /// Returns the messages sent for one message, without `jsonrpc` and line feeds.
  func answers(to line: String) -> [String] {
    says(to: line + "\n").split(separator: "\n").map { String($0).replacing(#""jsonrpc":"2.0","#, with: "") }
  }

  /// Returns the only message sent for one message.
  func answer(to line: String) -> String? {
    let answers = answers(to: line)
    return answers.count == 1 ? answers[0] : nil
  }
}

extension JSONWriter {
  /// Writes an object with one field.
  mutating func object(_ name: String, _ value: RawJSON) {
    beginObject()
    key(name)
    raw(value)
    endObject()
  }
}

extension RawJSON {
  init(encoding value: some JSONEncodable) {
    var writer = JSONWriter()
    value.write(to: &writer)
    self.init(trusting: writer.bytes, 0..<writer.bytes.count)
  }
}

extension [UInt8] {
  /// Appends up to `most` bytes of a span, as a transport does. Returns the number of bytes.
  mutating func take(_ bytes: Span<UInt8>, atMost most: Int = .max) -> Int {
    let count = Swift.min(bytes.count, most)
    for index in 0..<count { append(bytes[index]) }
    return count
  }
}

/// A message in LSP's framing.
func framed(_ message: String) -> String { "Content-Length: \(message.utf8.count)\r\n\r\n\(message)" }

/// A request without params.
func request(_ method: String, id: String) -> String { #"{"jsonrpc":"2.0","id":\#(id),"method":"\#(method)"}"# }

/// The response `{}`.
func empty(id: String) -> String { #"{"jsonrpc":"2.0","id":\#(id),"result":{}}"# }
