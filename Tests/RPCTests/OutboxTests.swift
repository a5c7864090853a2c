import Testing
import WireJSON

@testable import RPC

struct OutboxTests {
  private func backedUp() -> Outbox {
    let outbox = Outbox()
    outbox.framing = .lines
    outbox.send([UInt8](repeating: UInt8(ascii: "x"), count: Outbox.readySize))
    return outbox
  }

  @Test func `a million posts without a reader use one entry per output`() {
    let outbox = backedUp()
    let outputs = (0..<10).map { Output("\($0)") }
    var most = 0
    for number in 0..<1_000_000 {
      outbox.post(outputs[number % 10])
      most = max(most, outbox.queueCount)
    }
    #expect(most < 4096)
  }

  @Test func `many outputs use one entry each, however often they are posted`() {
    let outbox = backedUp()
    let outputs = (0..<5000).map { Output("\($0)") }
    for _ in 0..<20 {
      for output in outputs { outbox.post(output) }
    }
    #expect(outbox.queueCount <= 3 * outputs.count)
    outbox.drop(outbox.readyCount)
    var sent: [UInt8] = []
    while !outbox.isEmpty {
      sent += outbox.ready[outbox.head...]
      outbox.drop(outbox.readyCount)
    }
    #expect(String(decoding: sent, as: UTF8.self) == outputs.map { "[\"\($0.name)\",0]\n" }.joined())
  }

  @Test func `a queue that is never empty doesn't keep what it has sent`() {
    let outbox = backedUp()
    let message = [UInt8](repeating: UInt8(ascii: "y"), count: 1000)
    for _ in 0..<200 { outbox.send(message) }
    var most = 0
    for _ in 0..<100_000 {
      outbox.send(message)
      outbox.drop(1001)
      most = max(most, outbox.queueCount)
    }
    #expect(most < 4096)
    #expect(!outbox.isEmpty)
  }

  @Test func `a sent output is released while others wait`() {
    let outbox = backedUp()
    weak var said: Output?
    do {
      let output = Output("a")
      said = output
      outbox.post(output)
    }
    for _ in 0..<100 { outbox.send([UInt8](repeating: UInt8(ascii: "y"), count: 1000)) }
    #expect(said != nil)
    outbox.drop(outbox.readyCount)
    #expect(said == nil)
    #expect(!outbox.isEmpty)
  }

  @Test func `written bytes aren't kept while others wait`() {
    let outbox = Outbox()
    outbox.send([UInt8](repeating: UInt8(ascii: "x"), count: 1 << 20))
    var most = 0
    for _ in 0..<(1 << 20) / 4096 {
      outbox.drop(4096)
      most = max(most, outbox.head)
      #expect(outbox.head * 2 <= outbox.ready.count + 4096 || outbox.head <= Outbox.readySize)
    }
    #expect(most > 0)
    #expect(outbox.readyCount == 1)
  }

  @Test func `the memory for a large message isn't kept for small ones`() {
    let outbox = Outbox()
    outbox.send([UInt8](repeating: UInt8(ascii: "x"), count: 1 << 22))
    outbox.drop(outbox.readyCount)
    #expect(outbox.ready.capacity < 1 << 18)
  }

  @Test(arguments: [Framing.lines, .headers])
  func `the empty result is the same with and without a queue`(framing: Framing) {
    let id = RawJSON(trusting: Array("[17]".utf8), 1..<3)
    let free = Outbox()
    free.framing = framing
    free.sendEmptyResult(id: id)
    let full = backedUp()
    full.framing = framing
    full.sendEmptyResult(id: id)
    full.drop(full.readyCount)
    #expect(Array(full.ready[full.head...]) == free.ready)
    let text = empty(id: "17")
    #expect(free.ready == Array((framing == .lines ? text + "\n" : framed(text)).utf8))
  }

  @Test(arguments: [0, 9, 10, 99, 100, 12_345])
  func `a header has the length in digits`(count: Int) {
    var output: [UInt8] = []
    Framing.headers.frame([UInt8](repeating: 0x20, count: count), into: &output)
    #expect(String(decoding: output, as: UTF8.self) == framed(String(repeating: " ", count: count)))
  }

  @Test func `line ends are found and replaced at every position of a word`() {
    for count in 0..<20 {
      for place in 0..<count {
        var bytes = [UInt8](repeating: UInt8(ascii: "\t"), count: count)
        bytes[place] = 0x0A
        for start in 0...count {
          let found = bytes.span.firstLineFeed(from: start)
          #expect(found == (start <= place ? place : nil))
        }
        bytes[count - 1] = place == count - 1 ? 0x0A : 0x0D
        var replaced = bytes
        replaced.replaceLineEnds(from: min(1, count))
        #expect(replaced == bytes.enumerated().map { $0 > 0 && $1 != 0x09 ? 0x20 : $1 })
      }
    }
  }
}
