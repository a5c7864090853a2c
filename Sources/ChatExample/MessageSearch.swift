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
  let chat: Chat

  func transform(_ input: Input, on clock: any Scheduler) -> Output {
    let query = input.search.stream.debounce(.milliseconds(300), on: clock).asDriver(startingWith: "") { _ in "" }
    let list = PagedList(following: query, onRefresh: .keep) { before, text, count in
      chat.server.search(for: text, before: before, count: count)
    }.feedback(on: clock)
    list.on(input.reachBottom) { $0.next() }
    list.on(input.retry) { $0.retry() }
    let selected = list.signal(on: input.select) { list, id in try list.listed(id) }
    return Output(
      query: query, items: list.items, loading: list.isLoading, error: list.failure,
      navigate: selected.map { Navigation(to: "messages", Messages(channel: $0.channel, chat: chat)) })
  }

  static var display: Display? { Display(title: "text", subtitle: "author", badge: "channel", date: "sent") }
}
