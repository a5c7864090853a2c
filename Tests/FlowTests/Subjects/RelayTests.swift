import Flow
import FlowTesting
import Testing

@Suite struct RelayTests {
  @Test func `an accepted value goes to the current subscribers`() {
    let relay = PublishRelay<Int>()
    relay.accept(0)
    var values: [Int] = []
    let subscription = relay.map { $0 * 10 }.subscribe(onNext: { values.append($0) })
    for value in 1...2 { relay.accept(value) }
    subscription.dispose()
    relay.accept(3)
    #expect(values == [10, 20])
  }

  @Test func `a behavior relay sends its value to new subscribers`() {
    let relay = BehaviorRelay(1)
    relay.accept(2)
    var values: [Int] = []
    let subscription = relay.subscribe(onNext: { values.append($0) })
    relay.accept(3)
    #expect(values == [2, 3] && relay.value == 3)
    subscription.dispose()
    relay.accept(4)
    #expect(values == [2, 3] && relay.value == 4)
  }

  @Test func `the end of a stream that feeds a relay doesn't end the relay`() {
    let relay = BehaviorRelay(0)
    var log: [String] = []
    let subscription = relay.subscribe { log.append("\($0)") }
    for source in [Observable.of(1), .of(2).concat(.error(MarbleError()))] {
      source.subscribe(onNext: relay.accept).dispose()
    }
    #expect(log == ["next(0)", "next(1)", "next(2)"])
    subscription.dispose()
  }

  @Test func `a value accepted during another one reaches all first`() {
    let relay = PublishRelay<Int>()
    let bag = DisposeBag()
    var log: [String] = []
    relay.subscribe(onNext: { value in
      if value == 1 { relay.accept(2) }
      log.append("a\(value)")
    }).disposed(by: bag)
    relay.subscribe(onNext: { log.append("b\($0)") }).disposed(by: bag)
    relay.accept(1)
    #expect(log == ["a2", "b2", "a1", "b1"])
  }

  @Test func `a relay can be used wherever a stream can`() {
    let (numbers, state) = (PublishRelay<Int>(), BehaviorRelay(5))
    var values: [Int] = []
    let subscription = merge(numbers.withLatestFrom(state) { $0 * 10 + $1 }, state)
      .subscribe(onNext: { values.append($0) })
    numbers.accept(1)
    state.accept(6)
    numbers.accept(2)
    #expect(values == [5, 15, 6, 26])
    subscription.dispose()
  }
}
