import Flow
import FlowTesting
import Testing

@Suite struct DelayTests {
  @Test func `values and completion are delayed`() {
    let m = Marbles()
    let source = m.hot("-a(bc)-d|")
    m.expect(source.stream.delay(.milliseconds(300), on: m.clock), "----a(bc)-d|")
    source.expectSubscriptions("^----!")
  }

  @Test func `a failure isn't delayed and drops pending values`() {
    let m = Marbles()
    m.expect(m.hot("-a-b-#").stream.delay(.milliseconds(300), on: m.clock), "----a#----")
  }

  @Test func `among timers due together, a delayed value is ordered by the time of its arrival`() {
    let clock = VirtualScheduler()
    let source = PublishSubject<String>()
    let bag = DisposeBag()
    var log: [String] = []
    source.delay(.seconds(1), on: clock).subscribe(onNext: { log.append($0) }).disposed(by: bag)
    source.onNext("a")
    source.onNext("b")
    clock.schedule(after: .seconds(1)) { log.append("timer") }.disposed(by: bag)
    source.onNext("c")
    clock.run()
    #expect(log == ["a", "b", "timer", "c"])
  }

  @Test func `a value sent while another is emitted is delayed, too`() {
    let clock = VirtualScheduler()
    let source = PublishSubject<Int>()
    var log: [String] = []
    let subscription = source.delay(.seconds(1), on: clock).subscribe(onNext: { value in
      log.append("\(value) at \(clock.now)")
      if value < 3 { source.onNext(value + 1) }
    })
    source.onNext(1)
    clock.run()
    #expect(log == ["1 at 1.0 seconds", "2 at 2.0 seconds", "3 at 3.0 seconds"])
    subscription.dispose()
  }

  @Test func `keeps the contract`() {
    expectContract { source, clock in source.delay(.zero, on: clock) }
  }
}
