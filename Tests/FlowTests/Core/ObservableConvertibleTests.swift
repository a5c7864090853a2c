import Flow
import FlowTesting
import Testing

/// A subject can be used wherever a stream can.
@Suite struct ObservableConvertibleTests {
  private let numbers = PublishSubject<Int>()
  private let others = BehaviorSubject(5)
  private let signal = PublishSubject<Void>()

  /// The events of a stream after 1 and 2 are sent to `numbers`, 7 to `others`, and one to the signal.
  private func events<Element>(of stream: Observable<Element>) -> [String] {
    var log: [String] = []
    let subscription = stream.subscribe { event in
      switch event {
      case .next(let element): log.append("\(element)")
      case .error: log.append("error")
      case .completed: log.append("completed")
      }
    }
    for number in 1...2 { numbers.onNext(number) }
    others.onNext(7)
    signal.onNext(())
    subscription.dispose()
    return log
  }

  @Test func `subjects and streams can be merged`() {
    #expect(events(of: merge(numbers, others)) == ["5", "1", "2", "7"])
    #expect(events(of: merge(numbers.map { -$0 }, others, numbers.take(1))) == ["7", "-1", "1", "-2", "7"])
  }

  @Test func `subjects can be combined and zipped`() {
    #expect(events(of: Observable.combineLatest(numbers, others) { $0 * 10 + $1 }) == ["15", "25", "27"])
    #expect(
      events(of: Observable.combineLatest(numbers, others.map { $0 + 1 }, signal) { a, b, _ in a * 10 + b }) == ["28"])
    #expect(events(of: Observable.zip(numbers, others) { $0 * 10 + $1 }) == ["17", "27"])
  }

  @Test func `a subject can be sampled`() {
    #expect(events(of: numbers.withLatestFrom(others) { $0 * 10 + $1 }) == ["15", "25"])
    #expect(events(of: signal.withLatestFrom(others)) == ["7"])
  }

  @Test func `a subject can follow another stream, replace it, and end it`() {
    #expect(events(of: Observable.just(0).concat(others)) == ["0", "5", "7"])
    #expect(events(of: Observable.empty().ifEmpty(switchTo: numbers)) == ["1", "2"])
    #expect(events(of: others.takeUntil(signal)) == ["7", "7", "completed"])
    let clock = VirtualScheduler()
    let late = Observable<Int>.never().timeout(.seconds(1), other: others, on: clock)
    var values: [Int] = []
    let subscription = late.subscribe(onNext: { values.append($0) })
    clock.run()
    #expect(values == [7])
    subscription.dispose()
  }

  @Test func `a stream can emit subjects`() {
    let streams = Observable.of(others, BehaviorSubject(6))
    #expect(events(of: streams.merge()) == ["5", "6", "7"])
    #expect(events(of: streams.concat()) == ["7", "7"])
    #expect(events(of: streams.switchLatest()) == ["7", "6"])
  }

  @Test func `a subject can be recorded`() {
    let m = Marbles()
    let recording = m.record(others)
    m.expect(others, "5-")
    others.onNext(6)
    recording.expect("5-6")
  }

  @Test func `an argument stream needs no type name`() {
    let clock = VirtualScheduler()
    #expect(events(of: numbers.concat(.never())) == ["1", "2"])
    #expect(events(of: numbers.takeUntil(.timer(.seconds(1), on: clock))) == ["1", "2"])
    #expect(events(of: Observable.combineLatest(numbers, .just(3)) { $0 * 10 + $1 }) == ["13", "23"])
    #expect(events(of: Observable<Int>.empty().ifEmpty(switchTo: .of(8, 9))) == ["8", "9", "completed"])
    #expect(
      events(
        of: numbers.withLatestFrom(
          .create {
            $0.onNext(4); return AnyDisposable.empty
          })) == ["4", "4"])
  }
}
