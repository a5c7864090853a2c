@testable import Flow
import FlowTesting
import Testing

@Suite struct PauseTests {
  struct State {
    var text: Character = "-"
    var typing = Pause()
    var searched: Character = "-"
    var results = Load<Character>()
  }

  let m = Marbles()
  let search = Port<Character>()
  let cancel = Trigger()
  let state: Feedback<State>

  init() {
    search.name = "search"
    state = Feedback(State(), on: m.clock)
    state.on(search) { state, text in
      state.text = text
      state.typing.start()
    }
    state.on(cancel) { $0.typing.cancel() }
    state.on(\.typing, after: .milliseconds(300)) { state in
      state.searched = state.text
      state.results.start()
    }
  }

  @Test func `the step after a pause runs if nothing has restarted the pause`() {
    let searched = m.record(state.searched) { $0 == "-" ? "0" : $0 }
    m.play("         -ab-----c", into: search)
    m.clock.run()
    searched.expect("0----b-----c")
  }

  @Test func `the step after a cancelled pause doesn't run`() {
    let searched = m.record(state.searched)
    m.play("-a----b", into: search)
    m.play("--x----", into: cancel)
    m.clock.run()
    #expect(searched.elements == ["-", "b"])
  }

  @Test func `work that follows a pause has the pause's origin`() {
    state.react(to: \.results) { _ in .error(MarbleError()) }
    let error = m.record(state.failure) { $0 == nil ? "n" : "e" }
    m.play("-a", into: search)
    m.clock.run()
    error.expect("n---e")
    #expect(error.elements.last??.trigger == "search")
  }

  @Test func `a pause doesn't count as loading`() {
    state.react(to: \.results) { state in .just(state.text) }
    let loading = m.record(state.isLoading)
    m.play("-a", into: search)
    m.clock.run()
    loading.expect("f")
  }

  @Test func `a pause stops without subscribers, and starts again with the next subscriber`() {
    let first = m.record(state.searched)
    m.play("-a", into: search)
    m.clock.run(until: .milliseconds(200))
    first.dispose()
    m.clock.run(until: .seconds(1))
    #expect(state.state.searched == "-" && state.state.typing.isRunning)
    let second = m.record(state.searched)
    m.clock.run()
    #expect(second.elements == ["-", "a"] && m.clock.now == .milliseconds(1300))
  }

  @Test func `two rules for a pause each have their own delay`() {
    state.on(\.typing, after: .milliseconds(500)) { $0.searched = "!" }
    let searched = m.record(state.searched)
    m.play("-a--------b-", into: search)
    m.clock.run()
    #expect(searched.elements == ["-", "a", "!", "b", "!"])
  }
}

@Suite struct PulseTests {
  struct State {
    var count = 0
    var home = Pulse<Int>()
    var more = Pulse<Void>()
  }

  let m = Marbles()
  let go = Trigger()
  let state: Feedback<State>

  init() {
    state = Feedback(State(), on: m.clock)
    state.on(go) { state in
      state.count += 1
      state.home.fire(state.count)
      if state.count == 2 { state.home.fire(9) }
      state.more.fire()
    }
  }

  @Test func `fired values are sent after the drivers, and none is lost`() {
    let home = m.record(state.home)
    let more = m.record(state.more)
    for _ in 1...3 { go.on(.next(())) }
    home.expect("(1293)")
    more.expect("(xxx)")
  }

  @Test func `a fired value without subscribers is lost, not kept`() {
    _ = state.home
    for _ in 1...3 { go.on(.next(())) }
    #expect(state.state.home.values.isEmpty)
    m.record(state.home).expect("-")
  }

  @Test func `fired values go to an input of another view model, while there are subscribers`() {
    struct Other { var sum = 0 }
    let other = Feedback(Other(), on: m.clock)
    let add = Port<Int>()
    other.on(add) { $0.sum += $1 }
    state.forward(\.home, to: add)
    go.on(.next(()))
    #expect(other.state.sum == 0)
    let count = m.record(state.count)
    go.on(.next(()))
    #expect(other.state.sum == 11)
    count.expect("(12)")
  }

  @Test func `a fired value that the other input refuses is reported`() {
    let add = Port<Int>()
    add.name = "add"
    let other = Feedback(0, on: m.clock)
    other.on(add) { _, _ in throw Refusal("n", mustBe: "less") }
    state.forward(\.home, to: add)
    _ = state.more
    var errors: [String] = []
    state.count.turn.reportErrors { errors.append($0) }
    let count = m.record(state.count)
    go.on(.next(()))
    count.expect("(01)")
    #expect(errors.count == 1 && errors[0].hasSuffix("was refused by 'add': 'n' must be less"), "\(errors)")
  }
}
