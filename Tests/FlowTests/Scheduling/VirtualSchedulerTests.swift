import Flow
import Testing

@Suite struct VirtualSchedulerTests {
  private let clock = VirtualScheduler()
  private let bag = DisposeBag()

  @Test func `timers run at their due times, and the clock shows that time`() {
    var log: [String] = []
    for seconds in [2, 1, 3] {
      clock.schedule(after: .seconds(seconds)) { [clock] in log.append("\(seconds) at \(clock.now)") }.disposed(by: bag)
    }
    #expect(clock.timers.nextDue == .seconds(1))
    clock.advance(by: .milliseconds(999))
    #expect(log == [] && clock.now == .milliseconds(999))
    clock.advance(by: .milliseconds(1001))
    #expect(log == ["1 at 1.0 seconds", "2 at 2.0 seconds"] && clock.now == .seconds(2))
    clock.run(until: .seconds(10))
    #expect(log.last == "3 at 3.0 seconds" && clock.now == .seconds(10))
    #expect(clock.timers.nextDue == nil)
  }

  @Test func `timers due together run in the order in which they were set`() {
    var log: [Int] = []
    for number in 0..<10 {
      clock.schedule(after: .seconds(1)) { log.append(number) }.disposed(by: bag)
    }
    clock.run()
    #expect(log == Array(0..<10) && clock.now == .seconds(1))
  }

  @Test func `timers set by a timer run in the same call if they are due`() {
    var log: [String] = []
    clock.schedule(after: .seconds(1)) { [clock, bag] in
      log.append("a")
      clock.schedule(after: .seconds(1)) { log.append("c") }.disposed(by: bag)
      clock.schedule(after: .zero) { log.append("b at \(clock.now)") }.disposed(by: bag)
      clock.schedule(after: .seconds(-5)) { log.append("late at \(clock.now)") }.disposed(by: bag)
    }.disposed(by: bag)
    clock.advance(by: .seconds(2))
    #expect(log == ["a", "late at 1.0 seconds", "b at 1.0 seconds", "c"])
  }

  @Test func `a timer that was disposed of doesn't run`() {
    var log: [String] = []
    let timer = clock.schedule(after: .seconds(1)) { log.append("one") }
    timer.dispose()
    timer.dispose()
    let later = clock.schedule(after: .seconds(2)) { log.append("two") }
    clock.schedule(after: .seconds(1)) { later.dispose() }.disposed(by: bag)
    clock.run()
    #expect(log == [])
  }

  @Test func `time doesn't go backwards`() {
    clock.advance(by: .seconds(2))
    clock.run(until: .seconds(1))
    clock.advance(by: .seconds(-1))
    #expect(clock.now == .seconds(2))
  }

  @Test func `an action is released after its cancellation, and after it has run`() {
    let count = Token.Count()
    let timer = clock.schedule(after: .seconds(1)) { [token = Token("t", count)] in withExtendedLifetime(token) {} }
    timer.dispose()
    #expect(count.alive == 0)
    do {
      _ = clock.schedule(after: .seconds(1)) { [token = Token("t", count)] in withExtendedLifetime(token) {} }
    }
    #expect(count.alive == 1)
    clock.run()
    #expect(count.alive == 0)
  }
}
