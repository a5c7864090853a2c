import RPC
import Testing

struct HeaderFramingTests {
  let ping = request("ping", id: "1")
  let pong = framed(empty(id: "1"))

  @Test func `messages follow each other without separators`() {
    let input = framed(ping) + framed(ping) + "\r\n\r\n" + framed(ping) + "\n \t\r\n" + framed(ping)
    #expect(Conversation().says(to: input) == pong + pong + pong + pong)
  }

  @Test(arguments: [
    "Content-Length: #\r\n\r\n", "content-length:#\n\n", "CONTENT-LENGTH: \t #  \r\n\r\n",
    "Content-Type: application/vscode-jsonrpc; charset=utf-8\r\nContent-Length: #\r\n\r\n",
    "Content-Length: #\nX-Other_Header-1:\n\n", "Content-Length: #\r\nContent-Length: #\r\n\r\n",
    "Content-Length: 000#\r\n\r\n",
  ])
  func `headers may be spelled in many ways`(header: String) {
    let input = header.replacing("#", with: "\(ping.utf8.count)") + ping
    #expect(Conversation().says(to: input + framed(ping)) == pong + pong)
  }

  @Test func `the length counts bytes`() {
    let message = #"{"jsonrpc":"2.0","id":"流れ","method":"ping"}"#
    #expect(Conversation().says(to: framed(message)) == framed(empty(id: #""流れ""#)))
  }

