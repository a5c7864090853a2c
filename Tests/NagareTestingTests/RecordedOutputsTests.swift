import FlowTesting
import Nagare
import NagareTesting
import Testing

/// Tests that omit an assertion, and tests that have all of them.
@Suite struct RecordedOutputsTests {
  struct Weather: ViewModel {
    struct Input: Ports {
      let refresh = Trigger()
    }
    struct Output: Outputs {
      let degrees: Driver<Int?>
      let loading: Driver<Bool>
      let error: Driver<Failure?>
      let loaded: Signal<Void>
    }
    let load: () -> Observable<Int>

    func transform(_ input: Input, on clock: any Scheduler) -> Output {
      let weather = Feedback(Load<Int>(), on: clock)
      weather.on(input.refresh) { $0.startIfIdle() }
      weather.react(to: \.self) { _ in load() }
      return Output(
        degrees: weather.value, loading: weather.isLoading, error: weather.failure,
        loaded: weather.finished(\.self).map { _ in })
    }
  }

  let m = Marbles()
  let view: Opened<Weather>

  init() {
    let clock = m.clock
    view = Opened(Weather { .just(7).delay(.milliseconds(300), on: clock) }, on: clock)
  }

  @Test func `a test that asserts all outputs passes`() {
    m.recordAll(of: view) { sent in
      m.play("-r", into: view.input.refresh)
      m.clock.run()
      sent.degrees.expect("n---7", values: ["n": nil, "7": 7])
      sent.loading.expect("ft--f")
      sent.loaded.expect(" ----x")
    }
  }

  @Test func `an output that isn't asserted is an issue with its name, times and values`() {
    let issues = issues {
      m.recordAll(of: view, sourceLocation: there) { sent in
        m.play("-r", into: view.input.refresh)
        m.clock.run()
        sent.degrees.expect("n---7", values: ["n": nil, "7": 7])
      }
    }
    #expect(
      issues == [
        """
        the test doesn't assert what the output "loading" sent:
          at 100 ms: true
          at 400 ms: false
        Assert it by `loading.expect(…)` or `loading.elements`, or exempt the output by `loading.ignore()`.
        """,
        """
        the test doesn't assert what the output "loaded" sent:
          at 400 ms: an event
        Assert it by `loaded.expect(…)` or `loaded.elements`, or exempt the output by `loaded.ignore()`.
        """,
      ])
  }

  @Test func `an assertion covers what was sent before it, and not what comes later`() {
    let issues = issues {
      m.recordAll(of: view, sourceLocation: there) { sent in
        m.play("-r", into: view.input.refresh)
        m.clock.run(until: .milliseconds(200))
        sent.loading.expect("ft")
        m.clock.run()
        #expect(sent.degrees.elements == [nil, 7])
        #expect(sent.loaded.elements.count == 1)
      }
    }
    #expect(issues.count == 1)
    #expect(issues.first?.contains("\"loading\" sent:\n  at 400 ms: false\n") == true)
  }

  @Test func `the values that an output has at the opening needn't be asserted`() {
    m.recordAll(of: view) { sent in #expect(sent.degrees.elements == [nil]) }
  }

  @Test func `an ignored output needn't be asserted`() {
    m.recordAll(of: view) { sent in
      sent.degrees.ignore()
      sent.loading.ignore()
      sent.loaded.ignore()
      m.play("-r", into: view.input.refresh)
      m.clock.run()
    }
  }

  @Test func `a wrong assertion is one issue, with the output's name`() {
    let issues = issues {
      m.recordAll(of: view, sourceLocation: there) { sent in
        m.play("-r", into: view.input.refresh)
        m.clock.run(until: .milliseconds(100))
        sent.loading.expect("f-t", sourceLocation: there)
      }
    }
    #expect(issues == ["the output \"loading\" sent something else\nactual:   ft-\nexpected: f-t\n           ^^"])
  }

  @Test func `a test that throws reports nothing else`() {
    struct Stopped: Error {}
    #expect(throws: Stopped.self) {
      try m.recordAll(of: view) { _ in
        try view.input.refresh.send()
        throw Stopped()
      }
    }
  }
}

