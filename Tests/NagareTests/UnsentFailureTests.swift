import Flow
import Nagare
import Testing

/// A view model that is told when its screen is added that nobody sees why its load fails.
@Suite struct UnsentFailureTests {
  struct Quiet: ViewModel {
    struct Input: Ports { let refresh = Trigger() }
    struct Output: Outputs {
      let text: Driver<String?>
      let error: Driver<Failure?>
    }
    struct State { var text = Load<String>() }
    var kind = "none"

    func transform(_ input: Input, on clock: any Scheduler) -> Output {
      let state = Feedback(State(), on: clock)
      state.on(input.refresh) { $0.text.start() }
      state.react(to: \.text) { _ in .just("a") }
      let error: Driver<Failure?> =
        switch kind {
        case "all": state.failure
        case "one": state.text.failure
        default: .just(nil)
        }
      return Output(text: state.text.value, error: error)
    }
  }

  private func reported(_ kind: String) -> [String] {
    let service = Service(clock: VirtualScheduler())
    var reported: [String] = []
    service.onModelError = { reported.append($0) }
    service.add(Screen { Quiet(kind: kind) })
    return reported
  }

  @Test func `a failure that no output sends is reported when the screen is added`() {
    #expect(
      reported("none")
        == ["quiet: no output sends why State.text fails: add one, such as error: state.failure or state.text.failure"])
  }

  @Test(arguments: ["all", "one"]) func `a failure that an output sends isn't reported`(kind: String) {
    #expect(reported(kind) == [])
  }
}
