// 'on(_:atMostEvery:_:)' is unavailable: the step also receives the input's value: { state, value in … }
import Nagare

struct Search: ViewModel {
  struct Input: Ports { let text = Port<String>("text") }
  struct Output: Outputs { let text: Driver<String> }
  struct State { var text = "" }

  func transform(_ input: Input, on clock: any Scheduler) -> Output {
    let state = Feedback(State(), on: clock)
    state.on(input.text) { $0.text = "x" }
    return Output(text: state.text)
  }
}
