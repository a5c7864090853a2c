import FlowTesting
import Testing

@testable import Flow

/// Calls that are answered when everything that they began is over.
@Suite final class WaitTests {
  struct State {
    var text = ""
    var one = Load<Int>()
    var two = Load<Int>()
    var typing = Pause()
    var chosen = Pulse<Int>()
  }

  let m = Marbles()
  let go = Trigger()
  let search = Port<String>()
  let cancel = Trigger()
  let state: Feedback<State>
  let one = PublishSubject<Int>()
  let two = PublishSubject<Int>()
  let bag = DisposeBag()
  var log: [String] = []

  init() {
    state = Feedback(State(), on: m.clock)
    (go.name, search.name) = ("go", "search")
    state.react(to: \.one) { [one] _ in one.asObservable() }
    state.react(to: \.two) { [two] _ in two.asObservable() }
    state.on(cancel) { state in
      state.one.cancel()
      state.two.cancel()
    }
  }

  private func listen() {
    state.one.value.subscribe { [unowned self] in log.append("one \($0 ?? 0)") }.disposed(by: bag)
    log = []
  }

  private func call(_ port: Trigger) {
    log.append(port.receive((), whenOver: { self.log.append("\($0)") }) == nil ? "" : "refused")
  }

  private var outcomes: [String] { log.filter { Outcome(rawValue: $0) != nil } }

  @Test func `a call is answered when its load is over, after its changes were sent`() {
    state.on(go) { $0.one.start() }
    listen()
    call(go)
    #expect(log == [""])
    one.onNext(5)
    #expect(log == ["", "one 5", "finished"])
  }

  @Test func `a call whose load answers immediately is answered at the end of its turn, after the signals`() {
    state.on(go) { $0.one.start() }
    state.react(to: \.one) { _ in .just(5) }
    listen()
    state.finished(\.one).subscribe { [unowned self] (_: Int) in log.append("loaded") }.disposed(by: bag)
    call(go)
    #expect(log == ["one 5", "loaded", "finished", ""])
  }

  @Test func `a call that begins nothing has the outcome nothing`() {
    state.on(go, atMostEvery: .seconds(1)) { $0.one.startIfIdle() }
    listen()
    for _ in 1...2 { call(go) }
    #expect(outcomes == ["nothing"])
    m.clock.advance(by: .seconds(1))
    call(go)
    #expect(outcomes == ["nothing", "nothing"])
  }

  @Test func `a step without work and an input without rules have the outcome nothing`() {
    state.on(go) { $0.text = "a" }
    listen()
    call(go)
    call(Trigger())
    #expect(outcomes == ["nothing", "nothing"])
  }

  @Test func `a newer run drops the call of the older one`() {
    state.on(go) { $0.one.start() }
    listen()
    call(go)
    call(go)
    #expect(outcomes == ["dropped"])
    one.onError(MarbleError())
    #expect(outcomes == ["dropped", "failed"])
  }

  @Test func `the worst of several outcomes counts, when all work is over`() {
    state.on(go) { state in
      state.one.start()
      state.two.start()
    }
    listen()
    call(go)
    one.onNext(1)
    #expect(outcomes == [])
    call(cancel)
    #expect(outcomes == ["dropped", "nothing"])
    call(go)
    one.onError(MarbleError())
    call(cancel)
    #expect(outcomes.suffix(2) == ["failed", "nothing"])
  }

  @Test func `a call also waits for work that begins when other work ends`() {
    state.on(go) { $0.one.start() }
    state.on(finished: \.one) { state, _ in state.two.start() }
    listen()
    call(go)
    one.onNext(1)
    #expect(outcomes == [])
    two.onError(MarbleError())
    #expect(outcomes == ["failed"])
  }

  @Test func `a call waits through a pause for the work after it, and a restarted pause drops the previous call`() {
    state.on(search) { state, text in
      state.text = text
      state.typing.start()
    }
    state.on(\.typing, after: .milliseconds(300)) { $0.one.start() }
    listen()
    for text in ["a", "ab"] { _ = search.receive(text, whenOver: { self.log.append("\(text) \($0)") }) }
    #expect(log == ["a dropped"])
    m.clock.run()
    #expect(log == ["a dropped"] && state.state.one.isRunning)
    one.onNext(3)
    #expect(log == ["a dropped", "one 3", "ab finished"])
  }

  @Test func `a pause without work has the outcome finished`() {
    state.on(go) { $0.typing.start() }
    state.on(\.typing, after: .milliseconds(300)) { $0.text = "!" }
    listen()
    call(go)
    #expect(outcomes == [])
    m.clock.run()
    #expect(outcomes == ["finished"])
  }

  @Test(
    arguments: [
      (300, nil, true), (1000, nil, true), (1001, nil, false), (5000, nil, false), (5000, true, true),
      (300, false, false),
    ] as [(Int, Bool?, Bool)])
  func `a pause of up to a second is awaited, unless its rule specifies otherwise`(
    milliseconds: Int, isAwaited: Bool?, isWaitedFor: Bool
  ) {
    state.on(go) { $0.typing.start() }
    state.on(\.typing, after: .milliseconds(milliseconds), isAwaited: isAwaited) { $0.one.start() }
    listen()
    call(go)
    #expect(outcomes == (isWaitedFor ? [] : ["nothing"]))
    m.clock.run()
    #expect(state.state.one.isRunning)
    one.onNext(1)
    #expect(outcomes == [isWaitedFor ? "finished" : "nothing"])
  }

