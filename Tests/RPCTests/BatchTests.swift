import RPC
import Testing
import WireJSON

struct BatchTests {
  @Test func `answers come in one array, in the order of the requests`() {
    let batch = "[\(request("ping", id: "1")) , \(request("echo", id: "\"b\"")),\(request("fail", id: "3"))]"
    let error = #"{"code":-32602,"message":"no","data":{"param":"a","expected":"b"}}"#
    #expect(
      Conversation().answer(to: batch)
        == #"[{"id":1,"result":{}},{"id":"b","result":{"params":null}},{"id":3,"error":\#(error)}]"#)
  }

  @Test func `an empty batch is an invalid request`() {
    for batch in ["[]", "[ ]", " [\t] "] {
      #expect(Conversation().answer(to: batch)?.hasPrefix(#"{"id":null,"error":{"code":-32600,"#) == true)
    }
  }

  @Test func `a batch of only notifications isn't answered`() {
    let conversation = Conversation()
    #expect(conversation.answers(to: #"[{"jsonrpc":"2.0","method":"ping"},{"jsonrpc":"2.0","method":"fail"}]"#) == [])
    #expect(conversation.calls == ["ping", "fail"])
  }

  @Test(arguments: ["1", "[]", "[[]]", "{}", "null", "\"a\""])
  func `an invalid request in a batch is answered in its position`(member: String) {
    let answer = Conversation().answer(to: "[\(member),\(request("ping", id: "1"))]")
    #expect(answer?.hasPrefix(#"[{"id":null,"error":{"code":-32600,"#) == true)
    #expect(answer?.hasSuffix(#"},{"id":1,"result":{}}]"#) == true)
  }

  @Test func `an array in a batch isn't a batch`() {
    let conversation = Conversation()
    _ = conversation.answer(to: "[[\(request("ping", id: "1"))]]")
    #expect(conversation.calls == [])
  }

  @Test func `a batch that is not JSON does nothing`() {
    let conversation = Conversation()
    _ = conversation.answers(to: request("ping", id: "0"))
    let answer = conversation.answer(to: "[\(request("ping", id: "1")),")
    #expect(answer?.hasPrefix(#"{"id":null,"error":{"code":-32700,"#) == true)
    #expect(conversation.calls == ["ping"])
  }

  @Test func `messages that its calls send come before a batch's answers`() {
    let answers = Conversation().answers(to: "[\(request("say", id: "1")),\(request("ask", id: "2"))]")
    #expect(
      answers == [
        #"{"method":"said","params":{"params":null}}"#, #"{"id":1,"method":"question","params":{}}"#,
        #"[{"id":1,"result":{}},{"id":2,"result":{}}]"#,
      ])
  }

  @Test func `a batch waits for its late answers, which keep the positions of their requests`() {
    let conversation = Conversation()
    let batch =
      "[\(request("later", id: "1")),\(request("now", id: "2")),\(request("later", id: "3")),\(request("ping", id: "4"))]"
    #expect(conversation.answers(to: batch) == [])
    #expect(conversation.answer(to: request("ping", id: "5")) == #"{"id":5,"result":{}}"#)
    conversation.replies[1].succeed { $0.literal("{}") }
    #expect(conversation.drain() == [])
    conversation.replies[0].fail(RPCError(code: 1, message: "x"))
    let expected = [
      #"{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"x"}}"#, #"{"jsonrpc":"2.0","id":2,"result":{"now":null}}"#,
      empty(id: "3"), empty(id: "4"),
    ]
    #expect(conversation.drain() == Array("[\(expected.joined(separator: ","))]\n".utf8))
  }

  @Test func `a reply during another batch goes to its own batch`() {
    var first: Reply?
    let peer = Peer { call throws(RPCError) in
      switch call.method {
      case "wait":
        return .later { reply in
          first = reply
          return {}
        }
      default:
        first?.succeed { $0.literal(#"{"a":1}"#) }
        return .empty
      }
    }
    peer.receive(
      Array("[\(request("wait", id: "1"))]\n[\(request("go", id: "2")),\(request("go", id: "3"))]\n".utf8).span)
    while peer.handleNext() {}
    var output: [UInt8] = []
    peer.write { output.take($0) }
    let expected = #"[{"jsonrpc":"2.0","id":1,"result":{"a":1}}]"# + "\n[\(empty(id: "2")),\(empty(id: "3"))]\n"
    #expect(String(decoding: output, as: UTF8.self) == expected)
  }

  @Test func `cancelling is possible within a batch and from outside`() {
    let conversation = Conversation()
    let cancel = { (id: Int) in #"{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":\#(id)}}"# }
    let cancelled = { (id: Int) in #"{"id":\#(id),"error":{"code":-32800,"message":"the request was cancelled"}}"# }
    #expect(conversation.answer(to: "[\(request("later", id: "1")),\(cancel(1))]") == "[\(cancelled(1))]")
    #expect(conversation.answers(to: "[\(request("later", id: "2")),\(request("later", id: "3"))]") == [])
    #expect(conversation.answers(to: cancel(3)) == [])
    #expect(conversation.answer(to: cancel(2)) == "[\(cancelled(2)),\(cancelled(3))]")
    #expect(conversation.cancelled == [0, 2, 1])
  }

  @Test func `the other side's answers may come in a batch`() {
    let conversation = Conversation()
    _ = conversation.says(to: "\n" + request("ask", id: "1") + "\n" + request("ask", id: "2") + "\n")
    let answers = conversation.answers(
      to:
        #"[{"jsonrpc":"2.0","id":2,"result":"b"},{"jsonrpc":"2.0","id":1,"result":"a"},{"jsonrpc":"2.0","id":9,"result":1}]"#
    )
    #expect(
      answers == [
        #"{"method":"told","params":{"result":"b"}}"#, #"{"method":"told","params":{"result":"a"}}"#,
      ])
  }

  @Test(arguments: [2, 1001, 20_000])
  func `a large batch is answered in full`(count: Int) {
    let requests = (1...count).map { request("ping", id: "\($0)") }.joined(separator: ",")
    let answers = (1...count).map { #"{"id":\#($0),"result":{}}"# }.joined(separator: ",")
    #expect(Conversation().answer(to: "[\(requests)]") == "[\(answers)]")
  }

  @Test func `a batch over the limit is refused as a whole`() {
    var limits = Peer.Limits()
    limits.batch = 3
    let conversation = Conversation(limits: limits)
    let ping = request("ping", id: "1")
    #expect(conversation.answer(to: "[\(ping),\(ping),\(ping)]")?.hasPrefix("[") == true)
    func refusal(_ message: Int) -> String {
      #"{"id":null,"error":{"code":-32005,"message":"a batch may have 3 messages at most","#
        + #""data":{"limit":"batch","max":3,"message":\#(message)}}}"#
    }
    #expect(conversation.answer(to: "[\(ping),\(ping),\(ping),\(ping)]") == refusal(2))
    #expect(conversation.answer(to: "[1,2,3,4]") == refusal(3))
    #expect(conversation.calls.count == 3)
  }

  @Test func `a batch is handled one message at a time, and what happens in between is sent before its answer`() {
    let conversation = Conversation()
    let batch = "[\(request("ping", id: "1")),1,\(request("echo", id: "2"))]"
    conversation.peer.receive(Array("\(batch)\n\(request("ping", id: "3"))\n".utf8).span)
    var calls: [Int] = []
    while conversation.peer.handleNext() {
      calls.append(conversation.calls.count)
      conversation.peer.notify("between") { $0.literal("{}") }
    }
    #expect(calls == [0, 1, 1, 2, 3])
    let said = String(decoding: conversation.drain(), as: UTF8.self).split(separator: "\n")
    #expect(said.map { $0.contains("between") } == [true, true, true, false, true, false, true])
    #expect(said[3].hasPrefix("[\(empty(id: "1")),"))
  }

  @Test func `a request that is answered during a batch has a separate answer`() {
    let conversation = Conversation()
    _ = conversation.answers(to: request("later", id: "0"))
    let batch = "[\(request("ping", id: "1")),\(request("ping", id: "2"))]\n"
    conversation.peer.receive(Array(batch.utf8).span)
    #expect(conversation.peer.handleNext())
    #expect(conversation.peer.handleNext())
    conversation.replies[0].succeed { $0.literal("{}") }
    while conversation.peer.handleNext() {}
    let expected = "\(empty(id: "0"))\n[\(empty(id: "1")),\(empty(id: "2"))]\n"
    #expect(String(decoding: conversation.drain(), as: UTF8.self) == expected)
  }

  @Test func `after the limit of answer bytes, only a batch's other requests are refused`() {
    var limits = Peer.Limits()
    limits.batchAnswer = 100
    let conversation = Conversation(limits: limits)
    let members = ["echo", "echo", "echo", "later"].enumerated().map { request($1, id: "\($0)") }
    let answers = conversation.answers(
      to: "[\(members.joined(separator: ",")),{\"jsonrpc\":\"2.0\",\"method\":\"say\"},7]")
    let refusal = #"""
      {"code":-32005,"message":"the response to this batch has 100 bytes already; send the request again in another batch",\#
      "data":{"limit":"batchAnswer","max":100}}
      """#
    #expect(answers.count == 2)
    #expect(answers.first == #"{"method":"said","params":{"params":null}}"#)
    #expect(
      answers.last
        == #"[{"id":0,"result":{"params":null}},{"id":1,"result":{"params":null}},{"id":2,"error":\#(refusal)},"#
        + #"{"id":3,"error":\#(refusal)},{"id":null,"error":{"code":-32600,"message":"a message must be an object","#
        + #""data":{"message":1}}}]"#)
    #expect(conversation.calls == ["echo", "echo", "say"])
  }

  @Test func `a late answer over a batch's limit is refused, too`() {
    var limits = Peer.Limits()
    limits.batchAnswer = 50
    let conversation = Conversation(limits: limits)
    #expect(conversation.answers(to: "[\(request("later", id: "1")),\(request("echo", id: "2"))]") == [])
    conversation.replies[0].succeed { $0.object("a", .null) }
    #expect(String(decoding: conversation.drain(), as: UTF8.self).contains(#""data":{"limit":"batchAnswer","max":50}"#))
  }

  @Test func `a batch of half a million invalid messages costs one answer`() {
    let conversation = Conversation()
    let nothings = String(repeating: "1,", count: 500_000)
    #expect(conversation.says(to: "[\(nothings)1]\n").contains(#""data":{"limit":"batch","max":100000,"message":1}"#))
  }

  @Test func `messages of a batch may nest as deep as the limit allows`() {
    var limits = Peer.Limits()
    limits.nesting = 1000
    let deep = String(repeating: "[", count: 900) + String(repeating: "]", count: 900)
    let line = #"[{"jsonrpc":"2.0","id":1,"method":"echo","params":{"a":\#(deep)}}]"#
    #expect(Conversation(limits: limits).answer(to: line) == #"[{"id":1,"result":{"params":{"a":\#(deep)}}}]"#)
  }
}
