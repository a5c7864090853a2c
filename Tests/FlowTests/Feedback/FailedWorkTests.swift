@testable import Flow
import FlowTesting
import Testing

/// Rules for failed work: they receive the request and the failure.
@Suite final class FailedWorkTests {
  struct State {
    var sent = Jobs<Character, Void>(.parallel, keepsFailed: true)
    var text = Load<Character>()
    var note = Form<Character, Void>("-")
    var unsent = ""
    var failures = 0
  }

  let m = Marbles()
  let send = Port<Character>()
  let again = Trigger()
  let state: Feedback<State>
  var sources: [Character: MarbleSource<Void>] = [:]
  var begun = ""

  init() {
    (send.name, again.name) = ("send", "again")
    state = Feedback(State(), on: m.clock)
    sources = ["a": m.cold("--#", values: [:]), "b": m.cold("-|", values: [:]), "c": m.cold("-#", values: [:])]
    state.on(send) { $0.sent.add($1) }
    state.react(to: \.sent) { [unowned self] request in
      begun.append(request)
      return sources[request]?.stream ?? .never()
    }
    state.on(failed: \.sent) { state, request, failure in
      state.unsent.append(request)
      state.failures = failure.number
    }
  }

  @Test func `the rule receives the failed request, in the step of the answer`() {
    let unsent = m.record(state.unsent) { $0.last ?? "0" }
    let failures = m.record(state.failures) { Character("\($0)") }
    m.play("(abc)", into: send)
    m.clock.run()
    unsent.expect("  0ca")
    failures.expect("012")
    #expect(state.state.sent.failed == ["c", "a"] && !state.state.sent.isRunning)
  }

  @Test func `failed jobs are retried in the order in which they failed`() {
    state.on(again) { $0.sent.retryFailed() }
    let unsent = m.record(state.unsent) { $0.last ?? "0" }
    m.play("(abc)", into: send)
    m.play("---r", into: again)
    m.clock.run()
    unsent.expect("0ca-ca")
    #expect(begun == "abcca" && state.state.sent.failed == ["c", "a"])
  }

  @Test func `dropping the failed jobs also clears the failure`() {
    state.on(again) { $0.sent.dropFailed() }
    let failure = m.record(state.failure) { $0 == nil ? "n" : "e" }
    m.play("c", into: send)
    m.play("--d", into: again)
    m.clock.run()
    failure.expect("nen")
    #expect(state.state.sent.failed.isEmpty && begun == "c")
  }

  @Test func `failed requests are kept only with keepsFailed`() {
    var jobs = Jobs<Character, Void>(.queued)
    jobs.add("a")
    jobs.end(jobs.revision, failure: Failure(code: 1, message: "no", trigger: "send"))
    #expect(jobs.failed.isEmpty && jobs.failure != nil)
  }

  @Test func `a load's rule receives the failure, and a form's rule the draft`() {
    var told: [String] = []
    state.on(again) {
      $0.text.start()
      $0.note.draft = "x"
      try $0.note.submit()
    }
    state.react(to: \.text) { _ in .error(MarbleError()) }
    state.react(to: \.note) { _ in .error(MarbleError()) }
    state.on(failed: \.text) { state, failure in told.append("text \(failure.trigger) \(state.text.failure == failure)")
    }
    state.on(failed: \.note) { _, draft, failure in told.append("note \(draft) \(failure.trigger)") }
    let subscription = state.unsent.subscribe { _ in }
    defer { subscription.dispose() }
    m.play("a", into: again)
    m.clock.run()
    #expect(told == ["text again true", "note x again"])
  }

  @Test func `cancelled work doesn't count as failed`() {
    var failed = 0
    state.on(again) { $0.text.start() }
    state.react(to: \.text) { _ in .error(CancellationError()) }
    state.on(failed: \.text) { _, _ in failed += 1 }
    let subscription = state.unsent.subscribe { _ in }
    defer { subscription.dispose() }
    m.play("aa", into: again)
    m.clock.run()
    #expect(failed == 0)
  }
}
