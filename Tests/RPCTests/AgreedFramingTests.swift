import RPC
import Testing
import WireJSON

/// A peer that uses lines, and records unusable messages.
private final class Asker {
  private(set) var noted: [String] = []
  private(set) var codes: [Int] = []
  let peer: Peer

  init(limits: Peer.Limits = Peer.Limits()) {
    peer = Peer(limits: limits, framing: .lines) { _ in .empty }
    peer.onUnusable = { [unowned self] message, error in
      noted.append(String(decoding: message, as: UTF8.self))
      codes.append(error.code)
    }
  }

  func says(to input: String) -> String {
    peer.receive(Array(input.utf8).span)
    while peer.handleNext() {}
    var output: [UInt8] = []
    while !peer.backlog.isEmpty { peer.write { output.take($0) } }
    return String(decoding: output, as: UTF8.self)
  }
}

struct AgreedFramingTests {
  @Test func `lines stay lines, whatever the first byte is`() {
    let asker = Asker()
    #expect(asker.says(to: "Content-Length: 5\nhello\n" + request("ping", id: "1") + "\n") == empty(id: "1") + "\n")
    #expect(asker.noted == ["Content-Length: 5", "hello"])
    #expect(asker.codes == [-32700, -32700])
  }

  @Test func `headers stay headers, whatever the first byte is`() {
    let peer = Peer(framing: .headers) { _ in .empty }
    peer.receive(Array(framed(request("ping", id: "1")).utf8).span)
    #expect(peer.handleNext())
    var output: [UInt8] = []
    peer.write { output.take($0) }
    #expect(String(decoding: output, as: UTF8.self) == framed(empty(id: "1")))
  }

  @Test(arguments: ["7", "{\"a\":1}", "[]", "{\"id\":3,\"items\":[]}", "\"流れ\"", "{'a': 1}"])
  func `an unusable message is reported here, and not to the other side`(line: String) {
    let asker = Asker()
    #expect(asker.says(to: line + "\n") == "")
    #expect(asker.noted == [line])
  }

  @Test func `each unusable message of a batch is reported`() {
    let asker = Asker()
    #expect(asker.says(to: "[1,\(request("ping", id: "2")),{}]\n") == "[\(empty(id: "2"))]\n")
    #expect(asker.noted == ["1", "{}"])
  }

  @Test func `a message over the limit is reported without its text`() {
    var limits = Peer.Limits()
    limits.messageSize = 10
    let asker = Asker(limits: limits)
    #expect(asker.says(to: String(repeating: "x", count: 11) + "\n") == "")
    #expect(asker.noted == [""])
    #expect(asker.codes == [-32005])
  }

  @Test func `errors of calls are answered as usual`() {
    let peer = Peer(framing: .lines) { call throws(RPCError) in throw RPCError(.methodNotFound, "no") }
    peer.onUnusable = { _, _ in Issue.record("a call was told") }
    peer.receive(Array((request("x", id: "1") + "\n").utf8).span)
    #expect(peer.handleNext())
    var output: [UInt8] = []
    peer.write { output.take($0) }
    #expect(String(decoding: output, as: UTF8.self).contains("-32601"))
  }
}
