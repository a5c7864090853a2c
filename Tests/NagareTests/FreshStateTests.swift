import FlowTesting
import Nagare
import Testing

/// A state that is replaced as a whole while its work is running.
@Suite struct FreshStateTests {
  struct Drafts: ViewModel {
    struct Input: Ports {
      let find = Port<String>("text")
      let submit = Port<String>("text")
      let rest = Trigger()
      let restAfresh = Trigger()
    }
    struct Output: Outputs {
      let found: Driver<String>
      let saved: Driver<[String]>
      let rests: Driver<Int>
    }
    struct State {
      var text = ""
      var found = ""
      var saved: [String] = []
      var rests = 0
      var load = Load<String>()
      var form = Form<String, String>("")
      var pause = Pause()
    }
    let server: (String) -> Observable<String>

    func transform(_ input: Input, on clock: any Scheduler) -> Output {
      let state = Feedback(State(), on: clock)
      state.on(input.find) { state, text in
        state.load = Load()
        state.text = text
        state.load.start()
      }
      state.on(input.submit) { state, text in
        let saved = state.saved
        state = State()
        state.saved = saved
        state.form.draft = text
        try state.form.submit()
      }
      state.on(input.rest) { $0.pause.start() }
      state.on(input.restAfresh) { state in
        state.pause = Pause()
        state.pause.start()
      }
      state.react(to: \.load) { server($0.text) }
      state.on(finished: \.load) { $0.found = $1 }
      state.react(to: \.form) { draft in server(draft) }
      state.on(finished: \.form) { $0.saved.append($1) }
      state.on(\.pause, after: .milliseconds(500)) { $0.rests += 1 }
      return Output(found: state.found, saved: state.saved, rests: state.rests)
    }
  }

  let m = Marbles()

  func open() -> Opened<Drafts> {
    Opened(Drafts { text in .just(text).delay(.milliseconds(400), on: m.clock) }, on: m.clock)
  }

  @Test func `a replaced load receives only the answer of its own request`() {
    let view = open()
    let found = m.record(view.output.found) { $0.first ?? "n" }
    m.play("-a-b", into: view.input.find)
    m.clock.run(until: .seconds(2))
    found.expect("n------b")
  }

  @Test func `a replaced form sends its own draft`() {
    let view = open()
    let saved = m.record(view.output.saved) { $0.last?.first ?? "n" }
    m.play("-a-b", into: view.input.submit)
    m.clock.run(until: .seconds(2))
    saved.expect("n------b")
  }

  @Test func `a replaced pause lasts its full time`() {
    let view = open()
    let rests = m.record(view.output.rests)
    m.play("-g", into: view.input.rest)
    m.play("---f", into: view.input.restAfresh)
    m.clock.run(until: .seconds(2))
    rests.expect("0-------1")
  }
}
