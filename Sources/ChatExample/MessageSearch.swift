import Nagare

/// A search over the messages of all channels. It starts when the user stops typing.
struct MessageSearch: ViewModel {
  struct Input: Ports {
    let search = Port<String>("text")
    let reachBottom = Trigger()
    let retry = Trigger()
    let select = Port<Message.ID>("id")
  }
  struct Output: Outputs {
    let query: Driver<String>
    let items: Driver<Items<Message>>
    let loading: Driver<Bool>
    let error: Driver<Failure?>
    let navigate: Signal<Navigation>
  }
  struct State {
    var text = ""
    var query = ""
    var typing = Pause()
  }
  let chat: Chat

  func transform(_ input: Input, on clock: any Scheduler) -> Output {
    let state = Feedback(State(), on: clock)
    state.on(input.search) { state, text in
      state.text = text
      state.typing.start()
    }
    state.on(\.typing, after: .milliseconds(300)) { $0.query = $0.text }
    let list = PagedList(following: state.query, onRefresh: .keep) { before, query, count in
      chat.server.search(for: query, before: before, count: count)
    }.feedback(on: clock)
    list.on(input.reachBottom) { $0.next() }
    list.on(input.retry) { $0.retry() }
    let selected = list.signal(on: input.select) { list, id in try list.listed(id) }
    return Output(
      query: state.query, items: list.items, loading: list.isLoading, error: list.failure,
      navigate: selected.map { Navigation(to: "messages", Messages(channel: $0.channel, chat: chat)) })
  }

  static var display: Display? { Display(title: "text", subtitle: "author", badge: "channel", date: "sent") }
}
