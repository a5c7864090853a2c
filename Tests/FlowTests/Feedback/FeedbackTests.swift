@testable import Flow
import FlowTesting
import Testing

@Suite struct FeedbackTests {
  struct State {
    var text = ""
    var count = 0
    var load = Load<Int>()
    var other = Load<Int>()
  }

  let m = Marbles()
  let text = Port<String>()
  let go = Trigger()
  let state: Feedback<State>

  init() { state = Feedback(State(), on: m.clock) }

  // MARK: - Steps

  @Test func `steps run without subscribers`() {
    state.on(text) { $0.text = $1 }
    state.on(go) { $0.count += 1 }
    text.on(.next("a"))
    go.on(.next(()))
    #expect(state.state.text == "a")
    #expect(state.count.value == 1)
  }

  @Test func `a turn sends each driver that changed its value, once`() {
    state.on(go) { state in
      state.count += 1
      state.load.start()
    }
    state.react(to: \.load) { state in .just(state.count * 2) }
    let values = m.record(state.load.value) { $0.map { Character("\($0)") } ?? "n" }
    let count = m.record(state.count)
    let texts = m.record(state.text) { _ in "t" }
    let loading = m.record(state.isLoading)
    m.play("-g-g-", into: go)
    m.clock.run()
    values.expect("n2-4")
    count.expect(" 01-2")
    texts.expect(" t---")
    loading.expect("f---")
  }

  @Test func `drivers are sent in the order of subscription, then signals in the order of their events`() {
    var log: [String] = []
    let bag = DisposeBag()
    let went = state.on(go) { state in
      state.text += "x"
      state.load.start()
      return "went"
    }
    state.react(to: \.load) { _ in .just(1) }
    state.on(finished: \.load) { state, _ in state.count += 1 }
    state.finished(\.load).subscribe { (_: Int) in log.append("loaded") }.disposed(by: bag)
    went.subscribe { log.append($0) }.disposed(by: bag)
    state.changes(of: \.count).subscribe { log.append("changed") }.disposed(by: bag)
    state.count.subscribe { log.append("count \($0)") }.disposed(by: bag)
    state.text.subscribe { log.append("text \($0)") }.disposed(by: bag)
    log = []
    go.on(.next(()))
    #expect(log == ["count 1", "text x", "went", "loaded", "changed"])
  }

  @Test func `rules of one input run in their order, each in a separate turn`() {
    state.on(go) { $0.count += 1 }
    state.on(go) { $0.count *= 2 }
    let count = m.record(state.count)
    go.on(.next(()))
    count.expect("(012)")
  }

  @Test func `a signal sends a step's result`() {
    let lengths = m.record(state.on(text) { _, text in text.count })
    let saved = m.record(state.on(go) { $0.count += 1 })
    text.on(.next("abc"))
    go.on(.next(()))
    lengths.expect("3")
    saved.expect("x")
  }

  @Test func `changes are sent once per turn, and only after the subscription`() {
    state.on(text) { $0.text = $1 }
    text.on(.next("a"))
    let changes = m.record(state.changes(of: \.text))
    for value in ["a", "b", "b", "c"] { text.on(.next(value)) }
    changes.expect("(xx)")
  }

  @Test func `an input with an interval drops calls that come too early`() {
    state.on(go, atMostEvery: .milliseconds(300)) { $0.count += 1 }
    let count = m.record(state.count)
    m.play("ggggg--gg-g", into: go)
    m.clock.run()
    count.expect("(01)--2---3--4")
  }

  @Test func `a value from elsewhere is followed from its current value on, while there are subscribers`() {
    let source = BehaviorSubject(3)
    state.on(source.asDriver()) { $0.count = $1 }
    #expect(state.state.count == 0 && !source.hasObservers)
    let count = m.record(state.count)
    source.onNext(4)
    count.dispose()
    source.onNext(5)
    #expect(state.state.count == 4 && !source.hasObservers)
    m.record(state.count).expect("5")
    count.expect("(34)")
  }

