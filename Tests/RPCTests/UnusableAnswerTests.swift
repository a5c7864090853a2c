import Randomness
import Testing
import WireJSON

@testable import RPC

/// Responses that can't be read fail the request that they answer.
struct UnusableAnswerTests {
  private static let deep = String(repeating: "[", count: 600) + String(repeating: "]", count: 600)
  private static let large = String(repeating: "x", count: 3000)

  private func conversation(depth: Int = 512) -> Conversation {
    var limits = Peer.Limits()
    (limits.messageSize, limits.nesting) = (2000, depth)
    let conversation = Conversation(limits: limits)
    conversation.ask()
    _ = conversation.drain()
    return conversation
  }

  @Test(arguments: [
    #"{"jsonrpc":"2.0","id":1,"result":{"a":\#(deep)}}"#, #"{"id":1,"error":\#(deep)}"#,
    #"{"result":\#(deep),"jsonrpc":"2.0","id":1}"#, #" { "id" : 1 , "result" : \#(deep) }"#,
    #"{"jsonrpc":"2.0","id":1,"result":nan}"#, #"{"jsonrpc":"2.0","id":1,"result":{"a":"\x"}}"#,
    #"{"jsonrpc":"2.0","id":1,"result":{"a":1}"#, #"{"jsonrpc":"2.0","id":1}"#, #"{"id":1,"results":{}}"#,
    #"{"id":1,"result":"\#(large)"}"#, #"{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"\#(large)"}}"#,
    #"{"x":{"id":7,"method":1},"y":"\"method\":","id":1,"result":"\#(large)"}"#,
  ]) func `its request fails, and the other side receives an error`(answer: String) {
    let conversation = conversation()
    let answers = conversation.answers(to: answer)
    #expect(answers.count == 2)
    #expect(answers.first?.contains(#""error":{"code":-32"#) == true)
    #expect(answers.last?.hasPrefix(#"{"method":"refused","params":{"error":{"code":-32"#) == true)
    #expect(conversation.answers(to: #"{"jsonrpc":"2.0","id":1,"result":{}}"#) == [])
  }

  @Test(arguments: [
    #"{"jsonrpc":"2.0","id":2,"result":\#(deep)}"#, #"{"jsonrpc":"2.0","id":"1","result":\#(deep)}"#,
    #"{"jsonrpc":"2.0","id":1,"method":"m","params":\#(deep)}"#, #"{"method":"m","id":1,"params":\#(deep)}"#,
    #"{"jsonrpc":"2.0","id":1,"method":7}"#, #"[{"jsonrpc":"2.0","id":1,"result":\#(deep)}]"#,
    #"{"jsonrpc":"2.0","result":{"id":1},"x":\#(deep)}"#, #"{"jsonrpc":"2.0","id":1.5,"result":\#(deep)}"#,
    #"{"jsonrpc":"2.0","id":1,"params":"\#(large)"}"#, #"{"jsonrpc":"2.0","result":"\#(large)","id":1}"#,
    #"{"jsonrpc":"2.0","id":1"#, #"{"jsonrpc":"2.0","x":"id":1"#, "nonsense", "\"id\":1,",
  ]) func `an ambiguous message fails no request`(message: String) {
    let conversation = conversation()
    _ = conversation.answers(to: #"{"jsonrpc":"2.0","method":"ping"}"#)
    #expect(conversation.answers(to: message).contains { $0.contains("refused") } == false)
    let answers = conversation.answers(to: #"{"jsonrpc":"2.0","id":1,"result":{}}"#)
    #expect(answers == [#"{"method":"told","params":{"result":{}}}"#])
  }

  @Test func `the result doesn't depend on how the input is cut`() {
    let answer = #"{"jsonrpc":"2.0","id":1,"result":"\#(Self.large)"}"#
    let inputs = [
      answer + "\n", "Content-Length: \(answer.utf8.count)\r\n\r\n" + answer, "Content-Length: x\r\n\r\n" + answer,
    ]
    for (number, input) in inputs.enumerated() {
      let whole = conversation().says(to: input)
      #expect(whole.contains("refused"))
      for seed in 0..<20 {
        var random = SplitMix64(seed: UInt64(20 * number + seed))
        let conversation = conversation()
        for piece in random.cut(Array(input.utf8), longest: 500) { conversation.receive(piece) }
        #expect(String(decoding: conversation.drain(), as: UTF8.self) == whole)
      }
    }
  }

  @Test func `a message that is too large by its header counts once`() {
    let conversation = conversation()
    let (large, broken) = (String(repeating: " ", count: 3000), "{]")
    let said = conversation.says(to: "Content-Length: 3000\r\n\r\n\(large)Content-Length: 2\r\n\r\n\(broken)")
    #expect(said.contains(#""max":2000,"message":1}"#))
    #expect(said.contains(#""offset":1,"message":2}"#))
  }

  @Test func `a message that begins too large and ends immediately is reported`() {
    let conversation = conversation()
    conversation.receive("Content-Length: 3000\r\n\r\n{\"id\":1,\"result\":".utf8)
    conversation.end()
    let said = String(decoding: conversation.drain(), as: UTF8.self)
    #expect(said.contains("-32005") && said.contains("refused"))
  }
}
