import FlowTesting
import Testing

@testable import Flow

/// Disturbances of a turn from inside.
@Suite final class ReentrancyTests {
  struct State {
    var count = 0
    var load = Load<Int>()
    var other = Load<Int>()
  }

  let m = Marbles()
  let go = Trigger()
  let add = Port<Int>()
  let state: Feedback<State>
  let bag = DisposeBag()
  var errors: [String] = []

  init() {
    state = Feedback(State(), on: m.clock)
    (go.name, add.name) = ("go", "add")
    state.on(go) { $0.load.start() }
    state.on(add) { $0.count += $1 }
    for path in [\State.load, \.other] { state.react(to: path) { _ in .never() } }
    state.isLoading.turn.reportErrors { [unowned self] in errors.append($0) }
  }

  // MARK: - Turns without end

  @Test func `a load that begins itself again stops after a thousand steps, and is reported`() {
    var asked = 0
    state.react(to: \.load) { _ in
      asked += 1
      return .just(asked)
    }
    state.on(finished: \.load) { state, _ in state.load.start() }
    let values = m.record(state.load.value) { _ in "v" }
    go.on(.next(()))
    #expect(errors == ["a turn was stopped after 1000 steps, because each step caused another one"])
    #expect(asked == 1000)
    values.expect("(vv)")
    // The state still wants the load, so the next turn tries again.
    add.on(.next(1))
    #expect(errors.count == 2 && asked == 2000 && state.state.count == 1)
  }

  @Test func `a subscriber that answers each value by an input is stopped, too`() {
    state.count.subscribe { [add] _ in add.on(.next(1)) }.disposed(by: bag)
    #expect(errors.count == 1)
    let count = state.state.count
    #expect(count > 900 && count <= 1000)
    add.on(.next(0))
    #expect(state.state.count == count)
  }

  @Test func `calls of a stopped turn are answered`() {
    var outcomes: [Outcome] = []
    state.count.subscribe { [add] count in
      if count > 0 { _ = add.receive(1, whenOver: { outcomes.append($0) }) }
    }.disposed(by: bag)
    _ = add.receive(1, whenOver: { outcomes.append($0) })
    #expect(outcomes.count == 1001)
    #expect(outcomes.filter { $0 == .dropped }.count == 1)
  }

  // MARK: - Parts without rules

