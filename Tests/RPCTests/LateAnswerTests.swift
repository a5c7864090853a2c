import RPC
import Testing
import WireJSON

struct LateAnswerTests {
  private func cancel(_ id: String) -> String {
    #"{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":\#(id)}}"#
  }

  private func cancelled(_ id: String) -> String {
    #"{"id":\#(id),"error":{"code":-32800,"message":"the request was cancelled"}}"#
  }

  private func output(of conversation: Conversation) -> [String] {
    conversation.answers(to: "")
  }

  @Test func `an answer may come later than others`() {
    let conversation = Conversation()
    #expect(conversation.answers(to: request("later", id: "1")) == [])
    #expect(conversation.answer(to: request("ping", id: "2")) == #"{"id":2,"result":{}}"#)
    conversation.replies[0].succeed { $0.literal(#"{"a":1}"#) }
    #expect(output(of: conversation) == [#"{"id":1,"result":{"a":1}}"#])
  }

  @Test func `only the first reply counts`() {
    let conversation = Conversation()
    _ = conversation.answers(to: request("later", id: "1"))
    conversation.replies[0].fail(RPCError(.internalError, "x"))
    conversation.replies[0].succeed { $0.literal("{}") }
    conversation.replies[0].fail(RPCError(.internalError, "y"))
    #expect(output(of: conversation) == [#"{"id":1,"error":{"code":-32603,"message":"x"}}"#])
  }

  @Test func `a cancelled request is answered immediately, and once`() {
    let conversation = Conversation()
    _ = conversation.answers(to: request("later", id: "1"))
    #expect(conversation.answers(to: cancel("1")) == [cancelled("1")])
    #expect(conversation.cancelled == [0])
    conversation.replies[0].succeed { $0.literal("{}") }
    #expect(output(of: conversation) == [])
    #expect(conversation.answers(to: cancel("1")) == [])
    #expect(conversation.cancelled == [0])
  }

  @Test func `cancelling an answered or unknown request does nothing`() {
    let conversation = Conversation()
    _ = conversation.answers(to: request("later", id: "1"))
    conversation.replies[0].succeed { $0.literal("{}") }
    _ = conversation.drain()
    _ = conversation.answers(to: request("now", id: "2"))
    for id in ["1", "2", "3", "\"1\"", "null", "{}", "[1]"] { #expect(conversation.answers(to: cancel(id)) == []) }
    #expect(conversation.answers(to: #"{"jsonrpc":"2.0","method":"$/cancelRequest"}"#) == [])
    #expect(conversation.cancelled == [])
  }

  @Test(arguments: [("1", "1.0"), ("\"a\"", #""\u0061""#), ("10", "1e1"), ("9007199254740993", "9007199254740993")])
  func `an id in any spelling cancels, and the answer has the original spelling`(id: String, spelling: String) {
    let conversation = Conversation()
    _ = conversation.answers(to: request("later", id: id))
    #expect(conversation.answers(to: cancel(spelling)) == [cancelled(id)])
  }

  @Test func `ids of other types or values are different`() {
    let conversation = Conversation()
    _ = conversation.answers(to: request("later", id: "9007199254740993"))
    _ = conversation.answers(to: request("later", id: "1"))
    #expect(conversation.answers(to: cancel("9007199254740992")) == [])
    #expect(conversation.answers(to: cancel("\"1\"")) == [])
  }

  @Test func `cancelling may be a request with its own answer`() {
    let conversation = Conversation()
    _ = conversation.answers(to: request("later", id: "1"))
    let line = #"{"jsonrpc":"2.0","id":2,"method":"$/cancelRequest","params":{"id":1}}"#
    #expect(conversation.answers(to: line) == [cancelled("1"), #"{"id":2,"result":{}}"#])
  }

  @Test func `cancelAll answers every request, oldest first, also those with a null or repeated id`() {
    let conversation = Conversation()
    let ids = ["3", "null", "1", "null", "1", "\"1\""]
    for id in ids { _ = conversation.answers(to: request("later", id: id)) }
    conversation.replies[2].succeed { $0.literal("{}") }
    _ = conversation.drain()
    conversation.peer.cancelAll()
    func unnamed(_ message: Int) -> String {
      #"{"id":null,"error":{"code":-32800,"message":"the request was cancelled","data":{"message":\#(message)}}}"#
    }
    #expect(
      output(of: conversation) == [cancelled("3"), unnamed(2), unnamed(4), cancelled("1"), cancelled("\"1\"")])
    #expect(conversation.cancelled == [0, 1, 3, 4, 5])
    conversation.peer.cancelAll()
    #expect(output(of: conversation) == [])
  }

  @Test func `of a repeated id the newest request is cancelled, and the other still answered`() {
    let conversation = Conversation()
    for _ in 0..<2 { _ = conversation.answers(to: request("later", id: "1")) }
    #expect(conversation.answers(to: cancel("1")) == [cancelled("1")])
    #expect(conversation.cancelled == [1])
    conversation.replies[0].succeed { $0.literal("{}") }
    #expect(output(of: conversation) == [#"{"id":1,"result":{}}"#])
  }

  @Test func `of a repeated id the newest request can be cancelled after the other was answered`() {
    let conversation = Conversation()
    for _ in 0..<2 { _ = conversation.answers(to: request("later", id: "1")) }
    conversation.replies[0].succeed { $0.literal("{}") }
    #expect(output(of: conversation) == [#"{"id":1,"result":{}}"#])
    #expect(conversation.answers(to: cancel("1")) == [cancelled("1")])
    #expect(conversation.cancelled == [1])
  }

  @Test func `a cancel closure may reply, cancel all requests and send requests`() {
    var peer: Peer?
    let made = Peer { call throws(RPCError) in
      .later { reply in
        {
          reply.succeed { $0.literal(#"{"partial":true}"#) }
          peer?.cancelAll()
          peer?.notify("gone") { $0.literal("{}") }
        }
      }
    }
    peer = made
    made.receive(Array("\(request("a", id: "1"))\n\(request("b", id: "2"))\n\(cancel("1"))\n".utf8).span)
    while made.handleNext() {}
    var output: [UInt8] = []
    made.write { output.take($0) }
    let results = ["1", "2"].map { #"{"jsonrpc":"2.0","id":\#($0),"result":{"partial":true}}"# }
    let gone = #"{"jsonrpc":"2.0","method":"gone","params":{}}"#
    #expect(String(decoding: output, as: UTF8.self).split(separator: "\n").map(String.init) == results + [gone, gone])
  }

  @Test func `an id outlives its input`() {
    let conversation = Conversation()
    _ = conversation.answers(to: request("later", id: "\"kept\""))
    for number in 0..<100 { _ = conversation.answers(to: request("ping", id: "\(number)")) }
    conversation.replies[0].succeed { $0.literal("{}") }
    #expect(output(of: conversation) == [#"{"id":"kept","result":{}}"#])
  }

  @Test func `a reply after its peer's deallocation is dropped`() {
    var conversation: Conversation? = Conversation()
    _ = conversation?.answers(to: request("later", id: "1"))
    let reply = conversation?.replies.first
    conversation = nil
    var wasWritten = false
    reply?.succeed { _ in wasWritten = true }
    #expect(!wasWritten)
    #expect(reply != nil)
  }
}
