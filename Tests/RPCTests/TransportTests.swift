import Randomness
import Testing
import WireJSON

@testable import RPC

struct TransportTests {
  /// Sends many messages, some of them huge, while a transport takes random amounts, and sometimes none.
  private func output(seed: UInt64, takes: (inout SplitMix64) -> Int) -> [UInt8] {
    let conversation = Conversation()
    conversation.receive("[]\n".utf8)
    var (random, transport) = (SplitMix64(seed: seed), SplitMix64(seed: seed + 1))
    var output: [UInt8] = []
    for number in 0..<200 {
      let size = random.happens(3) ? 200_000 : Int.random(in: 0...3000, using: &random)
      conversation.peer.notify("\(number)") { $0.string(String(repeating: "x", count: size)) }
      conversation.receive((request("say", id: "\(number)") + "\n").utf8)
      conversation.peer.write { output.take($0, atMost: takes(&transport)) }
    }
    while !conversation.peer.backlog.isEmpty {
      conversation.peer.write { output.take($0, atMost: max(1, takes(&transport))) }
    }
    return output
  }

  @Test(arguments: [1, 2, 3])
  func `the output is the same however much the transport takes`(seed: UInt64) {
    let all = output(seed: seed) { _ in .max }
    #expect(all.count > 200_000)
    #expect(output(seed: seed) { _ in 1000 } == all)
    #expect(output(seed: seed) { Int.random(in: 0...20_000, using: &$0) } == all)
    #expect(output(seed: seed) { $0.happens(90) ? 0 : 300_000 } == all)
  }

  @Test func `handling pauses when enough can be written, and ends when the input is used up`() {
    let peer = Peer { _ in .empty }
    let count = 1000
    peer.receive(Array((1...count).map { request("ping", id: "\($0)") + "\n" }.joined().utf8).span)
    var output: [UInt8] = []
    var pauses = 0
    while peer.handleAll(untilReady: 5000) {
      pauses += 1
      #expect((5000..<5100).contains(peer.backlog.readyBytes))
      peer.write { output.take($0) }
    }
    peer.write { output.take($0) }
    #expect(pauses == output.count / 5036 || pauses == output.count / 5000)
    #expect(output.count { $0 == UInt8(ascii: "\n") } == count)
    #expect(!peer.handleAll(untilReady: 1))
  }

  @Test func `handling pauses when goesOn returns false, also within a batch`() {
    let conversation = Conversation()
    let say = #"{"jsonrpc":"2.0","method":"ping"}"#
    let batch = "[\([String](repeating: say, count: 999).joined(separator: ",")),\(request("ping", id: "1"))]\n"
    conversation.peer.receive(Array(batch.utf8).span)
    var (asked, pauses) = (0, 0)
    func goesOn() -> Bool {
      asked += 1
      return asked.isMultiple(of: 3)
    }
    while conversation.peer.handleAll(untilReady: .max, while: goesOn) {
      #expect(conversation.peer.backlog.isEmpty)
      pauses += 1
    }
    #expect((3...100).contains(pauses))
    #expect(conversation.calls.count == 1000)
    #expect(conversation.drain() == Array("[\(empty(id: "1"))]\n".utf8))
  }

