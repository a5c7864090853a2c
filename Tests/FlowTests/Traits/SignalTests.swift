import Flow
import FlowTesting
import Testing

@Suite struct SignalTests {
  let m = Marbles()
  let source = PublishSubject<Int>()
  let signal: Signal<Int>

  init() {
    signal = source.asObservable().asSignal { _ in 9 }
  }

  @Test func `each value is sent to the current subscribers`() {
    let first = m.record(signal)
    source.onNext(1)
    let second = m.record(signal)
    source.onNext(1)
    source.onNext(2)
    first.expect("(112)")
    second.expect("(12)")
  }

  @Test func `values can be transformed and dropped`() {
    let doubled = m.record(signal.map { $0 * 2 })
    let odd = m.record(signal.compactMap { $0.isMultiple(of: 2) ? nil : $0 })
    for value in 1...3 { source.onNext(value) }
    doubled.expect("(246)")
    odd.expect("(13)")
  }

  @Test func `several signals can be merged`() {
    let other = PublishSubject<Int>()
    let both = m.record(merge(signal, other.asObservable().asSignal { _ in nil }, .never()))
    source.onNext(1)
    other.onNext(2)
    both.expect("(12)")
    both.dispose()
    #expect(!source.hasObservers && !other.hasObservers)
  }

  @Test func `a failure becomes a value or nothing, and the end isn't sent`() {
    let ended = m.record(signal)
    source.onError(MarbleError())
    ended.expect("9")
    let other = PublishSubject<Int>()
    let silent = m.record(other.asObservable().asSignal { _ in nil })
    other.onNext(1)
    other.onError(MarbleError())
    silent.expect("1")
    let completed = PublishSubject<Int>()
    let open = m.record(completed.asObservable().asSignal { _ in nil })
    completed.onCompleted()
    open.expect("-")
  }

  @Test func `the stream runs once for all subscribers`() {
    let cold = m.cold("-1-2")
    let signal = cold.stream.asSignal { _ in nil }
    let bag = DisposeBag()
    for _ in 1...3 { signal.subscribe(onNext: { _ in }).disposed(by: bag) }
    m.clock.run(until: .milliseconds(200))
    bag.dispose()
    cold.expectSubscriptions("^-!")
  }
}

@Suite struct BridgeTests {
  let m = Marbles()

  @Test func `a stream as a driver is subscribed to from the first subscriber to the last`() {
    let source = m.cold("--1-1-2")
    let driver = source.stream.asDriver(startingWith: "0") { _ in "!" }
    #expect(driver.value == "0")
    let first = m.record(driver)
    m.clock.run(until: .milliseconds(300))
    let second = m.record(driver)
    first.dispose()
    m.clock.run(until: .milliseconds(700))
    second.dispose()
    m.clock.run()
    first.expect("0-1")
    second.expect("---1--2")
    #expect(driver.value == "2")
    source.expectSubscriptions("^------!")
  }

  @Test func `a failure becomes the last value, a completion keeps the value`() {
    let failing = m.cold("-1-#")
    let completing = m.cold("-1-|")
    let failed = m.record(failing.stream.asDriver(startingWith: "0") { _ in "e" })
    let completed = m.record(completing.stream.asDriver(startingWith: "0") { _ in "e" })
    m.clock.run()
    failed.expect("01-e")
    completed.expect("01--")
    failing.expectSubscriptions("^--!")
    completing.expectSubscriptions("^--!")
  }

  @Test func `a stream that emits immediately provides the first value`() {
    m.record(Observable.just(1).asDriver(startingWith: 0) { _ in 2 }).expect("1")
    m.record(Observable<Int>.error(MarbleError()).asDriver(startingWith: 0) { _ in 2 }).expect("2")
    m.record(Observable<Int>.empty().asDriver(startingWith: 0) { _ in 2 }).expect("0")
  }

  @Test func `a driver works with all operators, and is sampled without a subscription`() {
    let subject = BehaviorSubject(1)
    let driver = subject.asDriver()
    let ticks = PublishSubject<Void>()
    let samples = m.record(ticks.withLatestFrom(driver.asObservable()))
    let sums = m.record(driver.asObservable().scan(0, +))
    ticks.onNext(())
    subject.onNext(2)
    ticks.onNext(())
    samples.expect("(12)")
    sums.expect("(13)")
  }
}
