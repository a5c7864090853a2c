import Flow
import Nagare
import Testing

/// When a screen is added, its author learns which failures no output sends.
@Suite struct UnsentFailureTests {
  /// The origin of the output `error`.
  enum Kind: CaseIterable {
    case nothing, all, load, jobs, mapped, combined, stream, otherFeedback, changes
  }

  struct Quiet: ViewModel {
    struct Input: Ports {
      let refresh = Trigger()
      let send = Trigger()
    }
    struct Output: Outputs {
      let text: Driver<String?>
      let error: Driver<Failure?>
      let failed: Signal<Void>
    }
    struct State {
      var text = Load<String>()
      var sent = Jobs<Int, Void>(.queued)
    }
    struct Shown { var error: Failure? }
    let kind: Kind

    func transform(_ input: Input, on clock: any Scheduler) -> Output {
      let state = Feedback(State(), on: clock)
      state.on(input.refresh) { $0.text.start() }
      state.on(input.send) { $0.sent.add(1) }
      state.react(to: \.text) { _ in .just("a") }
      state.react(to: \.sent) { _ in .just(()) }
      let error: Driver<Failure?> =
        switch kind {
        case .nothing, .changes: .just(nil)
        case .all: state.failure
        case .load: state.text.failure
        case .jobs: state.sent.map(\.failure)
        case .mapped: state.failure.map { $0 }
        case .combined: combine(state.text.value, state.failure) { $1 }
        case .stream: state.failure.asObservable().asDriver(startingWith: nil) { _ in nil }
        case .otherFeedback: shown(state, clock)
        }
      let failed =
        kind == .changes ? state.changes(of: \.text.failure) : input.refresh.asObservable().asSignal { _ in nil }
      return Output(text: state.text.value, error: error, failed: failed)
    }

    private func shown(_ state: Feedback<State>, _ clock: any Scheduler) -> Driver<Failure?> {
      let shown = Feedback(Shown(), on: clock)
      shown.on(state.failure) { $0.error = $1 }
      return shown.error
    }
  }

  private func reported(_ kind: Kind) -> [String] {
    let service = Service(clock: VirtualScheduler())
    var reported: [String] = []
    service.onModelError = { reported.append($0) }
    service.add(Screen { Quiet(kind: kind) })
    return reported
  }

  @Test(arguments: Kind.allCases)
  func `failures that no output sends are reported when the screen is added`(kind: Kind) {
    let unsent =
      switch kind {
      case .nothing: ["text", "sent"]
      case .load: ["sent"]
      case .jobs: ["text"]
      case .all, .mapped, .combined, .stream, .otherFeedback, .changes: [String]()
      }
    #expect(
      reported(kind)
        == unsent.map {
          "quiet: no output reports why State.\($0) fails: add one, such as error: state.failure or state.\($0).failure"
        })
  }

  /// A view model whose output can't be evaluated with a made-up id.
  struct Parameterized: ViewModel {
    struct Input: Ports { let refresh = Trigger() }
    struct Output: Outputs { let title: Driver<String> }
    struct State { var text = Load<String>() }
    let id: String

    func transform(_ input: Input, on clock: any Scheduler) -> Output {
      let state = Feedback(State(), on: clock)
      state.on(input.refresh) { $0.text.start() }
      state.react(to: \.text) { _ in .just("a") }
      let title = state.text.map { [id] _ -> String in
        precondition(id == "a", "a made-up id")
        return id
      }
      return Output(title: title)
    }
  }

  @Test func `a screen with parameters is checked when it is first opened`() {
    let client = Client()
    var reported: [String] = []
    client.service.onModelError = { reported.append($0) }
    client.service.add(Screen("one", parameter: "id") { (id: String) in Parameterized(id: id) })
    #expect(reported == [])
    for _ in 0..<2 { client.call("open", #"{"screen":"one","params":{"id":"a"}}"#) }
    #expect(
      reported == [
        "parameterized: no output reports why State.text fails: add one, such as error: state.failure or state.text.failure"
      ])
  }
}
