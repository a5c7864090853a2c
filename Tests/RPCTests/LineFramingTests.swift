import RPC
import Testing
import WireJSON

struct LineFramingTests {
  @Test func `one message per line, with blank lines and CRLF accepted and LF sent`() {
    let input = request("ping", id: "1") + "\r\n\n  \r\n" + request("ping", id: "2") + "\n\t\n"
    #expect(Conversation().says(to: input) == empty(id: "1") + "\n" + empty(id: "2") + "\n")
  }

  @Test func `a line without an end waits, and becomes a message when the input ends`() {
    let conversation = Conversation()
    #expect(conversation.says(to: request("ping", id: "1")) == "")
    conversation.end()
    #expect(conversation.drain() == Array((empty(id: "1") + "\n").utf8))
  }

  @Test func `an end within a line is answered as invalid JSON`() {
    let conversation = Conversation()
    #expect(conversation.says(to: #"{"jsonrpc":"#) == "")
    conversation.end()
    let error =
      #"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"unexpected end of text","data":{"offset":11,"message":1}}}"#
    #expect(String(decoding: conversation.drain(), as: UTF8.self) == error + "\n")
  }

  @Test(arguments: [
    ("nonsense", 0), (#"{"a":1"#, 6), (#"{"a":1}x"#, 7), (#"{"a":01}"#, 6), ("[1,]", 3), ("\u{FEFF}{}", 0),
  ])
  func `a line that isn't JSON is answered with the position, and the next one works`(line: String, offset: Int) {
    let conversation = Conversation()
    #expect(conversation.answer(to: request("ping", id: "0")) == #"{"id":0,"result":{}}"#)
    let answer = conversation.answer(to: line)
    #expect(answer?.hasPrefix(#"{"id":null,"error":{"code":-32700,"#) == true)
    #expect(answer?.hasSuffix(#""data":{"offset":\#(offset),"message":2}}}"#) == true)
    #expect(conversation.answer(to: request("ping", id: "1")) == #"{"id":1,"result":{}}"#)
  }

  @Test func `a line that isn't UTF-8 is answered, and the next one works`() {
    let conversation = Conversation()
    let (head, tail) = (Array(#"{"jsonrpc":"2.0","id":""#.utf8), Array("\",\"method\":\"ping\"}\n".utf8))
    conversation.receive(head + [0xFF] + tail)
    conversation.receive((request("ping", id: "1") + "\n").utf8)
    let lines = String(decoding: conversation.drain(), as: UTF8.self).split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines.first?.contains(#""code":-32700,"message":"not UTF-8","data":{"offset":23,"message":1}"#) == true)
    #expect(lines.last.map(String.init) == empty(id: "1"))
  }

  @Test func `line ends within a sent message become spaces`() {
    let conversation = Conversation()
    conversation.peer.notify("n") { $0.literal("{\n  \"a\" : [\r\n 1,\n\n2 ]\n}") }
    let expected = #"{"jsonrpc":"2.0","method":"n","params":{   "a" : [   1,  2 ] }}"#
    #expect(conversation.drain() == Array((expected + "\n").utf8))
  }

  @Test func `a message at the limit passes, one more byte is refused, and the next message works`() {
    var limits = Peer.Limits()
    limits.messageSize = 60
    let conversation = Conversation(limits: limits)
    let message = request("ping", id: "1")
    let fitting = message + String(repeating: " ", count: 60 - message.utf8.count)
    #expect(conversation.answer(to: fitting) == #"{"id":1,"result":{}}"#)
    #expect(conversation.answer(to: fitting + "\r") == #"{"id":1,"result":{}}"#)
    let refusal = #"""
      {"id":null,"error":{"code":-32005,"message":"a message may have 60 bytes at most","data":{"limit":"messageSize","max":60,"message":3}}}
      """#
    #expect(conversation.answer(to: fitting + " ") == refusal)
    #expect(conversation.answer(to: request("ping", id: "2")) == #"{"id":2,"result":{}}"#)
  }

  @Test func `a message over the limit is refused before its end, and isn't kept`() {
    var limits = Peer.Limits()
    limits.messageSize = 1000
    let conversation = Conversation(limits: limits)
    conversation.receive("{\"a\":\"".utf8)
    for _ in 0..<1000 { conversation.receive(repeatElement(UInt8(ascii: "x"), count: 1000)) }
    #expect(String(decoding: conversation.drain(), as: UTF8.self).split(separator: "\n").count == 1)
    #expect(conversation.answer(to: "\"}") == nil)
    #expect(conversation.answer(to: request("ping", id: "1")) == #"{"id":1,"result":{}}"#)
  }

  @Test func `an incomplete message over the limit is refused once`() {
    var limits = Peer.Limits()
    limits.messageSize = 10
    let conversation = Conversation(limits: limits)
    conversation.receive("{\"a\":\"too much".utf8)
    conversation.end()
    #expect(String(decoding: conversation.drain(), as: UTF8.self).split(separator: "\n").count == 1)
  }

  @Test func `nesting is limited`() {
    var limits = Peer.Limits()
    limits.nesting = 4
    let conversation = Conversation(limits: limits)
    let ok = #"{"jsonrpc":"2.0","id":1,"method":"echo","params":{"a":[[]]}}"#
    #expect(conversation.answer(to: ok) == #"{"id":1,"result":{"params":{"a":[[]]}}}"#)
    let deep = #"{"jsonrpc":"2.0","id":1,"method":"echo","params":{"a":[[[]]]}}"#
    let refusal =
      #"{"id":null,"error":{"code":-32700,"message":"nested deeper than 4","data":{"offset":56,"message":2}}}"#
    #expect(conversation.answer(to: deep) == refusal)
    #expect(conversation.answer(to: ok) == #"{"id":1,"result":{"params":{"a":[[]]}}}"#)
  }

  @Test func `a hundred thousand brackets are refused without a crash`() {
    let conversation = Conversation()
    let answer = conversation.answer(to: String(repeating: "[", count: 100_000))
    #expect(answer?.contains(#""code":-32700,"message":"nested deeper than 512""#) == true)
  }
}
