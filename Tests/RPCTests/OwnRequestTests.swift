import Paging
@testable import RPC
import Testing
import WireJSON

struct OwnRequestTests {
  @Test func `ids are integers from 1`() {
    let conversation = Conversation()
    _ = conversation.answers(to: "")
    for _ in 0..<3 { conversation.ask() }
    #expect(conversation.asked == [1, 2, 3])
    #expect(
      conversation.answers(to: "") == (1...3).map { #"{"id":\#($0),"method":"question","params":{}}"# })
  }

  @Test(arguments: ["{}", "null", #""a""#, #"{ "a" : [1.50] }"#])
  func `a result is passed on unchanged`(result: String) {
    let conversation = Conversation()
    conversation.ask()
    _ = conversation.drain()
    let line = #"{"jsonrpc":"2.0","id":1,"result":\#(result)}"#
    #expect(conversation.answers(to: line) == [#"{"method":"told","params":{"result":\#(result)}}"#])
    #expect(conversation.answers(to: line) == [])
  }

  @Test(arguments: [
    (#"{"code":-32001,"message":"m","data":{"a":1}}"#, #"{"code":-32001,"message":"m","data":{"a":1}}"#),
    (#"{"code":5}"#, #"{"code":5,"message":"an error without a message"}"#),
    (#"{"code":1.5,"message":7}"#, #"{"code":-32603,"message":"an error without a message"}"#),
    (#""no""#, #"{"code":-32603,"message":"an error without a message"}"#),
    ("null", #"{"code":-32603,"message":"an error without a message"}"#),
  ])
  func `an error is read as far as it is valid`(error: String, expected: String) {
    let conversation = Conversation()
    conversation.ask()
    _ = conversation.drain()
    let answers = conversation.answers(to: #"{"jsonrpc":"2.0","id":1,"error":\#(error)}"#)
    #expect(answers == [#"{"method":"refused","params":{"error":\#(expected)}}"#])
  }

  @Test func `a null error next to a result doesn't count, any other does`() {
    let conversation = Conversation()
    conversation.ask()
    conversation.ask()
    _ = conversation.drain()
    #expect(
      conversation.answers(to: #"{"jsonrpc":"2.0","id":1,"result":{},"error":null}"#)
        == [#"{"method":"told","params":{"result":{}}}"#])
    #expect(
      conversation.answers(to: #"{"jsonrpc":"2.0","id":2,"result":null,"error":{"code":1,"message":"m"}}"#)
        == [#"{"method":"refused","params":{"error":{"code":1,"message":"m"}}}"#])
  }

  @Test(arguments: ["2", "0", "-1", "1.5", "\"1\"", "null", "{}", "1e99"])
  func `an answer without a request is ignored`(id: String) {
    let conversation = Conversation()
    conversation.ask()
    _ = conversation.drain()
    #expect(conversation.answers(to: #"{"jsonrpc":"2.0","id":\#(id),"result":{}}"#) == [])
    #expect(conversation.answers(to: #"{"jsonrpc":"2.0","id":\#(id),"error":{"code":1,"message":""}}"#) == [])
    #expect(conversation.answers(to: #"{"jsonrpc":"2.0","result":{}}"#) == [])
    #expect(conversation.answers(to: #"{"jsonrpc":"2.0","id":1.0,"result":{}}"#).count == 1)
  }

  @Test func `cancelling sends a message once, and a late answer is ignored`() {
    let conversation = Conversation()
    conversation.ask()
    _ = conversation.drain()
    conversation.peer.cancel(1)
    conversation.peer.cancel(1)
    conversation.peer.cancel(2)
    #expect(conversation.answers(to: "") == [#"{"method":"$/cancelRequest","params":{"id":1}}"#])
    #expect(conversation.answers(to: #"{"jsonrpc":"2.0","id":1,"result":{}}"#) == [])
  }

  @Test func `cancelling an answered request sends nothing`() {
    let conversation = Conversation()
    conversation.ask()
    _ = conversation.answers(to: #"{"jsonrpc":"2.0","id":1,"result":{}}"#)
    conversation.peer.cancel(1)
    #expect(conversation.drain() == [])
  }

  @Test func `both sides may use the same id`() {
    let conversation = Conversation()
    _ = conversation.answers(to: request("ask", id: "1"))
    _ = conversation.answers(to: request("later", id: "1"))
    #expect(
      conversation.answers(to: #"{"jsonrpc":"2.0","id":1,"result":1}"#) == [#"{"method":"told","params":{"result":1}}"#]
    )
    conversation.replies[0].succeed { $0.literal("{}") }
    #expect(conversation.answers(to: "") == [#"{"id":1,"result":{}}"#])
  }

  @Test func `a completion may send requests, cancel and notify, and then its step ends`() {
    let peer = Peer { _ in .empty }
    var steps: [String] = []
    let output = Output("a")
    output.atStepEnd = { steps.append("end") }
    func ask(_ rest: Int) {
      let id = peer.request("q") {
        $0.literal("{}")
      } completion: { _ in
        steps.append("answer \(rest)")
        peer.outbox.touch(output)
        if rest > 0 { ask(rest - 1) }
      }
      if rest == 1 { peer.cancel(id) }
    }
    ask(3)
    for id in 1...3 {
      peer.receive(Array((#"{"jsonrpc":"2.0","id":\#(id),"result":{}}"# + "\n").utf8).span)
      while peer.handleNext() {}
    }
    #expect(steps == ["answer 3", "end", "answer 2", "end"])
    var written: [UInt8] = []
    peer.write { written.take($0) }
    #expect(written.count { $0 == UInt8(ascii: "\n") } == 6)
  }

  @Test func `when the other side stops answering, requests are cancelled, oldest first, and fail`() {
    let peer = Peer { _ in .empty }
    var steps: [String] = []
    func ask(_ name: String, _ next: @escaping () -> Void = {}) -> Int {
      peer.request(name) {
        $0.literal("{}")
      } completion: { answer in
        if case .failure(let error) = answer { steps.append("\(name) \(error.code)") }
        next()
      }
    }
    let dropped = ask("dropped")
    _ = ask("a") {
      peer.cancel(dropped)
      _ = ask("at once")
    }
    _ = ask("b")
    peer.endRequests()
    peer.endRequests()
    #expect(steps == ["dropped -32800", "a -32800", "at once -32800", "b -32800"])
    var output: [UInt8] = []
    peer.write { output.take($0) }
    let methods = String(decoding: output, as: UTF8.self).split(separator: "\n").map { line in
      line.contains("cancelRequest") ? "cancel" : "ask"
    }
    #expect(methods == ["ask", "ask", "ask", "cancel", "cancel", "cancel"])
  }

  @Test func `a kept result doesn't keep the rest of the input`() {
    let peer = Peer { _ in .empty }
    var kept: RawJSON?
    _ = peer.request("q") {
      $0.literal("{}")
    } completion: {
      kept = try? $0.get()
    }
    let noise = String(repeating: request("ping", id: "1") + "\n", count: 1000)
    peer.receive(Array((noise + #"{"jsonrpc":"2.0","id":1,"result":{"a":1}}"# + "\n").utf8).span)
    while peer.handleNext() {}
    #expect(kept?.text == #"{"a":1}"#)
    #expect(kept.map { $0.storage.count < 100 } == true)
  }

  @Test func `a page request has all of its parameters`() throws {
    var (full, least) = (JSONWriter(), JSONWriter())
    let jump = PageRequest(key: try RawJSON("{\"at\":1.0}"), query: "\"x\"", size: 20)
    SourcePageParams(source: "mail", jump).write(to: &full)
    #expect(full.text == #"{"source":"mail","key":{"at":1.0},"query":"\"x\"","size":20}"#)
    var filtered = JSONWriter()
    let filters = Filters([(name: "label", value: try RawJSON(#"["a",1.0]"#)), (name: "none", value: .null)])
    SourcePageParams(source: "mail", PageRequest(query: "", filters: filters, size: 1)).write(to: &filtered)
    #expect(filtered.text == #"{"source":"mail","key":null,"query":null,"filters":{"label":["a",1.0]},"size":1}"#)
    SourcePageParams(source: "m", PageRequest(size: 5)).write(to: &least)
    #expect(least.text == #"{"source":"m","key":null,"query":null,"size":5}"#)
  }
}