  @Test func `events from elsewhere are followed while there are subscribers`() {
    let source = PublishSubject<Int>()
    state.on(source.asObservable().asSignal { _ in nil }) { $0.count += $1 }
    source.onNext(1)
    let count = m.record(state.count)
    source.onNext(2)
    count.expect("(02)")
  }

  @Test func `another view model can change the state through a port`() {
    let way = state.port(String.self) { $0.text = $1 }
    let refusing = state.port(Int.self) { _, number in
      if number < 0 { throw Refusal("number", mustBe: "0 or more") }
    }
    let child = Port<String>()
    child.forward(to: way)
    child.on(.next("chosen"))
    #expect(state.state.text == "chosen")
    #expect(refusing.receive(-1) as? Refusal != nil)
  }

  // MARK: - Refusals

  @Test func `a step that throws changes nothing, and its caller receives the error`() throws {
    struct Odd: Error {}
    state.on(text) { state, text in
      state.text = text
      if text.isEmpty { throw Refusal("text", mustBe: "something", not: text) }
      if text == "?" { throw Odd() }
    }
    let texts = m.record(state.text) { $0.first ?? "-" }
    #expect(text.receive("a") == nil)
    let refusal = try #require(text.receive("") as? Refusal)
    #expect(refusal.parameter == "text" && "\(refusal)" == "'text' must be something")
    #expect(text.receive("?") is Odd)
    #expect(state.state.text == "a")
    texts.expect("(-a)")
  }

  @Test func `after a refusal the later rules don't run, and changes by earlier rules stay`() {
    state.on(text) { $0.text = $1 }
    state.on(text) { state, text in
      if text.isEmpty { throw Refusal("text", mustBe: "something") }
      state.count += 1
    }
    state.on(text) { state, _ in state.count += 10 }
    let streamed = m.record(text.stream) { $0.first ?? "-" }
    let signalled = m.record(text.signal) { $0.first ?? "-" }
    _ = text.receive("a")
    _ = text.receive("")
    #expect(state.state.text == "" && state.state.count == 11)
    streamed.expect("a")
    signalled.expect("a")
  }

  @Test func `a refused call doesn't count for the interval`() {
    state.on(text, atMostEvery: .seconds(1)) { state, text in
      if text.isEmpty { throw Refusal("text", mustBe: "something") }
      state.text += text
    }
    for value in ["", "a", "b"] { _ = text.receive(value) }
    #expect(state.state.text == "a")
  }

  @Test func `a step that can't throw changes the state in place`() {
    final class Storage {}
    struct Unique {
      var storage = Storage()
      var wasUnique: [Bool] = []
    }
    let state = Feedback(Unique(), on: m.clock)
    let throwing = Trigger()
    state.on(go) { $0.wasUnique.append(isKnownUniquelyReferenced(&$0.storage)) }
    state.on(throwing) { state throws(Refusal) in
      state.wasUnique.append(isKnownUniquelyReferenced(&state.storage))
    }
    go.on(.next(()))
    throwing.on(.next(()))
    #expect(state.state.wasUnique == [true, false])
  }

  // MARK: - Memory

  @Test func `nothing stays in memory after the inputs are closed and all subscribers have left`() {
    weak var held: Token?
    do {
      let count = Token.Count()
      let token = Token("a", count)
      held = token
      let (go, text) = (Trigger(), Port<String>())
      let state = Feedback(State(), on: m.clock)
      state.on(go) { [token] state in
        _ = token.name
        state.load.start()
      }
      state.on(text) { $0.text = $1 }
      state.react(to: \.load) { [token] _ in .just(token.name == "a" ? 1 : 2) }
      let bag = DisposeBag()
      state.load.value.subscribe { _ in }.disposed(by: bag)
      combine(state.count, state.text) { "\($0)\($1)" }.subscribe { _ in }.disposed(by: bag)
      state.finished(\.load).subscribe { (_: Int) in go.close() }.disposed(by: bag)
      go.on(.next(()))
      text.close()
    }
    #expect(held == nil)
  }
}
