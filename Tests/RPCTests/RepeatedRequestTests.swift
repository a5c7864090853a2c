import RPC
import Testing
import WireJSON

/// A request that repeats the last one isn't parsed again. The output must be the same nevertheless.
struct RepeatedRequestTests {
  private static let requests: [@Sendable (String) -> String] = [
    { request("ping", id: $0) },
    { request("fail", id: $0) },
    { request("none", id: $0) },
    { request("$/cancelRequest", id: $0) },
    { #"{"jsonrpc":"2.0","id":\#($0),"method":"echo","params":{"a":[1,"}"]}}"# },
    { #"{"jsonrpc":"2.0","method":"echo","params":{"id":1},"id":\#($0)}"# },
    { #" { "params" : {"b":2} , "id" : \#($0) , "method" : "ec\u0068o" , "jsonrpc" : "2.0" } "# + "\r" },
    { #"{"jsonrpc":"2.0","id":1,"id":\#($0),"method":"ping"}"# },
    { #"{"jsonrpc":"2.0","id":\#($0),"id":1,"method":"ping"}"# },
    { #"{"jsonrpc":"1.0","id":\#($0),"method":"ping"}"# },
    { #"{"jsonrpc":"2.0","id":\#($0),"method":"ping","params":[1]}"# },
    { #"[{"jsonrpc":"2.0","id":\#($0),"method":"ping"}]"# },
    { #"{"jsonrpc":"2.0","id":\#($0),"method":"echo","params":{"a":"\#(String(repeating: "x", count: 300))"}}"# },
    { $0 },
  ]

  private static let ids = [
    "0", "1", "42", "123456789012345678", "1234567890123456789", "00", "01", "-1", "-0", "1.5", "1e3", "1 ", "", "x",
    "1,",
    #""a""#, #""1""#, "null", "true", "{}", "[1]", "1}", "9/", "1:",
  ]

  @Test(arguments: requests.indices)
  func `a request after another is answered as if it came first`(index: Int) {
    let request = RepeatedRequestTests.requests[index]
    for first in RepeatedRequestTests.ids {
      for second in RepeatedRequestTests.ids {
        let (experienced, fresh) = (Conversation(), Conversation())
        for conversation in [experienced, fresh] { _ = conversation.says(to: "{}\n") }
        _ = experienced.says(to: request(first) + "\n")
        // The other peer has read as many messages, because messages are numbered. A blank line doesn't count.
        if !request(first).isEmpty { _ = fresh.says(to: "{}\n") }
        #expect(experienced.says(to: request(second) + "\n") == fresh.says(to: request(second) + "\n"))
      }
    }
  }

  @Test func `each of many requests is answered as if it came alone`() {
    let conversation = Conversation()
    _ = conversation.says(to: "{}\n")
    var count = 1
    for round in 0..<3 {
      for request in RepeatedRequestTests.requests {
        for id in RepeatedRequestTests.ids where id.count > round {
          let fresh = Conversation()
          // The other peer has read as many messages, because messages are numbered.
          _ = fresh.says(to: String(repeating: "{}\n", count: count))
          if !request(id).isEmpty { count += 1 }
          #expect(conversation.says(to: request(id) + "\n") == fresh.says(to: request(id) + "\n"))
        }
      }
    }
  }

  @Test func `a bare number isn't a repetition of an empty cache`() {
    #expect(Conversation().says(to: framed("7")) == framed(#"{"jsonrpc":"2.0","id":null,"error":\#(notAnObject)}"#))
  }

  private let notAnObject = #"{"code":-32600,"message":"a message must be an object","data":{"message":1}}"#

  @Test func `kept params don't change while more input arrives`() {
    var kept: [RawJSON] = []
    let peer = Peer { call throws(RPCError) in
      if let params = call.params { kept.append(params) }
      return .empty
    }
    for number in 0..<100 {
      peer.receive(Array(#"{"jsonrpc":"2.0","id":1,"method":"keep","params":{"n":\#(number)}}"#.utf8 + [0x0A]).span)
      while peer.handleNext() {}
    }
    #expect(kept.map(\.text) == (0..<100).map { #"{"n":\#($0)}"# })
  }
}
