import Nagare

/// A server in memory. It answers after 200 ms of the scheduler's time, and other people write to it.
final class MemoryServer: ChatServer {
  /// Whether the server is unreachable.
  var isDown = false
  private let clock: any Scheduler
  private var allChannels = [
    Channel(id: "general", topic: "For everybody"), Channel(id: "swift", topic: "Streams and lists"),
    Channel(id: "garden", topic: "What grows where"),
  ]
  /// The messages of all channels, oldest first.
  private var allMessages: [Message] = []
  /// The profile that was saved last.
  var user = Profile()
  private var count = 0
  /// The texts that failed once, and succeed when they are sent again.
  private var failed: Set<String> = []
  private let changedChannels = PublishSubject<ItemChange<Channel>>()
  private let changedMessages = PublishSubject<(channel: Channel.ID, change: ItemChange<Message>)>()
  private let bag = DisposeBag()

  /// Makes a server with 150 messages.
  ///
  /// - Parameters:
  ///   - clock: the scheduler of answers and of other people's messages.
  ///   - interval: the time between two messages of other people; nil if they are silent.
  init(on clock: any Scheduler, talking interval: Duration? = nil) {
    self.clock = clock
    for _ in 1...150 { talk() }
    for index in allChannels.indices { allChannels[index].unread = index }
    guard let interval else { return }
    Observable<Int>.interval(interval, on: clock).subscribe { [weak self] _ in self?.talk() }.disposed(by: bag)
  }

  /// Has another person write a message, in one channel after the other; every fifth message has an image.
  func talk() {
    let texts = ["Rain today", "It compiles", "Tea?", "Look at this", "Good morning"]
    let author = ["Aoi", "Mei", "Ren"][count / 2 % 3]
    let images = count % 5 == 3 ? [picture(count)] : []
    write(texts[count % 5], by: author, in: allChannels[count % 3].id, images: images)
  }

  /// Has another person write a message.
  func write(_ text: String, by author: String, in channel: Channel.ID, images: [Image] = []) {
    add(Message(id: "", channel: channel, author: author, text: text, images: images))
    changeChannel(channel) { $0.unread += 1 }
  }

  // MARK: - Requests

  func channels() -> Observable<Page<Channel>> { answer { Page($0.allChannels) } }

  func messages(in channel: Channel.ID, before: Message.ID?, count: Int) -> Observable<Page<Message>> {
    answer { server in
      let (page, hasMore) = server.page(before: before, count) { $0.channel == channel }
      return Page(page, next: String?.none, previous: hasMore ? page.first?.id : nil)
    }
  }

  func images(in channel: Channel.ID, before: Message.ID?, count: Int) -> Observable<Page<Message>> {
    answer { server in
      let (page, hasMore) = server.page(before: before, count) { $0.channel == channel && !$0.images.isEmpty }
      return Page(page.reversed(), next: hasMore ? page.first?.id : nil)
    }
  }

  func search(for text: String, before: Message.ID?, count: Int) -> Observable<Page<Message>> {
    answer { server in
      let word = text.lowercased()
      let (page, hasMore) = server.page(before: before, count) { $0.text.lowercased().contains(word) }
      return Page(page.reversed(), next: hasMore ? page.first?.id : nil)
    }
  }

  func channelEvents() -> Observable<ItemChange<Channel>> { changedChannels.asObservable() }

  func events(in channel: Channel.ID) -> Observable<ItemChange<Message>> {
    changedMessages.filter { $0.channel == channel }.map(\.change)
  }

  /// Stores a message. The first attempt to send a text that begins with "!" fails.
  func post(_ message: Message) -> Observable<Message> {
    answer { server throws(LoadFailure) in
      if message.text.hasPrefix("!"), server.failed.insert(message.text).inserted {
        throw LoadFailure(.unreachable, "the message wasn't sent", isRetryable: true)
      }
      return server.add(message)
    }
  }

  func change(_ message: Message) -> Observable<Void> {
    answer { server throws(LoadFailure) in
      server.allMessages[try server.index(ofOwn: message.id)] = message
      server.changedMessages.onNext((message.channel, .change(message)))
    }
  }

  func delete(_ id: Message.ID) -> Observable<Void> {
    answer { server throws(LoadFailure) in
      let message = server.allMessages.remove(at: try server.index(ofOwn: id))
      server.changedMessages.onNext((message.channel, .remove(id)))
    }
  }

  func markRead(_ channel: Channel.ID) -> Observable<Void> {
    answer { server in server.changeChannel(channel) { $0.unread = 0 } }
  }

  func save(_ profile: Profile) -> Observable<Profile> {
    answer { server in
      server.user = profile
      return profile
    }
  }

  // MARK: - What the server stores

  private func answer<Value>(
    _ work: @escaping (MemoryServer) throws(LoadFailure) -> Value
  ) -> Observable<Value> {
    Observable<Int>.timer(.milliseconds(200), on: clock).flatMap { [self] _ -> Observable<Value> in
      if isDown { return .error(LoadFailure(.unreachable, "the server is down", isRetryable: true)) }
      do throws(LoadFailure) { return .just(try work(self)) } catch { return .error(error) }
    }
  }

  /// Adds a message under an id of the server's, and reports it.
  @discardableResult
  private func add(_ draft: Message) -> Message {
    count += 1
    let message = Message(
      id: "m\(count)", channel: draft.channel, author: draft.author, text: draft.text, images: draft.images,
      sent: timestamp())
    allMessages.append(message)
    changedMessages.onNext((message.channel, .insert(message, at: .end)))
    return message
  }

  private func changeChannel(_ id: Channel.ID, _ change: (inout Channel) -> Void) {
    guard let index = allChannels.firstIndex(where: { $0.id == id }) else { return }
    change(&allChannels[index])
    changedChannels.onNext(.change(allChannels[index]))
  }

  /// Returns the position of a message that the user wrote.
  private func index(ofOwn id: Message.ID) throws(LoadFailure) -> Int {
    guard let index = allMessages.firstIndex(where: { $0.id == id }) else {
      throw LoadFailure(.noSuchItem, "the message was deleted")
    }
    if allMessages[index].author == user.name { return index }
    throw LoadFailure(code: 403, message: "only its author may change a message")
  }

  /// Returns the newest messages before another one, oldest first, and whether there are older ones.
  private func page(
    before id: Message.ID?, _ count: Int, where isIncluded: (Message) -> Bool
  ) -> (page: [Message], hasMore: Bool) {
    let end = id.flatMap { id in allMessages.firstIndex { $0.id == id } } ?? allMessages.endIndex
    let found = allMessages[..<end].filter(isIncluded)
    return (Array(found.suffix(count)), found.count > count)
  }

  /// Returns the time of day of the clock, which starts at nine o'clock and runs a minute ahead for each message.
  private func timestamp() -> String {
    let minutes = 9 * 60 + count + Int(clock.now.components.seconds / 60)
    let (hour, minute) = (minutes / 60 % 24, minutes % 60)
    return "2026-11-20T\(hour < 10 ? "0" : "")\(hour):\(minute < 10 ? "0" : "")\(minute):00"
  }

  /// Returns a picture whose address contains its data.
  private func picture(_ number: Int) -> Image {
    let colour = ["teal", "coral", "olive", "plum"][number % 4]
    let url =
      "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 40 30'>"
      + "<rect width='40' height='30' fill='\(colour)'/><circle cx='20' cy='15' r='\(5 + number % 9)' fill='white'/></svg>"
    return Image(name: "\(colour).svg", type: "image/svg+xml", url: url)
  }
}