  @Test func `a part that requests something without a rule is reported with the remedy`() {
    struct State {
      var known = Load<Int>()
      var unknown = Load<Int>()
      var jobs = Jobs<Int, Int>(.queued)
      var rest = Pause()
      var typing = Pause()
      var home = Pulse<Void>()
      var count = 0
    }
    let state = Feedback(State(), on: m.clock)
    state.react(to: \.known) { _ in .never() }
    state.on(\.typing, after: .seconds(1)) { _ in }
    #expect(
      state.count.turn.errors == [
        "State.unknown has no rule: add react(to: \\.unknown)",
        "State.jobs has no rule: add react(to: \\.jobs)",
        "State.rest has no rule: add on(\\.rest, after:)",
        "State.home has no rule: make it an output, or forward it with forward(\\.home, to:)",
      ])
  }

  // MARK: - Inputs in a turn

  @Test func `an input that a subscriber sends runs after the drivers were sent`() {
    var log: [String] = []
    state.count.subscribe { [add] count in
      log.append("a\(count)")
      if count == 1 {
        add.on(.next(1))
        log.append("sent")
      }
    }.disposed(by: bag)
    state.count.subscribe { log.append("b\($0)") }.disposed(by: bag)
    log = []
    add.on(.next(1))
    #expect(log == ["a1", "sent", "b1", "a2", "b2"])
  }

  @Test func `an input that a signal's subscriber sends runs in the same turn`() {
    let went = state.on(go) { $0.count }
    var log: [String] = []
    went.subscribe { [add] count in
      log.append("went \(count)")
      add.on(.next(1))
    }.disposed(by: bag)
    state.count.subscribe { log.append("\($0)") }.disposed(by: bag)
    log = []
    go.on(.next(()))
    #expect(log == ["went 0", "1"])
  }

  @Test func `a refusal without a caller is reported`() {
    let refusing = Trigger()
    refusing.name = "save"
    state.on(refusing) { _ in throw Refusal("text", mustBe: "something") }
    state.count.subscribe { [refusing] count in if count == 1 { #expect(refusing.receive(()) == nil) } }.disposed(
      by: bag)
    add.on(.next(1))
    #expect(
      errors == [
        "'save' was refused during another input's turn, so its caller doesn't receive the refusal: 'text' must be something"
      ])
  }

  @Test func `an input that an effect sends is a step of the same turn`() {
    state.react(to: \.load) { [add] _ in
      add.on(.next(5))
      return .just(1)
    }
    var log: [String] = []
    state.count.subscribe { log.append("count \($0)") }.disposed(by: bag)
    state.load.value.subscribe { log.append("value \($0 ?? 0)") }.disposed(by: bag)
    log = []
    go.on(.next(()))
    #expect(log == ["count 5", "value 1"])
  }

  @Test func `an input that restarts the load drops the queued answer`() {
    var answers = [1, 2]
    state.react(to: \.load) { [go] _ in
      if answers.count == 2 { go.on(.next(())) }
      return .just(answers.removeFirst())
    }
    let values = m.record(state.load.value) { $0.map { Character("\($0)") } ?? "n" }
    go.on(.next(()))
    values.expect("(n2)")
    #expect(answers.isEmpty)
  }

  @Test func `two view models that send to each other have separate turns`() {
    struct Other { var sum = 0 }
    let other = Feedback(Other(), on: m.clock)
    let more = Port<Int>()
    other.on(state.count) { state, count in state.sum += count }
    other.on(more) { $0.sum += $1 }
    var sums: [Int] = []
    other.sum.subscribe { sums.append($0) }.disposed(by: bag)
    state.count.subscribe { [more] count in if count < 3 { more.on(.next(10)) } }.disposed(by: bag)
    other.sum.subscribe { [add] sum in if sum < 40 { add.on(.next(1)) } }.disposed(by: bag)
    #expect(sums.last == other.state.sum && errors.isEmpty)
  }

  // MARK: - Effects that misbehave

  @Test func `of a source that answers twice, and after it was dropped, only the first answer counts`() {
    var sources: [Observer<Int>] = []
    state.react(to: \.load) { _ in
      .create { observer in
        sources.append(observer)
        return AnyDisposable.empty
      }
    }
    let values = m.record(state.load.value) { $0.map { Character("\($0)") } ?? "n" }
    go.on(.next(()))
    go.on(.next(()))
    sources[0].onNext(1)
    sources[1].onNext(2)
    sources[1].onNext(3)
    sources[1].onError(MarbleError())
    sources[0].onCompleted()
    values.expect("(n2)")
    #expect(state.state.load.failure == nil)
  }

  @Test func `of a source that answers during the subscription and continues, only the first answer counts`() {
    state.react(to: \.load) { _ in
      .create { observer in
        for value in 1...3 { observer.onNext(value) }
        observer.onCompleted()
        return AnyDisposable.empty
      }
    }
    let values = m.record(state.load.value) { $0.map { Character("\($0)") } ?? "n" }
    go.on(.next(()))
    values.expect("(n1)")
  }

  @Test func `inputs that an effect sends when it is dropped belong to the turn`() {
    state.react(to: \.load) { [add] _ in
      .create { _ in AnyDisposable { add.on(.next(1)) } }
    }
    let count = m.record(state.count)
    go.on(.next(()))
    go.on(.next(()))
    count.expect("(01)")
    count.dispose()
    #expect(state.state.count == 2)
  }

  @Test func `a source that never answers doesn't block the others`() {
    state.react(to: \.load) { _ in .never() }
    state.react(to: \.other) { _ in .just(1) }
    let begin = Trigger()
    state.on(begin) { $0.other.start() }
    let loading = m.record(state.isLoading)
    go.on(.next(()))
    begin.on(.next(()))
    loading.expect("(ft)")
    #expect(state.state.other.value == 1)
  }

  // MARK: - Leaving in a turn

  @Test func `an effect whose subscriber leaves while it begins isn't subscribed to`() {
    let source = m.cold("-1", values: ["1": 1])
    var subscription: (any Disposable)?
    state.react(to: \.load) { _ in
      subscription?.dispose()
      return source.stream
    }
    var asked = 0
    state.react(to: \.other) { _ in
      asked += 1
      return .never()
    }
    state.on(go) { $0.other.start() }
    subscription = state.count.subscribe { _ in }
    go.on(.next(()))
    source.expectSubscriptions()
    #expect(asked == 0 && state.core.runs.value == 0)
  }

  @Test func `a subscriber that leaves in its own turn receives nothing more, and the work is dropped`() {
    let source = m.cold("---1", values: ["1": 1])
    state.react(to: \.load) { _ in source.stream }
    state.on(go) { $0.count += 1 }
    var seen: [Int] = []
    var subscription: (any Disposable)?
    subscription = state.count.subscribe { count in
      seen.append(count)
      if count == 1 { subscription?.dispose() }
    }
    m.play("-g-g", into: go)
    m.clock.run()
    #expect(seen == [0, 1])
    source.expectSubscriptions("-(^!)")
    #expect(state.state.load.isRunning)
  }

  @Test func `a subscriber that joins in a turn receives the newest value, and each change once`() {
    var seen: [Int] = []
    state.count.subscribe { [unowned self] count in
      if count == 1 { state.count.subscribe { seen.append($0) }.disposed(by: bag) }
    }.disposed(by: bag)
    add.on(.next(1))
    add.on(.next(1))
    #expect(seen == [1, 2])
  }

  @Test func `a subscriber that joins after all have left in the same turn begins the work again`() {
    var asked = 0
    state.react(to: \.load) { _ in
      asked += 1
      return .never()
    }
    var subscription: (any Disposable)?
    subscription = state.count.subscribe { [unowned self] count in
      if count == 1 {
        subscription?.dispose()
        state.isLoading.subscribe { _ in }.disposed(by: bag)
      }
    }
    go.on(.next(()))
    #expect(asked == 1)
    add.on(.next(1))
    #expect(asked == 2 && state.core.runs.value == 1)
  }

  // MARK: - First and last subscribers

  @Test func `work runs once for all subscribers`() {
    let source = m.cold("--1", values: ["1": 1])
    state.react(to: \.load) { _ in source.stream }
    for _ in 1...3 {
      state.load.value.subscribe { _ in }.disposed(by: bag)
      state.isLoading.subscribe { _ in }.disposed(by: bag)
    }
    m.play("-g", into: go)
    m.clock.run()
    source.expectSubscriptions("-^-!")
  }

  @Test func `wanted work begins with the first subscriber, and again with the next after all have left`() {
    let source = m.cold("----1", values: ["1": 1])
    state.react(to: \.load) { _ in source.stream }
    go.on(.next(()))
    m.clock.advance(by: .milliseconds(100))
    source.expectSubscriptions()
    let first = m.record(state.isLoading)
    m.clock.advance(by: .milliseconds(100))
    first.dispose()
    m.clock.advance(by: .milliseconds(100))
    let second = m.record(state.load.value) { $0 == nil ? "n" : "1" }
    m.clock.run()
    first.expect(" -t-----")
    second.expect("---n---1")
    source.expectSubscriptions("-^!", "---^---!")
  }

  @Test func `the failure of a load that is wanted from the start has the trigger open`() {
    var wanted = State()
    wanted.load.start()
    let state = Feedback(wanted, on: m.clock)
    state.react(to: \.load) { _ in .error(MarbleError()) }
    let error = m.record(state.failure) { $0 == nil ? "n" : "e" }
    error.expect("e")
    #expect(error.elements.last??.trigger == "open")
  }

  @Test func `held subscribers begin together, and miss no event`() {
    var wanted = State()
    wanted.load.start()
    let state = Feedback(wanted, on: m.clock)
    state.react(to: \.load) { _ in .just(1) }
    let turn = state.isLoading.turn
    turn.hold()
    let value = m.record(state.load.value) { $0 == nil ? "n" : "1" }
    let loaded: Recording<Void> = m.record(state.finished(\.load))
    turn.release()
    value.expect("(n1)")
    loaded.expect("x")
  }
}