/// Outputs that are nested, or that begin at the opening.
@Suite struct NestedRecordedOutputsTests {
  struct Editor: ViewModel {
    struct Input: Ports {
      let write = Port<String>("text")
    }
    struct Output: Outputs, Decodable {
      let text: Driver<String>
    }

    func transform(_ input: Input, on clock: any Scheduler) -> Output {
      struct State { var text = "" }
      let state = Feedback(State(), on: clock)
      state.on(input.write) { $0.text = $1 }
      return Output(text: state.text)
    }
  }

  struct Letter: ViewModel {
    struct Input: Ports {
      @Nested var title = Editor.Input()
      @Nested var body = Editor.Input()
    }
    struct Output: Outputs, Decodable {
      @Nested var title: Editor.Output
      @Nested var body: Editor.Output
    }

    func transform(_ input: Input, on clock: any Scheduler) -> Output {
      Output(title: Editor().transform(input.title, on: clock), body: Editor().transform(input.body, on: clock))
    }
  }

  struct Greeting: ViewModel {
    struct Input: Ports {}
    struct Output: Outputs {
      let text: Driver<String?>
      let loading: Driver<Bool>
      let greeted: Signal<String>
    }

    func transform(_ input: Input, on clock: any Scheduler) -> Output {
      struct State {
        var text = Load<String>.started()
        var greeted = Pulse<String>()
      }
      let state = Feedback(State(), on: clock)
      state.onOpen { $0.greeted.fire("hello") }
      state.react(to: \.text) { _ in .just("Hi").delay(.milliseconds(100), on: clock) }
      return Output(text: state.text.value, loading: state.isLoading, greeted: state.greeted)
    }
  }

  /// A list whose only item is written again by each refresh.
  struct Rewritten: ViewModel {
    struct Row: Codable, Identifiable { let id: String }
    struct Input: Ports {
      let refresh = Trigger()
      let clear = Trigger()
    }
    struct Output: Outputs {
      let rows: Driver<Items<Row>>
    }
    struct State { var rows = Items<Row>() }

    func transform(_ input: Input, on clock: any Scheduler) -> Output {
      let state = Feedback(State(), on: clock)
      state.on(input.refresh) { state in
        state.rows = Items()
        try state.rows.append([Row(id: "a")])
      }
      state.on(input.clear) { $0.rows = Items() }
      return Output(rows: state.rows)
    }
  }

  let m = Marbles()

  @Test func `a list with the same items isn't recorded again, because it isn't sent`() {
    let view = Opened(Rewritten(), on: m.clock)
    let rows = m.record(view.output.rows) { Character("\($0.count)") }
    m.recordAll(of: view) { sent in
      m.play("-xx----x", into: view.input.refresh)
      m.play("----xx--", into: view.input.clear)
      m.clock.run()
      sent.rows.expect("01--0--1") { Character("\($0.count)") }
      #expect(sent.rows.elements.map(\.count) == [0, 1, 0, 1])
      rows.expect("     01--0--1")
    }
  }

  @Test func `nested outputs have their full names`() {
    let view = Opened(Letter(), on: m.clock)
    m.recordAll(of: view) { sent in
      m.play("-a", into: view.input.title.write)
      m.play("--b", into: view.input.body.write)
      m.clock.run()
      sent.title.text.expect("?a") { $0.first ?? "?" }
      sent.body.text.expect(" ?-b") { $0.first ?? "?" }
      #expect(sent.body.text.name == "body.text")
    }
  }

  @Test func `a recording begins with the state in open's response, and has the events of the opening`() {
    let view = Opened(Greeting(), on: m.clock)
    m.recordAll(of: view) { sent in
      m.clock.run()
      sent.loading.expect("tf")
      sent.text.expect("   nH") { $0?.first ?? "n" }
      #expect(sent.greeted.elements == ["hello"])
    }
  }
}
