@testable import Flow
import FlowTesting
import Testing

@Suite struct LoadTests {
  struct State {
    var load = Load<Character>()
    var next = Load<Character>()
    var log = ""
  }

  let m = Marbles()
  let go = Trigger()
  let retry = Trigger()
  let cancel = Trigger()
  let reset = Trigger()
  let state: Feedback<State>

  init() {
    state = Feedback(State(), on: m.clock)
    (go.name, retry.name) = ("refresh", "retry")
    state.on(go) { $0.load.start() }
    state.on(retry) { $0.load.retry() }
    state.on(cancel) { $0.load.cancel() }
    state.on(reset) { $0.load.reset() }
  }

  private func record() -> (value: Recording<Character?>, loading: Recording<Bool>, error: Recording<Failure?>) {
    (
      m.record(state.load.value) { $0 ?? "n" }, m.record(state.isLoading),
      m.record(state.failure) { $0 == nil ? "n" : "e" }
    )
  }

  @Test func `a started load begins with the first subscriber, and not again with the next`() {
    let source = m.cold("--a")
    let state = Feedback(Load<Character>.started("z"), on: m.clock)
    state.on(go) { $0.start() }
    state.react(to: \.self) { _ in source.stream }
    let value = m.record(state.value) { $0 ?? "n" }
    let error = m.record(state.failure) { $0?.trigger.first ?? "n" }
    m.clock.run()
    value.expect("z-a")
    error.expect("n--")
    source.expectSubscriptions("^-!")
    let loading = m.record(state.isLoading)
    #expect(loading.elements == [false])
  }

  @Test func `a load begins with the step, and its answer is a step`() {
    let source = m.cold("--a")
    state.react(to: \.load) { _ in source.stream }
    let (value, loading, error) = record()
    m.play("-g---g", into: go)
    m.clock.run()
    value.expect("  n--a")
    loading.expect("ft-f-t-f")
    error.expect("  n-----")
    source.expectSubscriptions("-^-!", "-----^-!")
  }

  @Test func `asynchronous code receives the part of the state that it reads, as of the load's beginning`() {
    let (state, sleep) = (Feedback(State(), on: m.clock), m.clock.sleep)
    state.on(go) { state in
      state.log += "g"
      state.load.start()
    }
    state.react(to: \.load, reading: \.log.count) { count in
      try await sleep(.milliseconds(200))
      return Character("\(count)")
    }
    let value = m.record(state.load.value) { $0 ?? "n" }
    m.play("-g---g", into: go)
    m.clock.run()
    value.expect("n--1---2")
  }

  @Test func `a load after another begins whenever the other has finished, with its value`() throws {
    var sources = [m.cold("--a"), m.cold("-b"), m.cold("-#"), m.cold("-c")]
    state.react(to: \.load) { _ in sources.removeFirst().stream }
    let sleep = m.clock.sleep
    state.react(to: \.next, after: \.load) { first in
      try await sleep(.milliseconds(200))
      return first == "a" ? "A" : "B"
    }
    let (value, loading, error) = record()
    let next = m.record(state.next.value) { $0 ?? "n" }
    m.play("  -g----g--g--g", into: go)
    m.clock.run()
    value.expect("  n--a---b-----c")
    next.expect("   n----A---B")
    loading.expect("ft---ft---f-t--f")
    error.expect("  n---------e-n")
    #expect(sources.isEmpty)
  }

  @Test func `a new start drops the previous run, whose answer is ignored`() {
    var sources = [m.cold("---a"), m.cold("---b")]
    state.react(to: \.load) { _ in sources.removeFirst().stream }
    let (value, loading, _) = record()
    m.play("-g-g", into: go)
    m.clock.run()
    value.expect("  n-----b")
    loading.expect("ft----f")
  }

  @Test func `a rule that throws fails the finished load, and later rules don't run`() {
    struct Wrong: Error {}
    let source = m.cold("-a")
    state.react(to: \.load) { _ in source.stream }
    state.on(finished: \.load) { state, value in state.log.append(value) }
    state.on(finished: \.load) { state, _ in
      state.log += "!"
      throw Wrong()
    }
    state.on(finished: \.load) { state, _ in state.log += "later" }
    let (_, loading, error) = record()
    let finished = m.record(state.finished(\.load))
    m.play("-g", into: go)
    m.clock.run()
    loading.expect(" ftf")
    error.expect("   n-e")
    finished.expect("---")
    #expect(state.state.log == "a")
    #expect(state.state.load.failure?.message == "the source failed: Wrong()")
  }