  @Test func `a message may contain line feeds, which are kept`() {
    let message = "{\"jsonrpc\":\"2.0\",\n\"id\":1,\n\"method\":\"echo\",\"params\":{\n}\n}"
    #expect(
      Conversation().says(to: framed(message)) == framed("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"params\":{\n}}}"))
  }

  @Test(arguments: [
    "Content-Length: # x\r\n\r\n", "Content-Length: -#\r\n\r\n", "Content-Length: +#\r\n\r\n",
    "Content-Length:\r\n\r\n",
    "Content-Length: 0x#\r\n\r\n", "Content-Length: #.0\r\n\r\n", "Content-Length: #\r\nContent-Length: 1#\r\n\r\n",
    "Content-Type: x\r\n\r\n", "Content-Length : #\r\n\r\n", ": #\r\n\r\n", "hello\r\n", "\u{0}\u{1}\n",
    "Content-Length: #\r\nhello\r\n\r\n", "Content-Length: #\r\n", "Content-Length: 5\n",
  ])
  func `after a broken header its message is found by its brace`(header: String) {
    let conversation = Conversation()
    let input = header.replacing("#", with: "\(ping.utf8.count)") + ping
    let output = conversation.says(to: input + framed(ping))
    #expect(output.hasPrefix("Content-Length: "))
    #expect(output.contains(#""id":null,"error":{"code":-32700,"#))
    #expect(output.hasSuffix(pong + pong))
    #expect(conversation.calls == ["ping", "ping"])
  }

  @Test(arguments: ["", "\n", "\r\n \t", "  "])
  func `a line that begins with a brace where a header is due is a message`(space: String) {
    let conversation = Conversation()
    let input = framed(ping) + space + ping + "\n" + space + ping + ping + framed(ping)
    #expect(conversation.says(to: input) == pong + pong + pong + pong + pong)
    conversation.end()
    #expect(conversation.drain() == [])
  }

  @Test func `a message without headers over the limit is refused, and the next one works`() {
    var limits = Peer.Limits()
    limits.messageSize = 60
    let conversation = Conversation(limits: limits)
    let large = String(ping.dropLast()) + String(repeating: " ", count: 100) + "}"
    let output = conversation.says(to: framed(ping) + large + "\n" + ping + "\n")
    #expect(output.split(separator: "-32005").count == 2)
    #expect(output.hasSuffix(pong))
  }

  @Test func `after a broken header lines are skipped up to the next header`() {
    let conversation = Conversation()
    let output = conversation.says(to: "oh!\nand more\n[1]\n\"a\": 1\n" + framed(ping))
    #expect(output.split(separator: "-32700").count == 2)
    #expect(output.hasSuffix(pong))
  }

  @Test func `a broken message after a broken header is skipped line by line`() {
    let conversation = Conversation()
    let output = conversation.says(to: "oh!\n{oh} \(ping)\n{\"a\":\n" + "!}\n" + framed(ping))
    #expect(output.split(separator: "-32700").count == 4)
    #expect(output.hasSuffix(pong))
    #expect(conversation.calls == ["ping"])
  }

  @Test func `the length of a header line is limited`() {
    let name = "X: "
    let fitting = name + String(repeating: "x", count: 8192 - name.utf8.count)
    let tail = "\r\nContent-Length: \(ping.utf8.count)\r\n\r\n" + ping
    #expect(Conversation().says(to: fitting + tail) == pong)
    let conversation = Conversation()
    let output = conversation.says(to: fitting + "x" + tail)
    #expect(output.contains("-32700"))
    #expect(output.hasSuffix(pong))
  }

  @Test func `a line without an end is skipped, and not kept`() {
    let conversation = Conversation()
    for _ in 0..<100 { conversation.receive(repeatElement(UInt8(ascii: "x"), count: 1000)) }
    let output = conversation.says(to: "{}\n" + framed(ping))
    #expect(output.split(separator: "-32700").count == 2)
    #expect(output.hasSuffix(pong))
  }

  @Test(arguments: ["61", "16777217", "9223372036854775807", "9223372036854775808", "123456789012345678901234567890"])
  func `a message over the limit is refused by its header`(length: String) {
    var limits = Peer.Limits()
    limits.messageSize = 60
    let conversation = Conversation(limits: limits)
    let output = conversation.says(to: "Content-Length: \(length)\r\n\r\n")
    #expect(output.contains(#""id":null,"error":{"code":-32005,"#))
    #expect(output.contains(#""data":{"limit":"messageSize","max":60,"message":1}"#))
    #expect(output.split(separator: "Content-Length").count == 1)
    conversation.end()
    #expect(conversation.drain() == [])
  }

  @Test func `a message over the limit is skipped, and the next one works`() {
    var limits = Peer.Limits()
    limits.messageSize = 60
    let conversation = Conversation(limits: limits)
    let large = framed(ping + String(repeating: " ", count: 1000))
    let output = conversation.says(to: large + framed(ping))
    #expect(output.contains("-32005"))
    #expect(output.hasSuffix(pong))
    #expect(conversation.calls == ["ping"])
    let fitting = framed(ping + String(repeating: " ", count: 60 - ping.utf8.count))
    #expect(conversation.says(to: fitting) == pong)
  }

  @Test func `after a broken header a message over the limit is refused, too`() {
    var limits = Peer.Limits()
    limits.messageSize = 60
    for spaces in [14, 15, 1000] {
      let conversation = Conversation(limits: limits)
      let message = String(ping.dropLast()) + String(repeating: " ", count: spaces) + "}"
      let output = conversation.says(to: "Content-Length: x\r\n\r\n" + message + "\n" + framed(ping))
      #expect(output.contains("-32005") == (message.utf8.count > 60))
      #expect(output.hasSuffix(pong))
    }
  }

  @Test(arguments: [(60, "-32700"), (61, "-32005")])
  func `after a broken header an incomplete message over the limit is refused`(size: Int, code: String) {
    var limits = Peer.Limits()
    limits.messageSize = 60
    let conversation = Conversation(limits: limits)
    _ = conversation.says(to: "Content-Length: x\r\n\r\n")
    conversation.receive((ping.dropLast() + String(repeating: " ", count: size - ping.utf8.count + 1)).utf8)
    conversation.end()
    let output = String(decoding: conversation.drain(), as: UTF8.self)
    #expect(output.contains(code))
    #expect(output.split(separator: "Content-Length").count == 1)
  }

  @Test(arguments: [
    ("Content-", 8), ("Content-Length: 10", 18), ("Content-Length: 10\r\n", 0), ("Content-Length: 10\r\n\r\n{", 1),
  ])
  func `an end within a message is answered once`(input: String, offset: Int) {
    let conversation = Conversation()
    #expect(conversation.says(to: input) == "")
    conversation.end()
    let output = String(decoding: conversation.drain(), as: UTF8.self)
    #expect(output.contains(#""code":-32700,"message":"the input ended within"#))
    #expect(output.contains(#""data":{"offset":\#(offset),"message":1}"#))
    #expect(output.split(separator: "Content-Length").count == 1)
  }

  @Test(arguments: ["", "\r\n", "\r\n  "])
  func `an end between messages has no output`(rest: String) {
    let conversation = Conversation()
    #expect(conversation.says(to: framed(ping) + rest) == pong)
    conversation.end()
    #expect(conversation.drain() == [])
  }

  @Test(arguments: [("", 0), ("abc", 0), ("{}", 0), ("{", 1), (#"{"jsonrpc":"2.0""#, 1)])
  func `an end after a broken header is answered once`(rest: String, errors: Int) {
    let conversation = Conversation()
    _ = conversation.says(to: "oh!\n" + rest)
    conversation.end()
    #expect(String(decoding: conversation.drain(), as: UTF8.self).split(separator: "Content-Length").count == errors)
    #expect(!conversation.peer.handleNext())
  }

  @Test func `an empty message is not JSON`() {
    #expect(
      Conversation().says(to: "Content-Length: 0\r\n\r\n" + framed(ping)).contains(#""data":{"offset":0,"message":1}"#))
  }
}
