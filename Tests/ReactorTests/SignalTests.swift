import Testing

@testable import Reactor

struct SignalTests {
  @Test func `a request to end becomes an event of the loop`() throws {
    let loop = try EventLoop()
    var heard = 0
    Signals.onTermination(loop) {
      heard += 1
      loop.stop()
    }
    defer { restoreSignals() }
    for (count, number) in terminationSignals.enumerated() {
      raiseSignal(number)
      #expect(heard == count)
      #expect(loop.run(atMostTurns: 100))
      #expect(heard == count + 1)
    }
    for number in terminationSignals { raiseSignal(number) }
    #expect(loop.run(atMostTurns: 100))
    #expect(heard == 4)
  }

  @Test func `lives is true only for the numbers of living processes`() {
    #expect(CurrentProcess.lives(processID))
    #expect(CurrentProcess.lives(1))
    for number in [0, -1, Int.max, Int(Int32.max)] { #expect(!CurrentProcess.lives(number)) }
  }
}