  /// Requests of random size arrive without end, while views change and a reader takes random amounts.
  @Test(arguments: [1, 2, 3, 4])
  func `waiting output is never more than 1 MiB, one reply and one message`(seed: UInt64) {
    let (largest, views) = (200_000, (0..<20).map { Output("\($0)") })
    let longest = [UInt8](repeating: UInt8(ascii: "x"), count: largest)
    var (random, taken) = (SplitMix64(seed: seed), [UInt8]())
    var most = 0
    let peer = Peer { call throws(RPCError) in
      let size = Int.random(in: 0...largest, using: &random)
      return .result { $0.object("text", RawJSON(encoding: String(decoding: longest[..<size], as: UTF8.self))) }
    }
    let requests = Array((0..<1000).map { request("a", id: "\($0)") + "\n" }.joined().utf8)
    peer.receive(requests.span)
    var isDry = false
    while !isDry || !peer.backlog.isEmpty {
      if let view = views.randomElement(using: &random) {
        view.value += 1
        peer.outbox.post(view)
      }
      isDry = !peer.handleAll(untilReady: 32_768)
      most = max(most, peer.outbox.heldBytes)
      let speed = random.happens(50) ? 0 : Int.random(in: 0...300_000, using: &random)
      peer.write { taken.take($0, atMost: speed) }
      #expect(peer.outbox.heldBytes >= peer.waitingBytes)
    }
    #expect(most > 1 << 20)
    #expect(most < (1 << 20) + largest + 100)
    // Only the beginning of each line is compared, because 100 MB are many characters.
    let ids = taken.split(separator: UInt8(ascii: "\n")).compactMap { line in
      let line = String(decoding: line.prefix(100), as: UTF8.self)
      return line.firstRange(of: "\"id\":").flatMap { Int(line[$0.upperBound...].prefix { $0.isNumber }) }
    }
    #expect(ids == Array(0..<1000))
  }

  @Test func `after closing, input is ignored and output still sent`() {
    let conversation = Conversation()
    conversation.receive((request("later", id: "1") + "\n" + request("ping", id: "2")).utf8)
    conversation.peer.close()
    conversation.receive("\n".utf8)
    conversation.end()
    #expect(conversation.calls == ["later"])
    conversation.peer.cancelAll()
    #expect(String(decoding: conversation.drain(), as: UTF8.self).contains("-32800"))
  }

  @Test func `a transport that takes single bytes gets the same output`() {
    let conversation = Conversation()
    let input = (0..<50).map { request("echo", id: "\($0)") + "\n" }.joined()
    let all = Conversation().says(to: input)
    conversation.receive(input.utf8)
    var output: [UInt8] = []
    while !conversation.peer.backlog.isEmpty { conversation.peer.write { output.take($0, atMost: 1) } }
    #expect(String(decoding: output, as: UTF8.self) == all)
  }

  @Test func `a message of megabytes can be received and sent`() {
    let text = String(repeating: "流", count: 1 << 20)
    let line = #"{"jsonrpc":"2.0","id":1,"method":"echo","params":{"a":"\#(text)"}}"#
    let conversation = Conversation()
    var random = SplitMix64(seed: 5)
    for piece in random.cut(Array((line + "\n").utf8), longest: 100_000) { conversation.receive(piece) }
    var output: [UInt8] = []
    while !conversation.peer.backlog.isEmpty { conversation.peer.write { output.take($0, atMost: 65_536) } }
    #expect(output == Array((#"{"jsonrpc":"2.0","id":1,"result":{"params":{"a":"\#(text)"}}}"# + "\n").utf8))
  }

  @Test func `outputs merge more if the transport takes less, and end with the newest values`() {
    let conversation = Conversation()
    conversation.receive("[]\n".utf8)
    let outputs = (0..<3).map { Output("\($0)") }
    var random = SplitMix64(seed: 9)
    var written: [UInt8] = []
    for value in 1...100_000 {
      let output = outputs[Int.random(in: 0..<3, using: &random)]
      output.value = value
      conversation.peer.outbox.post(output)
      if value % 1000 == 0 { conversation.peer.write { written.take($0, atMost: 500) } }
    }
    written += conversation.drain()
    let lines = String(decoding: written, as: UTF8.self).split(separator: "\n").dropFirst()
    #expect(lines.count < 20_000)
    for output in outputs {
      let values = lines.filter { $0.hasPrefix("[\"\(output.name)\"") }.compactMap { Int($0.dropFirst(5).dropLast()) }
      #expect(values == values.sorted())
      #expect(values.last == output.value)
    }
  }
}
