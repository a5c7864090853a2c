import RPC
import Testing
import WireJSON

/// A peer whose messages a person types.
private final class Typist {
  private(set) var mistypings: [String] = []
  let peer: Peer

  init() {
    peer = Peer { call throws(RPCError) in
      guard call.method == "ping" else { throw RPCError(.methodNotFound, "no method \(call.method)") }
      return .empty
    }
    peer.readTypedLines { [unowned self] mistyping in
      switch mistyping {
      case .blank: mistypings.append("blank")
      case .unusable(let line): mistypings.append("unusable \(line)")
      case .unanswered(let reason): mistypings.append("unanswered \(reason)")
      }
    }
  }

  /// Returns the output for a text.
  func says(to input: String) -> String {
    peer.receive(Array(input.utf8).span)
    while peer.handleNext() {}
    var output: [UInt8] = []
    while !peer.backlog.isEmpty { peer.write { output.take($0) } }
    return String(decoding: output, as: UTF8.self)
  }
}

struct TypedLinesTests {
  let ping = request("ping", id: "1")
  let pong = empty(id: "1") + "\n"

  @Test(arguments: ["", "-->", "--> ", "$ ", "$ --> ", "  $   -->\t", " \t"])
  func `marks before a pasted message are skipped`(mark: String) {
    let typist = Typist()
    #expect(typist.says(to: mark + ping + "\r\n" + ping + "\n") == pong + pong)
    #expect(typist.mistypings == [])
  }

  @Test func `a pasted line of the server is skipped`() {
    let typist = Typist()
    #expect(typist.says(to: "<-- \(ping)\n  <-- text\n<--\n" + ping + "\n") == pong)
    #expect(typist.mistypings == [])
  }

  @Test(arguments: ["", " ", "\t\r", "$ ", "-->", "$ --> "])
  func `a line without a message is reported, and has no answer`(line: String) {
    let typist = Typist()
    #expect(typist.says(to: line + "\n" + ping + "\n") == pong)
    #expect(typist.mistypings == ["blank"])
  }

  @Test(arguments: ["hello", "Content-Length: 5", "$hello", "--", "[", "{", "\"", "7", "\u{FEFF}", "{\"id\":1}"])
  func `a line that can't be used gets an error, is reported, and spoils nothing`(line: String) {
    let typist = Typist()
    let output = typist.says(to: line + "\n" + ping + "\n" + ping + "\n")
    #expect(output.contains("\"error\""))
    #expect(output.hasSuffix("\n" + pong + pong))
    #expect(typist.mistypings == ["unusable \(line)"])
  }

  @Test(arguments: [
    (#"{"method":"ping"}"#, "'jsonrpc' must be \"2.0\""),
    (#"{"jsonrpc":"2.0","method":"pong"}"#, "no method pong"),
    (#"{"jsonrpc":"2.0","method":"ping","params":[1]}"#, "params are given by name, in an object"),
    (#"{"jsonrpc":"2.0","method":"ping","params":1}"#, "'params' must be an object"),
    (#"{"jsonrpc":"2.0","result":1}"#, "a response needs the 'id' of its request"),
  ])
  func `a message that has no effect and no answer is reported`(line: String, reason: String) {
    let typist = Typist()
    #expect(typist.says(to: line + "\n") == "")
    #expect(typist.mistypings == ["unanswered \(reason)"])
  }

  @Test func `the number of a message counts neither blank nor skipped lines`() {
    let typist = Typist()
    #expect(typist.says(to: "\n<-- {}\n\nhello\n").contains(#""data":{"offset":0,"message":1}"#))
  }

  @Test func `outside a terminal blank lines and marks have their usual meaning`() {
    let conversation = Conversation()
    _ = conversation.says(to: ping + "\n")
    #expect(conversation.says(to: "\n \n") == "")
    #expect(conversation.says(to: "--> " + ping + "\n").contains("-32700"))
    #expect(conversation.says(to: "<-- " + ping + "\n").contains("-32700"))
  }
}
