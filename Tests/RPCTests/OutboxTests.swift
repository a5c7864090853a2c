import Testing
import WireJSON

@testable import RPC

struct OutboxTests {
  private func backedUp() -> Outbox {
    let outbox = Outbox()
    outbox.append([UInt8](repeating: UInt8(ascii: "x"), count: Outbox.readySize), framing: .lines)
    return outbox
  }

  @Test func `a million posts while nothing is written keep a place for each output`() {
    let outbox = backedUp()
    let outputs = (0..<10).map { Output("\($0)") }
    var most = 0
    for number in 0..<1_000_000 {
      _ = outbox.enqueue(outputs[number % 10])
      most = max(most, outbox.queueCount)
    }
    #expect(most < 4096)
  }

  @Test func `many outputs keep one place each, however often they are posted`() {
    let outbox = backedUp()
    let outputs = (0..<5000).map { Output("\($0)") }
    for _ in 0..<20 {
      for output in outputs { _ = outbox.enqueue(output) }
    }
    #expect(outbox.queueCount <= 3 * outputs.count)
    var said: [String] = []
    outbox.drop(outbox.readyCount)
    while let output = outbox.refill() { said.append((output as? Output)?.name ?? "") }
    #expect(said == outputs.map(\.name))
    #expect(outbox.isEmpty)
  }

  @Test func `a queue that never runs dry doesn't keep what it gave`() {
    let outbox = backedUp()
    let message = [UInt8](repeating: UInt8(ascii: "y"), count: 1000)
    for _ in 0..<200 { outbox.append(message, framing: .lines) }
    var most = 0
    for _ in 0..<100_000 {
      outbox.append(message, framing: .lines)
      outbox.drop(1001)
      _ = outbox.refill()
      most = max(most, outbox.queueCount)
    }
    #expect(most < 4096)
    #expect(!outbox.isEmpty)
  }

  @Test func `an output that was said is let go while others wait`() {
    let outbox = backedUp()
    weak var said: Output?
    do {
      let output = Output("a")
      said = output
      _ = outbox.enqueue(output)
    }
    for _ in 0..<100 { outbox.append([UInt8](repeating: UInt8(ascii: "y"), count: 1000), framing: .lines) }
    #expect(said != nil)
    outbox.drop(outbox.readyCount)
    #expect(outbox.refill() === said)
    #expect(said == nil)
    #expect(!outbox.isEmpty)
  }

  @Test func `bytes that were written aren't kept while others wait`() {
    let outbox = Outbox()
    outbox.append([UInt8](repeating: UInt8(ascii: "x"), count: 1 << 20), framing: .lines)
    var most = 0
    for _ in 0..<(1 << 20) / 4096 {
      outbox.drop(4096)
      most = max(most, outbox.head)
      #expect(outbox.head * 2 <= outbox.ready.count + 4096 || outbox.head <= Outbox.readySize)
    }
    #expect(most > 0)
    #expect(outbox.readyCount == 1)
  }

  @Test func `what one large message needed isn't kept for small ones`() {
    let outbox = Outbox()
    outbox.append([UInt8](repeating: UInt8(ascii: "x"), count: 1 << 22), framing: .lines)
    outbox.drop(outbox.readyCount)
    #expect(outbox.ready.capacity < 1 << 18)
  }

  @Test(arguments: [Framing.lines, .headers])
  func `the empty result is the same with and without a queue`(framing: Framing) {
    let id = RawJSON(trusting: Array("[17]".utf8), 1..<3)
    let free = Outbox()
    free.appendEmptyResult(id: id, framing: framing)
    let full = backedUp()
    full.appendEmptyResult(id: id, framing: framing)
    full.drop(full.readyCount)
    _ = full.refill()
    #expect(Array(full.ready[full.head...]) == free.ready)
    let text = empty(id: "17")
    #expect(free.ready == Array((framing == .lines ? text + "\n" : framed(text)).utf8))
  }

  @Test(arguments: [0, 9, 10, 99, 100, 12_345])
  func `a header tells the length in digits`(count: Int) {
    var output: [UInt8] = []
    Framing.headers.frame([UInt8](repeating: 0x20, count: count), into: &output)
    #expect(String(decoding: output, as: UTF8.self) == framed(String(repeating: " ", count: count)))
  }

  @Test func `line ends are found and replaced at every place of a word`() {
    for count in 0..<20 {
      for place in 0..<count {
        var bytes = [UInt8](repeating: UInt8(ascii: "\t"), count: count)
        bytes[place] = 0x0A
        for start in 0...count { #expect(bytes.firstIndex(ofLineFeedFrom: start) == (start <= place ? place : nil)) }
        bytes[count - 1] = place == count - 1 ? 0x0A : 0x0D
        var replaced = bytes
        replaced.replaceLineEnds(from: min(1, count))
        #expect(replaced == bytes.enumerated().map { $0 > 0 && $1 != 0x09 ? 0x20 : $1 })
      }
    }
  }
}
