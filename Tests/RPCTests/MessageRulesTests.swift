import RPC
import Testing

struct MessageRulesTests {
  @Test(arguments: [
    "1", "0", "-0", "1.5", "1.50", "1e3", "1E+3", "9007199254740993", "123456789012345678901234567890", #""""#, #""1""#,
    #""\u0061\/""#, #""流れ 😀""#, #""\ud800""#, "null",
  ])
  func `an id is returned byte for byte`(id: String) {
    let conversation = Conversation()
    #expect(conversation.answer(to: request("ping", id: id)) == #"{"id":\#(id),"result":{}}"#)
    #expect(conversation.answer(to: request("echo", id: id)) == #"{"id":\#(id),"result":{"params":null}}"#)
    #expect(conversation.answer(to: request("now", id: id)) == #"{"id":\#(id),"result":{"now":null}}"#)
    #expect(conversation.answer(to: request("x", id: id))?.hasPrefix(#"{"id":\#(id),"error":{"code":-32601,"#) == true)
  }

  @Test(arguments: ["", #","params":null"#, #","params":[]"#, #","params" : [ ] "#])
  func `null, empty and absent params mean the same`(params: String) {
    let line = #"{"jsonrpc":"2.0","id":1,"method":"echo"\#(params)}"#
    #expect(Conversation().answer(to: line) == #"{"id":1,"result":{"params":null}}"#)
  }

  @Test(arguments: ["{}", #"{ "a" : 1.50 }"#, #"{"a":"\u0061","a":2}"#])
  func `params are passed on unchanged`(params: String) {
    let line = #"{"jsonrpc":"2.0","id":1,"method":"echo","params":\#(params)}"#
    #expect(Conversation().answer(to: line) == #"{"id":1,"result":{"params":\#(params)}}"#)
  }

  @Test(arguments: ["[1]", "[[]]", "[{}]"])
  func `positional params are invalid`(params: String) {
    let line = #"{"jsonrpc":"2.0","id":1,"method":"ping","params":\#(params)}"#
    let answer = Conversation().answer(to: line)
    #expect(answer?.hasPrefix(#"{"id":1,"error":{"code":-32602,"#) == true)
    #expect(answer?.hasSuffix(#""data":{"param":"params","expected":"an object"}}}"#) == true)
  }

  @Test(arguments: ["1", "\"a\"", "true", "false"])
  func `other params make an invalid request`(params: String) {
    let answer = Conversation().answer(to: #"{"jsonrpc":"2.0","id":1,"method":"ping","params":\#(params)}"#)
    #expect(answer?.hasPrefix(#"{"id":1,"error":{"code":-32600,"#) == true)
  }

  @Test(arguments: [
    (#"{"id":7,"method":"ping"}"#, "7"), (#"{"jsonrpc":"1.0","id":7,"method":"ping"}"#, "7"),
    (#"{"jsonrpc":2.0,"id":7,"method":"ping"}"#, "7"), (#"{"jsonrpc":"2.0","id":7,"method":1}"#, "7"),
    (#"{"jsonrpc":"2.0","id":"a","method":null}"#, "\"a\""), (#"{"jsonrpc":"2.0","id":7}"#, "7"), ("{}", "null"),
    (#"{"jsonrpc":"2.0","method":1}"#, "null"), (#"{"jsonrpc":"2.0","id":{},"method":"ping"}"#, "null"),
    (#"{"jsonrpc":"2.0","id":[1],"method":"ping"}"#, "null"), (#"{"jsonrpc":"2.0","id":true,"method":"ping"}"#, "null"),
    ("1", "null"), ("\"ping\"", "null"), ("null", "null"), ("true", "null"),
  ])
  func `an invalid request is answered with its id if that is usable`(line: String, id: String) {
    let conversation = Conversation()
    _ = conversation.answers(to: request("ping", id: "0"))
    #expect(conversation.answer(to: line)?.hasPrefix(#"{"id":\#(id),"error":{"code":-32600,"#) == true)
    #expect(conversation.calls == ["ping"])
    #expect(conversation.answer(to: request("ping", id: "1")) == #"{"id":1,"result":{}}"#)
  }

  @Test(arguments: ["ping", "echo", "fail", "later", "now", "nothing", "$/cancelRequest", "$/unknown"])
  func `a notification is never answered`(method: String) {
    let conversation = Conversation()
    let line = #"{"jsonrpc":"2.0","method":"\#(method)"}"#
    #expect(conversation.answers(to: line) == [])
    #expect(conversation.calls == (method == "$/cancelRequest" ? [] : [method]))
    #expect(conversation.replies.isEmpty)
  }

  @Test(arguments: [#""params":[1]"#, #""params":1"#, #""params":"a""#])
  func `a notification with unusable params is ignored`(params: String) {
    let conversation = Conversation()
    #expect(conversation.answers(to: #"{"jsonrpc":"2.0","method":"ping",\#(params)}"#) == [])
    #expect(conversation.answers(to: #"{"method":"ping"}"#) == [])
    #expect(conversation.calls == [])
  }

  @Test func `of duplicate fields the last counts, and unknown fields are ignored`() {
    let line = #"{"x":{"id":3},"id":1,"method":"fail","jsonrpc":"1","method":"ping","jsonrpc":"2.0","id":2,"Id":4}"#
    #expect(Conversation().answer(to: line) == #"{"id":2,"result":{}}"#)
  }

  @Test func `names and the version may be spelled with escapes`() {
    let line = #"{"\u006asonrpc":"2\u002e0","i\u0064":1,"m\u0065thod":"\u0070ing"}"#
    #expect(Conversation().answer(to: line) == #"{"id":1,"result":{}}"#)
  }

  @Test func `an error contains its code, message and data`() {
    let data = #"{"param":"a","expected":"b"}"#
    #expect(
      Conversation().answer(to: request("fail", id: "1"))
        == #"{"id":1,"error":{"code":-32602,"message":"no","data":\#(data)}}"#)
  }

  @Test func `the error codes are the protocol's`() {
    let codes: [RPCError.Code] = [
      .parseError, .invalidRequest, .methodNotFound, .invalidParams, .internalError, .requestCancelled, .limitPassed,
    ]
    #expect(codes.map(\.rawValue) == [-32700, -32600, -32601, -32602, -32603, -32800, -32005])
  }

  @Test func `messages that a call sends come before its answer`() {
    let answers = Conversation().answers(to: request("say", id: "1"))
    #expect(answers == [#"{"method":"said","params":{"params":null}}"#, #"{"id":1,"result":{}}"#])
  }

  @Test func `the log has each received and sent message`() {
    let conversation = Conversation()
    var log: [String] = []
    conversation.peer.log = { log.append($0) }
    _ = conversation.says(to: request("ping", id: "1") + "\n" + request("say", id: "2") + "\n")
    #expect(
      log == [
        "--> \(request("ping", id: "1"))\n", "<-- \(empty(id: "1"))\n", "--> \(request("say", id: "2"))\n",
        "<-- {\"jsonrpc\":\"2.0\",\"method\":\"said\",\"params\":{\"params\":null}}\n", "<-- \(empty(id: "2"))\n",
      ])
  }
}
