import Nagare

/// The channels and their unread counts, which change while the list is open.
struct Channels: ViewModel {
  struct Input: Ports {
    let select = Port<Channel.ID>("id")
    let retry = Trigger()
  }
  struct Output: Outputs {
    let items: Driver<Items<Channel>>
    let loading: Driver<Bool>
    let error: Driver<Failure?>
    let navigate: Signal<Navigation>
  }
  let chat: Chat

  func transform(_ input: Input, on clock: any Scheduler) -> Output {
    let list = PagedList { chat.server.channels() }
      .following(chat.server.channelEvents())
      .feedback(on: clock)
    list.on(input.retry) { $0.retry() }
    let selected = list.signal(on: input.select) { list, id in try list.listed(id) }
    return Output(
      items: list.items, loading: list.isLoading, error: list.failure,
      navigate: selected.map { Navigation(to: "messages", Messages(channel: $0.id, chat: chat)) })
  }

  static var display: Display? { Display(title: "id", subtitle: "topic", badge: "unread") }
}
