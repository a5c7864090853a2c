import Flow
import FlowTesting
import Testing

@Suite struct PublishSubjectTests {
  @Test func `each value goes to the current subscribers`() {
    let m = Marbles()
    let subject = PublishSubject<Character>()
    m.play("-a-b-c-|", into: subject)
    let first = m.record(subject.asObservable())
    m.clock.run(until: .milliseconds(200))
    let second = m.record(subject.asObservable())
    m.clock.run(until: .milliseconds(400))
    first.dispose()
    m.clock.run()
    first.expect("-a-b")
    second.expect("---b-c-|")
    #expect(!subject.hasObservers)
  }

  @Test func `a subscriber after the end receives the end`() {
    let completed = PublishSubject<Int>()
    completed.onCompleted()
    Marbles().expect(completed.asObservable(), "|")
    let failed = PublishSubject<Int>()
    failed.onError(MarbleError())
    Marbles().expect(failed.asObservable(), "#")
  }

  @Test func `nothing follows the end`() {
    let subject = PublishSubject<Int>()
    var log: [String] = []
    let subscription = subject.subscribe { log.append("\($0)") }
    subject.onCompleted()
    subject.onNext(1)
    subject.onError(MarbleError())
    subject.onCompleted()
    #expect(log == ["completed"])
    subscription.dispose()
  }

  @Test func `a subscriber that joins during an event doesn't receive it`() {
    let subject = PublishSubject<Int>()
    let bag = DisposeBag()
    var log: [String] = []
    subject.subscribe(onNext: { value in
      log.append("a\(value)")
      if value == 1 {
        subject.subscribe(onNext: { log.append("b\($0)") }).disposed(by: bag)
      }
    }).disposed(by: bag)
    subject.onNext(1)
    subject.onNext(2)
    #expect(log == ["a1", "a2", "b2"])
  }

  @Test func `a subscriber that is removed during an event doesn't receive it`() {
    let subject = PublishSubject<Int>()
    let bag = DisposeBag()
    let second = SerialDisposable()
    var log: [String] = []
    subject.subscribe(onNext: { _ in second.dispose() }).disposed(by: bag)
    second.disposable = subject.subscribe(onNext: { log.append("b\($0)") })
    subject.subscribe(onNext: { log.append("c\($0)") }).disposed(by: bag)
    subject.onNext(1)
    #expect(log == ["c1"])
  }

  @Test func `an event sent during another one reaches all before the other continues`() {
    let subject = PublishSubject<Int>()
    let bag = DisposeBag()
    var log: [String] = []
    subject.subscribe(onNext: { value in
      log.append("a\(value)")
      if value == 1 { subject.onNext(2) }
    }).disposed(by: bag)
    subject.subscribe(onNext: { log.append("b\($0)") }).disposed(by: bag)
    subject.onNext(1)
    #expect(log == ["a1", "a2", "b2", "b1"])
  }

  @Test func `an end sent during an event keeps the event from the remaining subscribers`() {
    let subject = PublishSubject<Int>()
    let bag = DisposeBag()
    var log: [String] = []
    subject.subscribe(onNext: { _ in subject.onCompleted() }).disposed(by: bag)
    subject.subscribe { log.append("\($0)") }.disposed(by: bag)
    subject.onNext(1)
    #expect(log == ["completed"])
  }

  @Test func `a subscriber that is removed during an end doesn't receive it`() {
    let subject = PublishSubject<Int>()
    let second = SerialDisposable()
    var log: [String] = []
    let first = subject.subscribe(onCompleted: { second.dispose() })
    second.disposable = subject.subscribe(onCompleted: { log.append("b") })
    subject.onCompleted()
    #expect(log == [])
    first.dispose()
  }

  @Test func `events can be sent as values of Event`() {
    let subject = PublishSubject<Int>()
    var log: [String] = []
    let subscription = subject.subscribe { log.append("\($0)") }
    for event in [Event.next(1), .completed, .next(2)] { subject.on(event) }
    #expect(log == ["next(1)", "completed"])
    subscription.dispose()
  }

  @Test func `a deallocated subject releases its subscribers, even if they didn't leave`() {
    let count = Token.Count()
    do {
      let subject = PublishSubject<Int>()
      let token = Token("t", count)
      let stream = subject.map { $0 }.scan(0, +).share(replay: 1).filter { _ in true }.take(5)
      _ = stream.subscribe(onNext: { _ in withExtendedLifetime(token) {} })
      subject.onNext(1)
    }
    #expect(count.alive == 0)
  }
}

/// Sends a value to a subject in its deinitializer.
private final class LastWord {
  private let subject: PublishSubject<Int>

  init(_ subject: PublishSubject<Int>) {
    self.subject = subject
  }

  deinit {
    subject.onNext(9)
    _ = subject.subscribe(onNext: { _ in })
  }
}

@Suite struct LastWordTests {
  @Test func `an object that is deallocated with a subscriber may feed the subject and subscribe to it`() {
    let subject = PublishSubject<Int>()
    let bag = DisposeBag()
    var values: [Int] = []
    subject.subscribe(onNext: { values.append($0) }).disposed(by: bag)
    let subscription = subject.map { [word = LastWord(subject)] value in withExtendedLifetime(word) { value } }
      .subscribe(onNext: { _ in })
    subscription.dispose()
    #expect(values == [9])
  }

  @Test func `a replaced value may feed the subject in its deinitializer`() {
    let subject = PublishSubject<Int>()
    let latest = BehaviorSubject<LastWord?>(LastWord(subject))
    var log: [String] = []
    let subscription = subject.subscribe(onNext: { log.append("\($0) \(latest.value == nil)") })
    latest.onNext(nil)
    #expect(log == ["9 true"])
    subscription.dispose()
  }

  @Test func `a released action may dispose of its timer`() {
    let clock = VirtualScheduler()
    let bag = DisposeBag()
    do {
      let inner = DisposeBag()
      let timer = clock.timer { withExtendedLifetime(inner) {} }
      inner.insert(timer)
      bag.insert(timer)
    }
    bag.dispose()
    #expect(clock.timers.nextDue == nil)
  }
}
