@testable import RPC
import Testing
import WireJSON

struct FramingDetectionTests {
  @Test(arguments: [
    request("ping", id: "1") + "\n",
    "\n\r\n \t" + request("ping", id: "1") + "\n",
    "\u{FEFF}" + request("ping", id: "1") + "\n",
    " \n\u{FEFF}\n" + request("ping", id: "1") + "\r\n",
  ])
  func `a brace first means lines, also after a byte order mark and white space`(input: String) {
    let conversation = Conversation()
    #expect(conversation.says(to: input) == empty(id: "1") + "\n")
    #expect(conversation.peer.framing == .lines)
  }

  @Test func `a bracket first means lines`() {
    let conversation = Conversation()
    #expect(conversation.says(to: "[\(request("ping", id: "1"))]\n") == "[\(empty(id: "1"))]\n")
    #expect(conversation.peer.framing == .lines)
  }

  @Test(arguments: ["", "\u{FEFF}", "\r\n\r\n", " \u{FEFF} "])
  func `anything else means headers`(prefix: String) {
    let conversation = Conversation()
    #expect(conversation.says(to: prefix + framed(request("ping", id: "1"))) == framed(empty(id: "1")))
    #expect(conversation.peer.framing == .headers)
  }

  @Test func `the framing is chosen once`() {
    let lines = Conversation()
    _ = lines.says(to: request("ping", id: "1") + "\n")
    #expect(lines.answers(to: "Content-Length: 2").first?.contains("-32700") == true)
    #expect(lines.peer.framing == .lines)
    let headers = Conversation()
    _ = headers.says(to: framed(request("ping", id: "1")))
    #expect(headers.says(to: request("ping", id: "2") + "\n") == framed(empty(id: "2")))
    #expect(headers.peer.framing == .headers)
  }

  @Test(arguments: ["", " \n\t\r\n", "\u{FEFF}", "\u{FEFF}\n"])
  func `white space alone has no output`(input: String) {
    let conversation = Conversation()
    #expect(conversation.says(to: input) == "")
    conversation.end()
    #expect(conversation.drain() == [])
    #expect(conversation.peer.framing == nil)
  }

  @Test func `an end within a byte order mark counts as an end within a header`() {
    let conversation = Conversation()
    conversation.receive([0xEF, 0xBB])
    #expect(conversation.peer.framing == nil)
    conversation.end()
    #expect(String(decoding: conversation.drain(), as: UTF8.self).contains("-32700"))
  }

  @Test func `outputs before any input are dropped, messages are sent by lines`() {
    let conversation = Conversation()
    let output = Output("count")
    conversation.peer.outbox.post(output)
    #expect(conversation.peer.backlog.isEmpty)
    conversation.peer.notify("hello") { $0.literal("{}") }
    #expect(conversation.drain() == Array((#"{"jsonrpc":"2.0","method":"hello","params":{}}"# + "\n").utf8))
  }
}
