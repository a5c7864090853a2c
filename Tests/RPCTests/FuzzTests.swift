import RPC
import Randomness
import Testing
import WireJSON

struct FuzzTests {
  /// Whether a sent message is allowed by JSON-RPC 2.0.
  private func isMessage(_ json: RawJSON) -> Bool {
    if json.kind == .array { return json.elements.contains { _ in true } && json.elements.allSatisfy(isMessage) }
    guard json.member("jsonrpc")?.string == "2.0" else { return false }
    let names = Set(json.members.map(\.key))
    if let error = json.member("error") {
      return names == ["jsonrpc", "id", "error"] && error.member("code")?.int != nil
        && error.member("message")?.string != nil
    }
    if json.member("result") != nil { return names == ["jsonrpc", "id", "result"] }
    return names.subtracting(["id"]) == ["jsonrpc", "method", "params"]
  }

  /// Parses an output in either framing; nil if it has neither.
  private func messages(in output: [UInt8], _ framing: Framing?) -> [RawJSON]? {
    guard framing == .headers else {
      guard output.last ?? 0x0A == 0x0A else { return nil }
      return try? output.split(separator: 0x0A).map { try RawJSON(validating: Array($0)) }
    }
    var found: [RawJSON] = []
    var rest = output[...]
    while !rest.isEmpty {
      guard let end = rest.firstIndex(of: 0x0A), rest.starts(with: "Content-Length: ".utf8),
        let count = Int(String(decoding: rest[(rest.startIndex + 16)..<(end - 1)], as: UTF8.self)),
        rest[end - 1] == 0x0D, rest[end + 1] == 0x0D, rest[end + 2] == 0x0A,
        rest.count >= end + 3 - rest.startIndex + count,
        let json = try? RawJSON(validating: Array(rest[(end + 3)..<(end + 3 + count)]))
      else { return nil }
      found.append(json)
      rest = rest[(end + 3 + count)...]
    }
    return found
  }

  private func mutate(_ input: [UInt8], _ random: inout SplitMix64) -> [UInt8] {
    var input = input
    for _ in 0..<Int.random(in: 0...4, using: &random) where !input.isEmpty {
      let place = Int.random(in: 0..<input.count, using: &random)
      switch Int.random(in: 0..<5, using: &random) {
      case 0: input[place] = UInt8.random(in: 0...255, using: &random)
      case 1: input.remove(at: place)
      case 2: input.insert([0x0A, 0x22, 0x7B, 0x5B, 0x5C, 0x7D, 0x5D, 0x3A][place % 8], at: place)
      case 3: input.removeSubrange(place..<min(input.count, place + 20))
      default: input.insert(contentsOf: input[place..<min(input.count, place + 30)], at: place)
      }
    }
    return input
  }

  @Test(arguments: 0..<10)
  func `no input crashes the peer, and every output is JSON-RPC`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var limits = Peer.Limits()
    limits.messageSize = 400
    limits.nesting = 10
    for round in 0..<2500 {
      let messages = Messages.make(Int.random(in: 1...4, using: &random), with: &random)
      let good = random.happens(50) ? messages.lines(with: &random) : messages.headers(with: &random)
      let input = mutate(good, &random)
      let conversation = Conversation(limits: limits)
      var output: [UInt8] = []
      for piece in random.cut(input, longest: 200) {
        conversation.receive(piece)
        if random.happens(20) { conversation.replies.last?.succeed { $0.literal("{}") } }
        if random.happens(50) { conversation.peer.write { output.take($0, atMost: 50) } }
      }
      conversation.end()
      conversation.peer.cancelAll()
      output += conversation.drain()
      let said = self.messages(in: output, conversation.peer.framing)
      #expect(
        said?.allSatisfy(isMessage) == true, "seed \(seed), round \(round): \(String(decoding: input, as: UTF8.self))")
    }
  }

  @Test func `random bytes don't crash the peer either`() {
    var random = SplitMix64(seed: 77)
    for round in 0..<5000 {
      let input = (0..<Int.random(in: 0...200, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
      let conversation = Conversation()
      for piece in random.cut(input, longest: 50) { conversation.receive(piece) }
      conversation.end()
      let said = messages(in: conversation.drain(), conversation.peer.framing)
      #expect(said?.allSatisfy(isMessage) == true, "round \(round)")
      #expect(conversation.calls == [])
    }
  }
}
