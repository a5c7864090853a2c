import Testing

@testable import Reactor

@Suite struct StepTimerTests {
  private var timer = StepTimer()

  @Test mutating func `a step of 100 ms is reported once, and again at its end`() {
    timer.begin("the input \"search\"", at: .seconds(1))
    #expect(timer.nextLook == .milliseconds(1100))
    #expect(timer.look(at: .milliseconds(1099)) == nil)
    #expect(timer.look(at: .milliseconds(1100)) == "the input \"search\" has been running for 100 ms")
    #expect(timer.nextLook == nil)
    #expect(timer.look(at: .milliseconds(1200)) == nil)
    #expect(timer.end(at: .milliseconds(1250)) == "the input \"search\" has ended after 250 ms")
    #expect(timer.end(at: .milliseconds(1300)) == nil)
  }

  @Test mutating func `a shorter step isn't reported`() {
    timer.begin("a", at: .zero)
    #expect(timer.end(at: .milliseconds(99)) == nil)
    #expect(timer.nextLook == nil)
    #expect(timer.look(at: .seconds(9)) == nil)
  }

  @Test mutating func `each step has its own time`() {
    timer.begin("a", at: .zero)
    #expect(timer.look(at: .milliseconds(100)) != nil)
    timer.begin("b", at: .milliseconds(150))
    #expect(timer.look(at: .milliseconds(249)) == nil)
    #expect(timer.look(at: .milliseconds(250)) == "b has been running for 100 ms")
  }

  @Test mutating func `a report names the rule that is running`() {
    timer.begin("the input \"search\"", at: .zero)
    timer.carryOut("on(search) of Search.State")
    timer.carryOut("react(to: \\State.found) of Search.State")
    #expect(
      timer.look(at: .milliseconds(100))
        == "the input \"search\" has been running for 100 ms, now in react(to: \\State.found) of Search.State")
    timer.begin("b", at: .milliseconds(150))
    #expect(timer.look(at: .milliseconds(250)) == "b has been running for 100 ms")
    timer.carryOut(nil)
  }
}
