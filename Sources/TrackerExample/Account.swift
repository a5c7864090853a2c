import Nagare

/// The account of the logged-in user.
struct Account: ViewModel {
  struct Input: Ports {
    let logIn = Trigger()
    let logOut = Trigger()
    let present = Presenter()
  }
  struct Output: Outputs {
    let user: Driver<Person?>
    let loading: Driver<Bool>
    let error: Driver<Failure?>
  }
  struct State {
    var token = Load<RawJSON>()
    var person = Load<Person>()
  }
  let tracker: Tracker

  func transform(_ input: Input, on clock: any Scheduler) -> Output {
    let state = Feedback(State(), on: clock)
    state.on(input.logIn) { $0.token.startIfIdle() }
    state.react(to: \.token, by: input.present) { _ in .login("Your token") }
    state.react(to: \.person, after: \.token) { token in tracker.people.item(token.string ?? "") }
    state.on(finished: \.person) { _, person in tracker.user.onNext(person) }
    state.on(input.logOut) { _ in tracker.user.onNext(nil) }
    return Output(user: tracker.user.asDriver(), loading: state.isLoading, error: state.failure)
  }
}
