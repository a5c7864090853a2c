@testable import RPC
import Testing
import WireJSON

struct OutputOrderTests {
  /// Makes a conversation whose other side reads nothing, so that further output waits.
  private func backedUp() -> Conversation {
    let conversation = Conversation()
    _ = conversation.answers(to: "")
    conversation.peer.receive(Array("[1]\n".utf8).span)
    while conversation.peer.handleNext() {}
    conversation.peer.notify("fill") { $0.string(String(repeating: "x", count: 70_000)) }
    return conversation
  }

  private func lines(of conversation: Conversation) -> [String] {
    String(decoding: conversation.drain(), as: UTF8.self).split(separator: "\n").filter { !$0.contains("xxx") }
      .dropFirst().map { String($0).replacing(#"{"jsonrpc":"2.0","method":"#, with: "") }
  }

  @Test func `while the other side reads, everything is sent in order and immediately`() {
    let conversation = Conversation()
    _ = conversation.answers(to: "")
    conversation.receive("[".utf8)
    let output = Output("a")
    for value in 1...3 {
      output.value = value
      conversation.peer.outbox.post(output)
      conversation.peer.notify("n\(value)") { $0.literal("{}") }
    }
    let text = String(decoding: conversation.drain(), as: UTF8.self).replacing(#"{"jsonrpc":"2.0","method":"#, with: "")
    #expect(text == (1...3).map { "[\"a\",\($0)]\n\"n\($0)\",\"params\":{}}\n" }.joined())
    #expect(output.encodings == 3)
  }

  @Test func `touched outputs are sent at the end of the step, in the outputs' order`() {
    let conversation = Conversation()
    _ = conversation.answers(to: "")
    conversation.receive("[".utf8)
    let (first, second, last) = (Output("a"), Output("b"), Output("c"))
    (first.order, second.order, last.order) = (1, 2, 3)
    // An output that is touched while another one ends its step still belongs to this step.
    first.atStepEnd = { if second.encodings == 0 { conversation.peer.outbox.touch(second) } }
    conversation.peer.step {
      conversation.peer.outbox.touch(last)
      conversation.peer.outbox.touch(first)
      first.value = 7
      conversation.peer.notify("n") { $0.literal("{}") }
    }
    let text = String(decoding: conversation.drain(), as: UTF8.self)
    #expect(text == "{\"jsonrpc\":\"2.0\",\"method\":\"n\",\"params\":{}}\n[\"a\",7]\n[\"c\",0]\n[\"b\",0]\n")
    conversation.peer.step {}
    #expect(conversation.drain().isEmpty)
  }

  @Test func `while nothing is read, an output sends its newest value in its newest position`() {
    let conversation = backedUp()
    let (first, second) = (Output("a"), Output("b"))
    first.value = 1
    conversation.peer.outbox.post(first)
    conversation.peer.notify("n") { $0.literal("{}") }
    conversation.peer.outbox.post(second)
    first.value = 2
    conversation.peer.outbox.post(first)
    second.value = 7
    #expect(first.encodings == 0)
    #expect(lines(of: conversation) == [#""n","params":{}}"#, #"["b",7]"#, #"["a",2]"#])
    #expect(first.encodings == 1)
  }

  @Test func `messages that must not be lost all arrive, in order`() {
    let conversation = backedUp()
    let output = Output("a")
    for number in 0..<5000 {
      conversation.peer.notify("\(number)") { $0.literal("{}") }
      conversation.peer.outbox.post(output)
    }
    #expect(lines(of: conversation) == (0..<5000).map { "\"\($0)\",\"params\":{}}" } + [#"["a",0]"#])
  }

  @Test func `an output without content at its turn sends nothing`() {
    let conversation = backedUp()
    let (silent, loud) = (Output("silent"), Output("loud"))
    for output in [silent, loud] { conversation.peer.outbox.post(output) }
    silent.isSent = false
    #expect(lines(of: conversation) == [#"["loud",0]"#])
    #expect(conversation.peer.backlog.isEmpty)
  }

  @Test func `a forgotten output isn't kept until its turn`() {
    let conversation = backedUp()
    weak var forgotten: Output?
    do {
      let output = Output("a")
      forgotten = output
      for _ in 0..<2 { conversation.peer.outbox.post(output) }
      conversation.peer.outbox.forget(output)
    }
    #expect(forgotten == nil)
    conversation.peer.outbox.post(Output("b"))
    #expect(lines(of: conversation) == [#"["b",0]"#])
  }

  @Test func `only messages that must not be lost count as waiting`() {
    let conversation = backedUp()
    let before = conversation.peer.waitingBytes
    #expect(before >= 70_000)
    let output = Output("a")
    conversation.peer.outbox.post(output)
    #expect(conversation.peer.waitingBytes == before)
    conversation.peer.notify("n") { $0.literal("{}") }
    #expect(
      conversation.peer.waitingBytes == before + #"{"jsonrpc":"2.0","method":"n","params":{}}"#.utf8.count + 1)
    _ = conversation.drain()
    #expect(conversation.peer.waitingBytes == 0)
    #expect(conversation.peer.backlog.readyBytes == 0)
  }

  @Test func `a large output doesn't count as waiting once it is ready`() {
    let conversation = Conversation()
    _ = conversation.answers(to: "")
    conversation.receive("[".utf8)
    conversation.peer.notify("n") { $0.literal("{}") }
    let waiting = conversation.peer.waitingBytes
    conversation.peer.outbox.post(LargeOutput(size: 5 << 20))
    #expect(conversation.peer.backlog.readyBytes > 5 << 20)
    #expect(conversation.peer.waitingBytes == waiting)
    #expect(conversation.drain().count > 5 << 20)
  }

  @Test func `replies are counted however many outputs precede them without a pause`() {
    let conversation = Conversation()
    _ = conversation.answers(to: "")
    conversation.receive("[".utf8)
    let output = Output("a")
    for value in 0..<10_000 {
      output.value = value
      conversation.peer.outbox.post(output)
      // One byte of each write is left, so that the output is never empty.
      var taken: [UInt8] = []
      conversation.peer.write { taken.take($0, atMost: $0.count - 1) }
    }
    let reply = [UInt8](repeating: UInt8(ascii: "x"), count: 50_000)
    conversation.peer.notify("n") { $0.string(String(decoding: reply, as: UTF8.self)) }
    #expect((50_000..<50_100).contains(conversation.peer.waitingBytes))
  }

  @Test func `outputs and the transport may call the peer`() {
    let conversation = backedUp()
    let output = Output("a")
    output.beforeWriting = { conversation.peer.notify("while encoding") { $0.literal("{}") } }
    conversation.peer.outbox.post(output)
    conversation.peer.notify("outer") { writer in
      conversation.peer.notify("inner") { $0.literal("{}") }
      writer.literal("{}")
    }
    var text: [UInt8] = []
    while !conversation.peer.backlog.isEmpty {
      conversation.peer.write { bytes in
        if text.isEmpty { conversation.peer.notify("while writing") { $0.literal("{}") } }
        #expect(conversation.peer.backlog.readyBytes == bytes.count)
        return text.take(bytes)
      }
    }
    let order = ["while encoding", "[\"a\",0]", "inner", "outer", "while writing"]
    let places = order.map { name in String(decoding: text, as: UTF8.self).firstRange(of: name)?.lowerBound }
    #expect(!places.contains(nil))
    // A message sent while an output is encoded comes after the output.
    #expect(places.compactMap { $0 }.sorted() == [1, 2, 3, 4, 0].compactMap { places[$0] })
  }

  @Test func `a transport that throws has written nothing`() {
    struct Failure: Error {}
    let conversation = Conversation()
    conversation.receive((request("ping", id: "1") + "\n").utf8)
    #expect(throws: Failure.self) { try conversation.peer.write { (_) throws(Failure) in throw Failure() } }
    #expect(conversation.drain() == Array((empty(id: "1") + "\n").utf8))
  }
}
