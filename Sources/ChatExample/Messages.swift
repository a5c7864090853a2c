import Nagare
import Screens

/// The messages of a channel. The newest is at the end.
struct Messages: ViewModel {
  struct Edit: Codable { let id: Message.ID, newText: String }
  struct Input: Ports {
    let reachTop = Trigger()
    let retry = Trigger()
    let send = Port<String>("text")
    let resend = Port<Message.ID>("id")
    let edit = Port<Edit>()
    let remove = Port<Message.ID>("id")
    let undo = Trigger()
    let showImage = Port<Message.ID>("id")
  }
  struct Output: Outputs {
    let items: Driver<Items<Message>>
    let pending: Driver<[PendingItem]>
    let undoable: Driver<UndoableEdit?>
    let loading: Driver<Bool>
    let error: Driver<Failure?>
    let navigate: Signal<Navigation>
  }
  struct State {
    var messages = Paged<Message>()
    var images = Paged<Message>()
    var reading = Load<Void>()
    var drafts = 0
  }
  let channel: Channel.ID, chat: Chat

  func transform(_ input: Input, on clock: any Scheduler) -> Output {
    let server = chat.server
    let state = Feedback(State(), on: clock)
    let list = PagedList { before, count in server.messages(in: channel, before: before, count: count) }
      .following(server.events(in: channel))
      .inserting(server.post, at: .end, onFailure: .keep)
      .updating(server.change)
      .removing(server.delete, undoableFor: .seconds(5))
    state.react(to: \.messages, by: list)
    state.on(input.reachTop) { $0.messages.previous() }
    state.on(input.retry) { $0.messages.retry() }
    state.on(state.messages.items) { state, _ in state.reading.start() }
    state.react(to: \.reading) { _ in server.markRead(channel) }

    state.on(input.send) { state, text in
      guard let user = chat.user.state.value else { throw Refusal("text", mustBe: "sent by a signed-in user") }
      state.drafts += 1
      let draft = Message(id: "draft \(state.drafts)", channel: channel, author: user.name, text: text)
      try state.messages.insert(draft)
    }
    state.on(input.resend) { try $0.messages.retry($1) }
    state.on(input.edit) { state, edit in
      var message = try state.messages.listed(edit.id)
      message.text = edit.newText
      try state.messages.update(message)
    }
    state.on(input.remove) { $0.messages.remove($1) }
    state.on(input.undo) { $0.messages.undo() }

    state.react(to: \.images) { server.images(in: channel, before: $0.key(first: nil), count: $0.size) }
    let image = state.on(input.showImage) { current, id in
      if try current.messages.listed(id).images.isEmpty { throw Refusal("id", mustBe: "a message with an image") }
      current.images.first()
      return Navigation(to: "image", Pager(state.images, from: id))
    }
    return Output(
      items: state.messages.items, pending: state.messages.pending, undoable: state.messages.undoable,
      loading: state.messages.isLoading, error: state.failure, navigate: image)
  }

  static var display: Display? {
    Display(
      title: "text", subtitle: "author", date: "sent", hidden: ["id", "channel"],
      actions: [
        .init("showImage", name: "Show image", icon: "🖼", key: "i"),
        .init("edit", name: "Edit", icon: "✎", key: "E"),
        .init("remove", name: "Delete", icon: "🗑", key: "d", undo: true),
        .init("resend", name: "Try again", icon: "↻", key: "a"),
      ])
  }
}
