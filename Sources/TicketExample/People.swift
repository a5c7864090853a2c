import Nagare

/// A list of people to choose from. The view model that opens it handles the choice.
struct People: ViewModel {
  struct Input: Ports {
    let choose = Port<String>("name")
  }
  struct Output: Outputs {
    let people: Driver<[String]>
    let dismiss: Signal<Void>
  }
  let assign: Port<String>

  func transform(_ input: Input, on clock: any Scheduler) -> Output {
    let people = ["Aoi", "Mei", "Ren"]
    let state = Feedback(people, on: clock)
    let chosen = state.on(input.choose) { people, name in
      if !people.contains(name) { throw Refusal("name", mustBe: "one of the people", not: name) }
    }
    input.choose.forward(to: assign)
    return Output(people: .just(people), dismiss: chosen)
  }
}
