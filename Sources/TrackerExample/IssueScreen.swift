import Nagare

/// An issue with all of its fields, and its comments.
struct IssueScreen: ViewModel {
  struct Input: Ports {
    let comment = Port<String>("text")
    let status = Port<Issue.Status>("status")
    let reachBottom = Trigger()
    let retry = Trigger()
  }
  struct Output: Outputs {
    let issue: Driver<Issue?>
    let comments: Driver<Items<Comment>>
    let loading: Driver<Bool>
    let error: Driver<Failure?>
    let said: Signal<Void>
  }
  struct State {
    var issue = Load<Issue>.started()
    var status = Load<Void>()
    var wanted = Issue.Status.open
    var comments = Paged<Comment>()
    var comment = Form<String, Void>("") { $0.isEmpty ? Refusal("text", mustBe: "something to say") : nil }
  }
  let id: Issue.ID, tracker: Tracker

  func transform(_ input: Input, on clock: any Scheduler) -> Output {
    let state = Feedback(State(), on: clock)
    state.react(to: \.issue) { _ in tracker.issues.item(id) }
    state.react(to: \.comments, by: PagedList(of: tracker.comments, following: .just(["issue": id])))
    state.on(input.reachBottom) { $0.comments.next() }
    state.on(input.retry) { state in
      state.issue.retry()
      state.comments.retry()
    }
    state.on(input.comment) { state, text in
      state.comment.draft = text
      try state.comment.submit()
    }
    state.react(to: \.comment) { text in
      tracker.asUser { tracker.comments.insert(NewComment(issue: id, author: $0.name, text: text)) }
    }
    state.on(input.status) { state, status in
      state.wanted = status
      state.status.start()
    }
    state.react(to: \.status) { state in
      tracker.asUser { _ in tracker.issues.change(NewStatus(id: id, status: state.wanted)) }
    }
    state.on(finished: \.status) { state, _ in state.issue.start() }
    return Output(
      issue: state.issue.value, comments: state.comments.items, loading: state.isLoading, error: state.failure,
      said: state.finished(\.comment))
  }

  static var display: Display? { Display(title: "title", body: .init("body", format: .markdown), hidden: ["id"]) }
}

private struct NewComment: Encodable { let issue: Issue.ID, author, text: String }
private struct NewStatus: Encodable { let id: Issue.ID, status: Issue.Status }