  @Test func `a failure stays until the load begins again`() throws {
    var sources = [m.cold("-#"), m.cold("--#"), m.cold("-a")]
    state.react(to: \.load) { _ in sources.removeFirst().stream }
    let (value, loading, error) = record()
    m.play("-g--------", into: go)
    m.play("----r---r-", into: retry)
    m.clock.run()
    value.expect("  n--------a")
    loading.expect("ftf-t-f-tf")
    error.expect("  n-e-n-e-n-")
    let failures = error.elements.compactMap(\.self)
    #expect(failures.map(\.trigger) == ["refresh", "retry"])
    #expect(failures.map(\.number) == [1, 2])
    #expect(failures[0].message == "the source failed: MarbleError()" && failures[0].code == -32012)
  }

  @Test func `an end without a value is a failure, and the first value is the result`() {
    var sources = [m.cold("-|"), m.cold("-ab|")]
    state.react(to: \.load) { _ in sources.removeFirst().stream }
    let (value, _, error) = record()
    m.play("-g-g---", into: go)
    m.clock.run()
    value.expect("n---a")
    error.expect("n-en")
    #expect(error.elements[1]?.message == "the source ended without a value")
  }

  @Test func `cancel drops the run, and reset clears value and failure`() {
    var sources = [m.cold("-a"), m.cold("---b"), m.cold("-#")]
    state.react(to: \.load) { _ in sources.removeFirst().stream }
    let (value, loading, error) = record()
    m.play("-g--g---g", into: go)
    m.play("-----c---", into: cancel)
    m.play("----------r", into: reset)
    m.clock.run()
    value.expect("  n-a-------n")
    loading.expect("ftf-tf--tf")
    error.expect("  n--------en")
  }

  @Test func `retry begins only after a failure, startIfIdle only without a run`() {
    var load = Load<Int>()
    load.retry()
    #expect(!load.isRunning && load.number == 0)
    load.startIfIdle()
    load.startIfIdle()
    let number = load.number
    #expect(load.isRunning && number > 0)
    load.retry()
    #expect(load.number == number)
    load.receive(5, of: number)
    #expect(load.value == 5 && !load.isRunning)
  }

  @Test func `a step after a load runs in the same step, and work that it begins has the same origin`() {
    state.react(to: \.load) { _ in .just("a") }
    state.react(to: \.next) { _ in .error(MarbleError()) }
    state.on(finished: \.load) { state, value in
      state.log.append(value)
      state.next.start()
    }
    let log = m.record(state.log) { $0.last ?? "-" }
    let (_, loading, error) = record()
    go.on(.next(()))
    log.expect("(-a)")
    loading.expect("f")
    #expect(error.elements.last??.trigger == "refresh")
  }

  @Test func `the failure output shows the newest current failure`() {
    let other = Trigger()
    other.name = "other"
    state.on(other) { $0.next.start() }
    var answers: [Observable<Character>] = [.error(MarbleError()), .never(), .just("a")]
    state.react(to: \.load) { _ in answers.removeFirst() }
    state.react(to: \.next) { _ in .error(MarbleError()) }
    let (_, _, error) = record()
    go.on(.next(()))
    other.on(.next(()))
    #expect(error.elements.map { $0?.trigger } == [nil, "refresh", "other"])
    go.on(.next(()))
    #expect(error.elements.map { $0?.number } == [nil, 1, 2])
    other.on(.next(()))
    #expect(error.elements.map { $0?.number } == [nil, 1, 2, 3])
    state.core.change { $0.next.reset() }
    go.on(.next(()))
    #expect(error.elements.map { $0?.number } == [nil, 1, 2, 3, nil])
  }

  @Test func `a loaded value is sent once per run`() {
    state.react(to: \.load) { _ in .just("a") }
    let values: Recording<Character> = m.record(state.finished(\.load))
    let times: Recording<Void> = m.record(state.finished(\.load))
    go.on(.next(()))
    go.on(.next(()))
    values.expect("(aa)")
    times.expect("(xx)")
  }

  @Test func `a load without a rule fails, and its message names the missing rule`() {
    let saved: Signal<Void> = state.finished(\.load)
    _ = saved
    let (_, loading, error) = record()
    go.on(.next(()))
    loading.expect("f")
    #expect(error.elements.last??.message.hasSuffix(".load; add react(to:)") == true, "\(error.elements)")
  }

  @Test func `a failure reason provides code and message of the failure`() {
    struct Gone: FailureReason {
      let code = 410
      let message = "it is gone"
      let isRetryable = true
    }
    state.react(to: \.load) { _ in .error(Gone()) }
    let (_, _, error) = record()
    go.on(.next(()))
    #expect(
      error.elements.last == Failure(code: 410, message: "it is gone", retryable: true, trigger: "refresh", number: 1))
  }
}
