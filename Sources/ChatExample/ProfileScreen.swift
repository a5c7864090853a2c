import Nagare

/// A form for the user's name and picture. Saving it signs the user in.
struct ProfileScreen: ViewModel {
  struct Input: Ports {
    let name = Port<String>("name")
    let pickImage = Trigger()
    let form = FormInput()
    let logOut = Trigger()
    let present = Presenter()
  }
  struct Output: Outputs {
    let user: Driver<Profile?>
    let form: FormOutput<Profile>
    let imageError: Driver<Failure?>
  }
  struct State {
    var form: Form<Profile, Profile>
    var image = Load<RawJSON>()
  }
  let chat: Chat

  func transform(_ input: Input, on clock: any Scheduler) -> Output {
    let form = Form<Profile, Profile>(chat.user.state.value ?? Profile()) { draft in
      (1...30).contains(draft.name.count) ? nil : Refusal("name", mustBe: "1 to 30 characters", not: draft.name)
    }
    let state = Feedback(State(form: form), on: clock)
    state.on(input.name) { $0.form.draft.name = $1 }
    state.on(input.pickImage) { $0.image.startIfIdle() }
    state.react(to: \.image, by: input.present) { _ in .pickImage() }
    state.on(finished: \.image) { state, image in state.form.draft.image = image.string }
    state.on(finished: \.form) { _, profile in try chat.dispatcher.dispatch(.signIn, profile) }
    input.logOut.dispatch(.logOut, to: chat.dispatcher)
    return Output(
      user: chat.user.state, form: state.form(\.form, input.form) { draft in chat.server.save(draft) },
      imageError: state.image.failure)
  }
}