  @Test func `without subscribers, current work is dropped`() {
    state.on(go) { state in
      state.one.start()
      state.typing.start()
    }
    state.on(\.typing, after: .seconds(1)) { $0.text = "!" }
    listen()
    call(go)
    bag.dispose()
    #expect(outcomes == ["dropped"])
    call(go)
    #expect(outcomes == ["dropped", "nothing"])
  }

  @Test func `a refused call has no outcome`() {
    state.on(go) { _ in throw Refusal("text", mustBe: "something") }
    listen()
    call(go)
    #expect(log == ["refused"])
  }

  @Test func `a forwarded call waits for the other state's work, whose failure has the other input's name`() {
    let child = Feedback(0, on: m.clock)
    let choose = Trigger()
    choose.name = "choose"
    child.on(choose) { $0 += 1 }
    choose.forward(to: go)
    state.on(go) { $0.one.start() }
    listen()
    call(choose)
    #expect(outcomes == [] && child.state == 1)
    one.onError(MarbleError())
    #expect(outcomes == ["failed"])
    #expect(state.failure.value?.trigger == "go")
  }

  @Test func `a port without a name leaves the failure the name of the child's input`() {
    let choose = Port<Int>()
    choose.name = "choose"
    choose.forward(to: state.port(Int.self) { state, _ in state.one.start() })
    listen()
    _ = choose.receive(1, whenOver: { self.log.append("\($0)") })
    one.onError(MarbleError())
    #expect(outcomes == ["failed"])
    #expect(state.failure.value?.trigger == "choose")
  }

  @Test func `a call waits for work that a pulse causes in another view model`() {
    let parent = Feedback(State(), on: m.clock)
    let more = Port<Int>()
    more.name = "more"
    parent.on(more) { state, _ in state.two.start() }
    parent.react(to: \.two) { [two] _ in two.asObservable() }
    parent.isLoading.subscribe { _ in }.disposed(by: bag)
    state.on(go) { $0.chosen.fire(1) }
    state.forward(\.chosen, to: more)
    listen()
    call(go)
    #expect(outcomes == [])
    two.onNext(1)
    #expect(outcomes == ["finished"])
  }

  @Test(arguments: ["driver", "signal of a step", "signal of the input"])
  func `a call waits for work of another state that follows this one`(followed: String) {
    let other = Feedback(State(), on: m.clock)
    switch followed {
    case "driver":
      state.on(go) { $0.text += "a" }
      other.on(combine(state.text, state.one.isRunning) { text, _ in text }) { other, _ in other.two.start() }
    case "signal of a step": other.on(state.on(go) { $0.text += "a" }) { other, _ in other.two.start() }
    default: other.on(state.signal(on: go) { _, _ in }) { other, _ in other.two.start() }
    }
    other.react(to: \.two) { [two] _ in two.asObservable() }
    other.isLoading.subscribe { _ in }.disposed(by: bag)
    call(go)
    #expect(outcomes == [])
    two.onNext(1)
    #expect(outcomes == ["finished"])
  }

  @Test func `a call waits for work that follows a part of its own state, until newer work replaces it`() {
    state.on(go) { $0.text += "a" }
    state.on(state.text) { state, _ in state.one.start() }
    listen()
    call(go)
    #expect(outcomes == [])
    call(go)
    #expect(outcomes == ["dropped"])
    one.onNext(1)
    #expect(outcomes == ["dropped", "finished"])
  }

  @Test func `a call doesn't wait for loads that begin because another state is opened`() {
    let other = Feedback(State(), on: m.clock)
    other.on(state.text) { other, _ in other.two.start() }
    other.react(to: \.two) { [two] _ in two.asObservable() }
    listen()
    state.on(go) { $0.text += "a" }.subscribe { [bag] in other.isLoading.subscribe { _ in }.disposed(by: bag) }
      .disposed(by: bag)
    call(go)
    #expect(outcomes == ["nothing"])
  }

  @Test func `a call in another call's turn is answered at the end of that turn`() {
    state.on(go) { $0.one.start() }
    state.on(search) { $0.text = $1 }
    listen()
    var isFirst = true
    state.text.subscribe { [unowned self] text in
      log.append("text \(text)")
      if text == "a", isFirst {
        isFirst = false
        call(go)
        log.append("sent")
      }
    }.disposed(by: bag)
    log = []
    _ = search.receive("a", whenOver: { self.log.append("search \($0)") })
    #expect(log == ["text a", "", "sent", "search nothing"])
    one.onNext(1)
    #expect(log.suffix(2) == ["one 1", "finished"])
  }

  @Test func `an answered call isn't answered again`() {
    state.on(go) { $0.one.start() }
    listen()
    call(go)
    one.onNext(1)
    one.onNext(2)
    call(cancel)
    #expect(outcomes == ["finished", "nothing"])
  }

  @Test func `outcomes are ordered by priority`() {
    #expect(Outcome.allCases.sorted() == [.nothing, .finished, .dropped, .failed])
  }
}
