import Flow
import FlowTesting
import Testing

/// A list that is loaded page by page, as small as it can be.
private struct Feed: Equatable {
  enum Event {
    case began(Int)
    case loaded(Int)
    case failed
  }

  var pages = 0
  var isLoading = false
  var failures = 0

  var nextPage: Int? { isLoading ? nil : pages + 1 }

  mutating func apply(_ event: Event) {
    switch event {
    case .began: isLoading = true
    case .loaded(let page): (pages, isLoading) = (page, false)
    case .failed: (failures, isLoading) = (failures + 1, false)
    }
  }

  static func stream(
    refresh: Observable<Int>, bottom: Observable<Void>, load: @escaping (Int) -> Observable<Int>
  ) -> Observable<Feed> {
    .folding(Feed(), { $0.apply($1) }) { feed in
      merge(refresh, bottom.withLatestFrom(feed).compactMap(\.nextPage)).flatMapLatest { page in
        load(page).map { .loaded($0) }.catch { _ in .just(.failed) }.startWith(.began(page))
      }
    }
  }
}

@Suite struct FoldingTests {
  @Test func `the initial state comes first, and then one for each event`() {
    let m = Marbles()
    let source = m.hot("-1-2-3")
    m.expect(.folding(0, { $0 += $1 }) { _ in source.stream.compactMap(\.wholeNumberValue) }, "01-3-6")
    source.expectSubscriptions("^-----!")
  }

  @Test func `the end of the events ends the states, after all events were folded`() {
    for end in ["|", "#"] {
      let m = Marbles()
      let source = m.cold(Diagram("-1-1" + end))
      m.expect(.folding(0, { $0 += $1 }) { _ in source.stream.compactMap(\.wholeNumberValue) }, Diagram("01-2" + end))
      source.expectSubscriptions("^---!")
    }
    Marbles().expect(.folding(0, { $0 += $1 }) { _ in .of(1, 2) }, "(013|)")
    Marbles().expect(.folding(0, { $0 += $1 }) { _ in .empty() }, "(0|)")
    Marbles().expect(.folding(0, { (_: inout Int, _: Int) in }) { _ in .error(MarbleError()) }, "(0#)")
    Marbles().expect(.folding(0, { (_: inout Int, _: Int) in }) { _ in .never() }, "0---")
  }

  @Test func `each subscriber has a state of its own`() {
    let m = Marbles()
    let source = m.hot("-1-1-1")
    let states = Observable.folding(0, { $0 += $1 }) { _ in source.stream.compactMap(\.wholeNumberValue) }
    let first = m.record(states)
    m.clock.run(until: .milliseconds(200))
    let second = m.record(states)
    m.clock.run()
    first.expect("01-2-3")
    second.expect("--01-2")
  }

  @Test func `a load shows, and so does its answer`() {
    let m = Marbles()
    let (refresh, bottom) = (PublishSubject<Int>(), PublishSubject<Void>())
    let feed = Feed.stream(refresh: refresh.asObservable(), bottom: bottom.asObservable()) { page in
      m.cold("---p|", values: ["p": page]).stream
    }.share(replay: 1)
    let pages = m.record(feed.map(\.pages).distinctUntilChanged())
    let loading = m.record(feed.map(\.isLoading).distinctUntilChanged())
    m.play("r", into: refresh, values: ["r": 1])
    m.play("-----bbb-----b", into: bottom)
    m.clock.run(until: .seconds(2))
    pages.expect("0--1----2-------3")
    loading.expect("(ft)--f-t--f----t--f")
  }

