import Flow
import FlowTesting
import Nagare
import Testing

/// A screen to write, check and submit a note.
private struct NoteScreen: ViewModel {
  struct Input: Ports {
    let text = Port<String>("text")
    @Nested var note = FormInput()
  }
  struct Output: Outputs { @Nested var note: FormOutput<String> }
  struct State {
    var note = Form<String, Int>("") { $0.isEmpty ? Refusal("text", mustBe: "something") : nil }
  }
  let add: (String) -> Observable<Int>

  func transform(_ input: Input, on clock: any Scheduler) -> Output {
    let state = Feedback(State(), on: clock)
    state.on(input.text) { $0.note.draft = $1 }
    state.on(finished: \.note) { state, _ in state.note.draft = "" }
    return Output(note: state.form(\.note, input.note, add))
  }
}

@Suite final class FormTests {
  let m = Marbles()
  var sent: [String] = []

  private func open() -> Opened<NoteScreen> {
    let clock = m.clock
    return Opened(
      NoteScreen { [unowned self] text in
        sent.append(text)
        return .timer(.milliseconds(200), on: clock).flatMap { _ in
          text == "?" ? Observable.error(LoadFailure(.unreachable, "offline")) : .just(1)
        }
      }, on: clock)
  }

  @Test func `a draft can be submitted if it has no problem and no submission is running`() {
    let view = open()
    let note = view.output.note
    let problem = m.record(note.problem) { $0 == nil ? "n" : "p" }
    let draft = m.record(note.draft) { $0.first ?? "n" }
    let canSubmit = m.record(note.canSubmit)
    let saving = m.record(note.saving)
    m.play("-a--", into: view.input.text)
    m.play("--ss", into: view.input.note.submit)
    m.clock.run(until: .seconds(1))
    draft.expect("    na--n")
    problem.expect("  pn--p")
    canSubmit.expect("ftf--")
    saving.expect("   f-t-f")
    #expect(sent == ["a"])
  }

  @Test func `a draft with a problem reports it and can't be submitted`() throws {
    let view = open()
    let problem = m.record(view.output.note.problem) { $0 == nil ? "n" : "p" }
    let refusal = try #require(throws: RPCError.self) { try view.input.note.submit.send() }
    #expect(refusal.message == "'text' must be something")
    #expect(problem.elements.first??.param == "text" && problem.elements.first??.expected == "something")
    #expect(sent.isEmpty)
  }

  @Test func `retry submits the current draft after a failure`() throws {
    let view = open()
    let error = m.record(view.output.note.error) { $0 == nil ? "n" : "e" }
    try view.input.note.retry.send()
    m.play("?---b---", into: view.input.text)
    m.play("-s------", into: view.input.note.submit)
    m.play("-----r--r", into: view.input.note.retry)
    m.clock.run(until: .seconds(1))
    error.expect("n--e-n")
    #expect(sent == ["?", "b"])
  }

  @Test func `the names of a form are in its namespace`() {
    let view = open()
    #expect(view.inputNames == ["text", "note.submit", "note.retry"])
    #expect(view.outputNames == ["draft", "problem", "canSubmit", "saving", "error"].map { "note.\($0)" })
  }
}
