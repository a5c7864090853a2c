import Nagare

/// A form for a new issue.
struct Report: ViewModel {
  struct Draft: Codable, Equatable {
    var title = ""
    var kind = Issue.Kind.bug
    var body: String?
  }
  struct Input: Ports {
    let report = Port<Draft>()
    let retry = Trigger()
  }
  struct Output: Outputs {
    let loading: Driver<Bool>
    let error: Driver<Failure?>
    let reported: Signal<Void>
  }
  struct State {
    var form = Form<Draft, Void>(Draft()) { draft in
      (3...80).contains(draft.title.count) ? nil : Refusal("title", mustBe: "3 to 80 characters", not: draft.title)
    }
  }
  let tracker: Tracker

  func transform(_ input: Input, on clock: any Scheduler) -> Output {
    let state = Feedback(State(), on: clock)
    state.on(input.report) { state, draft in
      state.form.draft = draft
      try state.form.submit()
    }
    state.on(input.retry) { try $0.form.submit() }
    state.react(to: \.form) { draft in
      tracker.asUser { user in
        tracker.issues.insert(NewIssue(title: draft.title, kind: draft.kind, body: draft.body, author: user.name))
      }
    }
    return Output(loading: state.isLoading, error: state.failure, reported: state.finished(\.form))
  }
}

private struct NewIssue: Encodable { let title: String, kind: Issue.Kind, body: String?, author: String }
