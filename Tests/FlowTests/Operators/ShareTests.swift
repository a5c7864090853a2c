import Flow
import FlowTesting
import Testing

@Suite struct ShareTests {
  @Test func `the subscription to the source lasts from the first to the last subscriber`() {
    let m = Marbles()
    let source = m.cold("-a-b-c-d-e")
    let shared = source.stream.share()
    let first = m.record(shared)
    m.clock.run(until: .milliseconds(200))
    let second = m.record(shared)
    m.clock.run(until: .milliseconds(400))
    first.dispose()
    m.clock.run(until: .milliseconds(600))
    second.dispose()
    m.clock.run()
    first.expect("-a-b")
    second.expect("---b-c")
    source.expectSubscriptions("^-----!")
  }

  @Test func `a late subscriber receives the latest value, unless all had left`() {
    let m = Marbles()
    let source = m.cold("-a-b-c")
    let shared = source.stream.share(replay: 1)
    let first = m.record(shared)
    m.clock.run(until: .milliseconds(400))
    let second = m.record(shared)
    first.dispose()
    second.dispose()
    let third = m.record(shared)
    m.clock.run()
    first.expect("-a-b")
    second.expect("----b")
    third.expect("-----a-b-c")
    source.expectSubscriptions("^---!", "----^")
  }

  @Test func `several values are replayed in order, up to the limit`() {
    let source = PublishSubject<Int>()
    let shared = source.share(replay: 2)
    let bag = DisposeBag()
    var values: [Int] = []
    shared.subscribe().disposed(by: bag)
    for value in 1...5 { source.onNext(value) }
    shared.subscribe(onNext: { values.append($0) }).disposed(by: bag)
    source.onNext(6)
    #expect(values == [4, 5, 6])
  }

  @Test func `the end reaches all, and the next subscriber starts the source again`() {
    let m = Marbles()
    let source = m.cold("-a|")
    let shared = source.stream.share(replay: 1)
    let (first, second) = (m.record(shared), m.record(shared))
    m.clock.run(until: .milliseconds(400))
    let third = m.record(shared)
    m.clock.run()
    first.expect("-a|")
    second.expect("-a|")
    third.expect("-----a|")
    source.expectSubscriptions("^-!", "----^-!")
  }

  @Test func `a failure reaches all, and a retry starts the source again`() {
    let m = Marbles()
    let source = m.cold("-a#")
    let shared = source.stream.share()
    let (plain, retried) = (m.record(shared), m.record(shared.retry(1)))
    m.clock.run()
    plain.expect("-a#")
    retried.expect("-a-a#")
    source.expectSubscriptions("^-!", "--^-!")
  }

  @Test func `a source that emits immediately reaches the first subscriber directly, and others by replay`() {
    let shared = Observable.of(1, 2).concat(.never()).share(replay: 1)
    let bag = DisposeBag()
    var log: [String] = []
    shared.subscribe(onNext: { log.append("a\($0)") }).disposed(by: bag)
    shared.subscribe(onNext: { log.append("b\($0)") }).disposed(by: bag)
    #expect(log == ["a1", "a2", "b2"])
  }

  @Test func `a subscriber that leaves during an event doesn't receive it, and one that joins only by replay`() {
    let source = PublishSubject<Int>()
    let shared = source.share(replay: 1)
    let bag = DisposeBag()
    let second = SerialDisposable()
    var log: [String] = []
    shared.subscribe(onNext: { value in
      log.append("a\(value)")
      guard value == 1 else { return }
      second.dispose()
      shared.subscribe(onNext: { log.append("c\($0)") }).disposed(by: bag)
    }).disposed(by: bag)
    second.disposable = shared.subscribe(onNext: { log.append("b\($0)") })
    source.onNext(1)
    source.onNext(2)
    #expect(log == ["a1", "c1", "a2", "c2"])
  }

  @Test func `values emitted during a replay follow it, in order`() {
    let source = PublishSubject<Int>()
    let shared = source.share(replay: 3)
    let bag = DisposeBag()
    var values: [Int] = []
    shared.subscribe().disposed(by: bag)
    for value in 1...3 { source.onNext(value) }
    shared.subscribe(onNext: { value in
      values.append(value)
      if value == 1 { source.onNext(4) }
    }).disposed(by: bag)
    source.onNext(5)
    #expect(values == [1, 2, 3, 4, 5])
  }

  @Test func `a subscriber that makes all others leave during a replay keeps the source`() {
    let m = Marbles()
    let source = m.cold("a-b")
    let shared = source.stream.share(replay: 1)
    let first = m.record(shared)
    m.clock.run(until: .zero)
    let second = m.record(shared.do(onNext: { _ in first.dispose() }))
    m.clock.run()
    second.expect("a-b")
    source.expectSubscriptions("^")
  }

  @Test func `the last subscriber that leaves during a replay ends the source`() {
    let m = Marbles()
    let source = m.cold("a-b")
    let shared = source.stream.share(replay: 1)
    let first = m.record(shared)
    m.clock.run(until: .zero)
    let second = m.record(shared.do(onNext: { _ in first.dispose() }).take(1))
    let third = m.record(shared)
    m.clock.run()
    second.expect("(a|)")
    third.expect("a-b")
    source.expectSubscriptions("(^!)", "^")
  }

  @Test func `a source that ends during a replay ends the subscriber after the replay`() {
    for end in [{ $0.onCompleted() }, { $0.onError(MarbleError()) }] as [(PublishSubject<Int>) -> Void] {
      let source = PublishSubject<Int>()
      let shared = source.share(replay: 2)
      let bag = DisposeBag()
      var log: [String] = []
      shared.subscribe().disposed(by: bag)
      for value in 1...2 { source.onNext(value) }
      shared.subscribe { event in
        log.append(event.element.map { "\($0)" } ?? "end")
        if event.element == 1 { end(source) }
      }.disposed(by: bag)
      #expect(log == ["1", "2", "end"])
      #expect(!source.hasObservers)
    }
  }

  @Test func `a subscriber that joins during another's replay is counted`() {
    let source = PublishSubject<Int>()
    let shared = source.share(replay: 1)
    let bag = DisposeBag()
    let (first, second) = (SerialDisposable(), SerialDisposable())
    var log: [String] = []
    first.disposable = shared.subscribe()
    source.onNext(1)
    second.disposable = shared.subscribe(onNext: { value in
      log.append("b\(value)")
      guard value == 1 else { return }
      shared.subscribe(onNext: { log.append("c\($0)") }).disposed(by: bag)
      first.dispose()
    })
    second.dispose()
    source.onNext(2)
    #expect(log == ["b1", "c1", "c2"])
  }

  @Test func `keeps the contract`() {
    expectContract { source, _ in source.share() }
    expectContract { source, _ in source.share(replay: 1) }
  }
}
