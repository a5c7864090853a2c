import Nagare

/// A ticket with its comments: two loads, a form that can fail, and a nested screen that returns a choice.
struct TicketScreen: ViewModel {
  struct Input: Ports {
    let appear = Trigger()
    let text = Port<String>("text")
    let save = Trigger()
    let assign = Trigger()
  }
  struct Output: Outputs {
    let ticket: Driver<Ticket?>
    let remarks: Driver<Items<Remark>>
    let assignee: Driver<String?>
    let loading: Driver<Bool>
    let error: Driver<Failure?>
    let saved: Signal<Void>
    let navigate: Signal<Navigation>
  }
  struct State {
    var ticket = Load<Ticket>()
    var loaded = Load<[Remark]>()
    var remarks = Items<Remark>()
    var saving = Load<Remark>()
    var text = ""
    var assignee: String?
  }
  let server: Server

  func transform(_ input: Input, on clock: any Scheduler) -> Output {
    let state = Feedback(State(), on: clock)
    state.on(input.appear) {
      $0.ticket.start(); $0.loaded.start()
    }
    state.on(input.text) { $0.text = $1 }
    state.on(input.save) { state in
      if state.text.isEmpty { throw Refusal("text", mustBe: "something") }
      state.saving.start()
    }
    state.on(finished: \.loaded) { state, remarks in try state.remarks.append(remarks) }
    state.on(finished: \.saving) { state, remark in try state.remarks.append([remark]) }
    let assigned = state.port(String.self) { $0.assignee = $1 }
    state.react(to: \.ticket) { _ in server.ticket() }
    state.react(to: \.loaded) { _ in server.remarks() }
    state.react(to: \.saving) { state in server.add(state.text) }
    return Output(
      ticket: state.ticket.value, remarks: state.remarks, assignee: state.assignee, loading: state.isLoading,
      error: state.failure, saved: state.finished(\.saving),
      navigate: input.assign.open("people") { People(assign: assigned) })
  }
}
