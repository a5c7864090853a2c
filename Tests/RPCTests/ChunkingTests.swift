import RPC
import Randomness
import Testing

struct ChunkingTests {
  /// Returns the output of a conversation whose input arrives in these pieces.
  private func output(of pieces: some Sequence<ArraySlice<UInt8>>, limits: Peer.Limits = limits) -> String {
    let conversation = Conversation(limits: limits)
    for piece in pieces { conversation.receive(piece) }
    conversation.end()
    return String(decoding: conversation.drain(), as: UTF8.self)
  }

  private static var limits: Peer.Limits {
    var limits = Peer.Limits()
    limits.messageSize = 200
    limits.nesting = 8
    return limits
  }

  private static let lines = [
    "\u{FEFF}", request("ping", id: "1") + "\r\n", "\n",
    #"{"jsonrpc":"2.0","id":"ü","method":"echo","params":{"a":"\u00fc"}}"# + "\n",
    "broken\n", "[\(request("ping", id: "2")),1]\n", String(repeating: "x", count: 300) + "\n",
    request("ask", id: "3") + "\n",
    #"{"jsonrpc":"2.0","id":1,"result":{}}"# + "\n", request("later", id: "4"),
  ].joined()

  private static let headers = [
    "\r\n", framed(request("ping", id: "1")), "Content-Length: x\r\n\r\n", framed(request("ping", id: "2")), "\n",
    framed(#"{"jsonrpc":"2.0","id":"ü","method":"echo","params":{"a":"\u00fc"}}"#),
    "Oh!\r\n{\"a\": \(request("ping", id: "3"))} \n",
    framed(String(repeating: " ", count: 300)), "content-length: 2\n\n{}", "bad\n{bad\n",
    framed(request("say", id: "4")), " \n\(request("ping", id: "5"))\r\n\(request("ping", id: "6"))",
    "Content-Length: 5\n\(request("ping", id: "7"))\n{\"jsonrpc\":\n{}\n",
    "Content-Length: 100\r\n\r\n{",
  ].joined()

  @Test(arguments: [lines, headers])
  func `an input cut in two at any position has the same output`(input: String) {
    let bytes = Array(input.utf8)
    let whole = output(of: [bytes[...]])
    #expect(whole.split(separator: "jsonrpc").count > 5)
    for place in bytes.indices {
      let cut = output(of: [bytes[..<place], bytes[place...]])
      #expect(cut == whole, "cut at \(place)")
    }
  }

  @Test(arguments: ["oh!\n{\"a\":1}\rh", "oh!\n{\"a\":1}\(String(repeating: " ", count: 200))h: 1"])
  func `space after a message without its header isn't part of it, wherever the cut is`(input: String) {
    let bytes = Array(input.utf8)
    for place in bytes.indices {
      #expect(output(of: [bytes[..<place], bytes[place...]]) == output(of: [bytes[...]]), "cut at \(place)")
    }
  }

  @Test(arguments: [lines, headers])
  func `an input that arrives byte by byte has the same output`(input: String) {
    let bytes = Array(input.utf8)
    #expect(output(of: bytes.indices.map { bytes[$0...$0] }) == output(of: [bytes[...]]))
  }

  @Test func `a random input cut at random positions has the same output`() {
    var random = SplitMix64(seed: 1)
    for round in 0..<1000 {
      let messages = Messages.make(Int.random(in: 1...12, using: &random), with: &random)
      let inputs = [messages.lines(with: &random), messages.headers(with: &random)]
      for input in inputs {
        let whole = output(of: [input[...]])
        for longest in [3, 40, 400] {
          #expect(output(of: random.cut(input, longest: longest)) == whole, "round \(round)")
        }
      }
    }
  }

  @Test func `the same valid messages have the same answers in both framings`() {
    var random = SplitMix64(seed: 2)
    for round in 0..<300 {
      let messages = Messages.make(Int.random(in: 1...12, using: &random), broken: 0, with: &random)
      let lines = output(of: [Array(messages.texts.joined(separator: "\n").utf8)[...]])
      let framedInput = messages.texts.map(framed).joined()
      let headers = output(of: [Array(framedInput.utf8)[...]])
      #expect(lines.split(separator: "\n").map { framed(String($0)) }.joined() == headers, "round \(round)")
    }
  }
}