  @Test func `a source that answers at once leaves nothing loading`() {
    let (refresh, bottom) = (PublishSubject<Int>(), PublishSubject<Void>())
    let feed = Feed.stream(refresh: refresh.asObservable(), bottom: bottom.asObservable()) { .just($0) }.share(
      replay: 1)
    let bag = DisposeBag()
    var log: [String] = []
    feed.map(\.isLoading).distinctUntilChanged().subscribe(onNext: { log.append("loading \($0)") }).disposed(by: bag)
    feed.map(\.pages).distinctUntilChanged().subscribe(onNext: { log.append("pages \($0)") }).disposed(by: bag)
    bottom.onNext(())
    bottom.onNext(())
    #expect(
      log == [
        "loading false", "pages 0", "loading true", "loading false", "pages 1", "loading true", "loading false",
        "pages 2",
      ])
  }

  @Test func `a source that answers at once and asks for more in reply is told states in order`() {
    let (refresh, bottom) = (PublishSubject<Int>(), PublishSubject<Void>())
    let feed = Feed.stream(refresh: refresh.asObservable(), bottom: bottom.asObservable()) { .just($0) }.share(
      replay: 1)
    let bag = DisposeBag()
    var (first, second): ([Feed], [Feed]) = ([], [])
    feed.subscribe(onNext: { state in
      first.append(state)
      if state.pages < 3 { bottom.onNext(()) }
    }).disposed(by: bag)
    feed.subscribe(onNext: { second.append($0) }).disposed(by: bag)
    #expect(first.map(\.pages) == [0, 0, 1, 1, 2, 2, 3])
    #expect(first.map(\.isLoading) == [false, true, false, true, false, true, false])
    #expect(second == [first[6]])
    bottom.onNext(())
    #expect(second.map(\.pages) == [3, 3, 4] && second.map(\.isLoading) == [false, true, false])
    #expect(Array(first.suffix(2)) == Array(second.suffix(2)))
  }

  @Test func `an event emitted while a state is on its way waits until everybody has that state`() {
    let input = PublishSubject<Int>()
    let states = Observable.folding(0, { $0 = $0 * 10 + $1 }) { _ in input.asObservable() }.share(replay: 1)
    let bag = DisposeBag()
    var log: [String] = []
    states.subscribe(onNext: { state in
      log.append("a\(state)")
      if state == 1 {
        input.onNext(2)
        input.onNext(3)
        log.append("fed")
      }
    }).disposed(by: bag)
    states.subscribe(onNext: { log.append("b\($0)") }).disposed(by: bag)
    input.onNext(1)
    #expect(log == ["a0", "b0", "a1", "fed", "b1", "a12", "b12", "a123", "b123"])
  }

  @Test func `an event emitted while the first state is on its way is not lost`() {
    let input = PublishSubject<Int>()
    var states: [Int] = []
    let subscription = Observable.folding(0, { $0 += $1 }) { _ in input.asObservable() }.subscribe(onNext: { state in
      states.append(state)
      if state == 0 { input.onNext(1) }
    })
    #expect(states == [0, 1])
    subscription.dispose()
  }

  @Test func `events that come while the events are subscribed to follow the first state`() {
    Marbles().expect(.folding(0, { $0 += $1 }) { _ in Observable.of(1, 1).concat(.never()) }, "(012)")
  }

  @Test func `events may be made of the states`() {
    var states: [Int] = []
    let subscription = Observable.folding(1, { $0 += $1 }) { states in
      states.filter { $0 < 100 }
    }.subscribe(onNext: { states.append($0) })
    #expect(states == [1, 2, 4, 8, 16, 32, 64, 128])
    subscription.dispose()
  }

  @Test func `what follows the states is told each of them once, in order, before the subscriber`() {
    let input = PublishSubject<Int>()
    var log: [String] = []
    let subscription = Observable.folding(0, { $0 += $1 }) { states in
      merge(input.asObservable(), states.do(onNext: { log.append("inside \($0)") }).ignoreElements())
    }.subscribe(onNext: { log.append("outside \($0)") })
    input.onNext(1)
    input.onNext(1)
    #expect(log == ["inside 0", "outside 0", "inside 1", "outside 1", "inside 2", "outside 2"])
    subscription.dispose()
  }

  @Test func `a sample is the newest state, for the subscriber and for those inside, first or last`() {
    for isSampledFirst in [true, false] {
      let (input, probe) = (PublishSubject<Int>(), PublishSubject<Void>())
      var samples: [String] = []
      let subscription = Observable.folding(0, { $0 += $1 }) { states in
        let sampled = probe.withLatestFrom(states).do(onNext: { samples.append("\($0)") }).ignoreElements()
        let probing = states.do(onNext: { _ in probe.onNext(()) }).ignoreElements()
        let parts = isSampledFirst ? [sampled, probing] : [probing, sampled]
        return Observable.merge([input.asObservable()] + parts)
      }.subscribe(onNext: { _ in probe.onNext(()) })
      input.onNext(1)
      #expect(samples.suffix(2) == ["1", "1"])
      subscription.dispose()
    }
  }

  @Test func `a sample of what is made of the states is no older than the subscriber's`() {
    let (input, probe) = (PublishSubject<Int>(), PublishSubject<Void>())
    var samples: [Int] = []
    let subscription = Observable.folding(0, { $0 += $1 }) { states in
      let sampled = probe.withLatestFrom(states.map { $0 * 10 }).do(onNext: { samples.append($0) }).ignoreElements()
      return merge(input.asObservable(), sampled)
    }.subscribe(onNext: { _ in probe.onNext(()) })
    input.onNext(1)
    input.onNext(1)
    #expect(samples == [0, 10, 20])
    subscription.dispose()
  }

  @Test func `a failure of a load is a state, and the next load works`() {
    let m = Marbles()
    let (refresh, bottom) = (PublishSubject<Int>(), PublishSubject<Void>())
    let feed = Feed.stream(refresh: refresh.asObservable(), bottom: bottom.asObservable()) { page in
      page == 1 && m.clock.now < .milliseconds(300) ? m.cold("-#").stream.map { _ in 0 } : .just(page)
    }.share(replay: 1)
    let failures = m.record(feed.map(\.failures).distinctUntilChanged())
    let pages = m.record(feed.map(\.pages).distinctUntilChanged())
    m.play("-b--b", into: bottom)
    m.clock.run()
    failures.expect("0-1")
    pages.expect("0---1")
  }

  @Test func `disposal leaves all sources and folds nothing more`() {
    let m = Marbles()
    let source = m.hot("-1-1-1")
    let inner = m.cold("1")
    let recording = m.record(
      .folding(0, { $0 += $1 }) { states in
        merge(
          source.stream.compactMap(\.wholeNumberValue),
          states.flatMapLatest { _ in inner.stream }.map { _ in 0 }.skip(9))
      })
    m.clock.run(until: .milliseconds(200))
    recording.dispose()
    m.clock.run()
    recording.expect("01")
    source.expectSubscriptions("^-!")
    #expect(inner.subscriptions.last == "-^!")
  }

  @Test func `disposal by a state drops the events that wait`() {
    let input = PublishSubject<Int>()
    let subscription = SerialDisposable()
    var (states, folds) = ([0], 0)
    states = []
    subscription.disposable = Observable.folding(0) { state, event in
      folds += 1
      state += event
    } _: { _ in
      input.asObservable()
    }.subscribe(onNext: { state in
      states.append(state)
      if state == 1 {
        input.onNext(1)
        subscription.dispose()
        input.onNext(1)
      }
    })
    input.onNext(1)
    #expect(states == [0, 1] && folds == 1)
    #expect(!input.hasObservers)
  }

  @Test func `the state is changed in place while nobody keeps it`() {
    struct State {
      final class Storage {}
      var storage = Storage()
      var copies = 0
    }
    let input = PublishSubject<Void>()
    var copies = 0
    let subscription = Observable.folding(State()) { state, _ in
      if !isKnownUniquelyReferenced(&state.storage) { state = State(copies: state.copies + 1) }
    } _: { _ in
      input.asObservable()
    }.subscribe(onNext: { copies = $0.copies })
    for _ in 0..<10 { input.onNext(()) }
    #expect(copies <= 1, "once at most: the initial state, which the stream keeps for its next subscriber")
    subscription.dispose()
  }

  @Test func `leaves nothing in memory`() {
    expectContract { source, _ in
      Observable<[Token]>.folding([], { $0.append($1) }) { states in
        source.withLatestFrom(states) { token, _ in token }
      }.skip(1)
    }
    expectContract { source, _ in
      Observable<[Token]>.folding([], { $0.append($1) }) { states in
        source.withLatestFrom(states.map { $0 }) { token, _ in token }
      }.skip(1).share(replay: 1)
    }
  }
}
