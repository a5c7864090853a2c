import Nagare

/// The server of the chat. Pages of messages are read backwards: `before` is the oldest message that the client has.
protocol ChatServer {
  func channels() -> Observable<Page<Channel>>
  func channelEvents() -> Observable<ItemChange<Channel>>
  func messages(in channel: Channel.ID, before: Message.ID?, count: Int) -> Observable<Page<Message>>
  func events(in channel: Channel.ID) -> Observable<ItemChange<Message>>
  func images(in channel: Channel.ID, before: Message.ID?, count: Int) -> Observable<Page<Message>>
  func search(for text: String, before: Message.ID?, count: Int) -> Observable<Page<Message>>
  func post(_ message: Message) -> Observable<Message>
  func change(_ message: Message) -> Observable<Void>
  func delete(_ id: Message.ID) -> Observable<Void>
  func markRead(_ channel: Channel.ID) -> Observable<Void>
  func save(_ profile: Profile) -> Observable<Profile>
}
