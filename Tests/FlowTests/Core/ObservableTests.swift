import Flow
import FlowTesting
import Testing

@Suite struct ObservableTests {
  @Test func `just, empty, never, error, from and of emit their values and ends`() {
    Marbles().expect(Observable.just(1), "(1|)")
    Marbles().expect(Observable<Int>.empty(), "|")
    Marbles().expect(Observable<Int>.never(), "---")
    Marbles().expect(Observable<Int>.error(MarbleError()), "#")
    Marbles().expect(Observable.of(1, 2), "(12|)")
    Marbles().expect(Observable.from(1...3), "(123|)")
  }

  @Test func `a subscriber that leaves at the value doesn't receive the end`() {
    for stream in [Observable.just(1), .of(1), .just(1).map { $0 }] {
      var log: [String] = []
      let subscription = SerialDisposable()
      subscription.dispose()
      let source = stream.do(onCompleted: { log.append("completed") }).concat(.never()).take(1)
      subscription.disposable = source.subscribe(onNext: { log.append("\($0)") })
      #expect(log == ["1"])
    }
  }

  @Test func `a deferred stream is made for each subscriber`() {
    var made = 0
    let stream = Observable<Int>.deferred {
      made += 1
      return .just(made)
    }
    #expect(made == 0)
    Marbles().expect(stream, "(1|)")
    Marbles().expect(stream, "(2|)")
  }

  @Test func `a timer emits once, an interval repeatedly`() {
    let m = Marbles()
    m.expect(.timer(.milliseconds(200), on: m.clock), "--(0|)--")
    let n = Marbles()
    n.expect(Observable.interval(.milliseconds(200), on: n.clock).take(3), "--0-1-(2|)")
    #expect(n.clock.timers.nextDue == nil)
  }

  @Test func `an interval doesn't drift if its clock is late`() {
    let clock = VirtualScheduler()
    var times: [Duration] = []
    let subscription = Observable.interval(.seconds(1), on: clock).subscribe(onNext: { _ in times.append(clock.now) })
    clock.advance(by: .milliseconds(2500))
    clock.advance(by: .milliseconds(1500))
    #expect(times == [.seconds(1), .seconds(2), .seconds(3), .seconds(4)])
    subscription.dispose()
    #expect(clock.timers.nextDue == nil)
  }

  @Test func `one closure can receive all events`() {
    var log: [String] = []
    Observable.of(1).subscribe { log.append("\($0)") }.dispose()
    Observable<Int>.error(MarbleError()).subscribe { log.append("\($0)") }.dispose()
    #expect(log == ["next(1)", "completed", "error(FlowTesting.MarbleError())"])
  }
}

@Suite struct CreateTests {
  @Test func `an observer's events are emitted until the end`() {
    var log: [String] = []
    let stream = Observable<Int>.create { observer in
      observer.onNext(1)
      observer.onCompleted()
      #expect(observer.isDisposed)
      observer.onNext(2)
      observer.onError(MarbleError())
      observer.on(.completed)
      return AnyDisposable { log.append("released") }
    }
    stream.subscribe { log.append("\($0)") }.dispose()
    #expect(log == ["next(1)", "completed", "released"])
  }

  @Test func `values sent while the end is delivered are dropped`() {
    var log: [String] = []
    var observer: Observer<Int>?
    let stream = Observable<Int>.create {
      observer = $0
      return AnyDisposable.empty
    }
    let subscription = stream.do(onCompleted: { observer?.onNext(2) }).concat(.of(3))
      .subscribe { log.append("\($0)") }
    observer?.onNext(1)
    observer?.onCompleted()
    #expect(log == ["next(1)", "next(3)", "completed"])
    subscription.dispose()
  }

  @Test func `the source is released once, after the end or by disposal`() {
    for end in [{ $0.onCompleted() }, { $0.onError(MarbleError()) }, { _ in }] as [(Observer<Int>) -> Void] {
      var released = 0
      var observer: Observer<Int>?
      let subscription = Observable<Int>.create {
        observer = $0
        return AnyDisposable { released += 1 }
      }.subscribe()
      #expect(released == 0)
      observer.map(end)
      subscription.dispose()
      subscription.dispose()
      #expect(released == 1)
      #expect(observer?.isDisposed == true)
    }
  }

  @Test func `a loop can check that its subscriber has left`() {
    var emitted = 0
    let stream = Observable<Int>.create { observer in
      while !observer.isDisposed {
        emitted += 1
        observer.onNext(emitted)
      }
      return AnyDisposable.empty
    }
    Marbles().expect(stream.take(3), "(123|)")
    #expect(emitted == 3)
  }

  @Test func `disposal within subscribe reaches a source that hasn't returned yet`() {
    var log: [String] = []
    let subscription = SerialDisposable()
    let trigger = PublishSubject<Void>()
    let stream = Observable<Int>.create { observer in
      observer.onNext(1)
      trigger.onNext(())
      observer.onNext(2)
      log.append("\(observer.isDisposed)")
      return AnyDisposable { log.append("released") }
    }
    subscription.disposable = stream.takeUntil(trigger.asObservable()).subscribe { log.append("\($0)") }
    #expect(log == ["next(1)", "completed", "true", "released"])
  }

  @Test func `releasing a subscription doesn't end it`() {
    let subject = PublishSubject<Int>()
    var values: [Int] = []
    _ = subject.subscribe(onNext: { values.append($0) })
    subject.onNext(1)
    #expect(values == [1])
  }
}
