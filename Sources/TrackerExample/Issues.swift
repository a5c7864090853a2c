import Nagare

/// The issues that match a filter. The list is live: changes that others make in the table appear immediately.
struct Issues: ViewModel {
  struct Input: Ports {
    let reachBottom = Trigger()
    let refresh = Trigger()
    let retry = Trigger()
    let filter = Port<FilterChange>()
    let select = Port<Issue.ID>("id")
    let change = Port<Issue>("item")
    let remove = Port<Issue.ID>("id")
    let undo = Trigger()
  }
  struct Output: Outputs {
    let items: Driver<Items<Issue>>
    let filters: Driver<FilterValues>
    let loading: Driver<Bool>
    let error: Driver<Failure?>
    let undoable: Driver<UndoableEdit?>
    let navigate: Signal<Navigation>
  }
  struct State {
    var filters: FilterValues = ["status": Issue.Status.open, "kind": nil, "author": nil, "sort": "-updated"]
  }
  let tracker: Tracker

  func transform(_ input: Input, on clock: any Scheduler) -> Output {
    let state = Feedback(State(), on: clock)
    state.on(input.filter) { try $0.filters.set($1) }
    let list = PagedList(
      of: tracker.issues, following: state.filters, PagingOptions(onRefresh: .revalidate, undo: Milliseconds(5000))
    )
    .feedback(on: clock)
    list.on(input.reachBottom) { $0.next() }
    list.on(input.refresh) { $0.first() }
    list.on(input.retry) { $0.retry() }
    list.on(input.change) { try $0.update($1) }
    list.on(input.remove) { $0.remove($1) }
    list.on(input.undo) { $0.undo() }
    let selected = list.signal(on: input.select) { list, id in try list.listed(id) }
    return Output(
      items: list.items, filters: state.filters, loading: list.isLoading, error: list.failure, undoable: list.undoable,
      navigate: selected.map { Navigation(to: "issue", IssueScreen(id: $0.id, tracker: tracker)) })
  }

  static var display: Display? {
    Display(
      title: "title", subtitle: "author", badge: "kind", date: "updated",
      actions: [
        .init("remove", name: "Archive", icon: "🗄", key: "e", undo: true, for: .many),
        .init("change", set: ["status": "done".json], name: "Done", icon: "✓", key: "d", for: .many),
      ])
  }
}
