import Flow
import FlowTesting
import Nagare
import Testing
import WireJSON

@testable import Paging

/// Messages that are inserted at the end and kept if they can't be sent. Each order of a few events is compared with a
/// plain model.
@Suite struct InsertionTests {
  struct Message: Codable, Identifiable, Equatable {
    let id: String
    var text: String
  }

  enum Event: CaseIterable {
    case send, answer, refuse, retry, drop, edit, refresh
  }

  /// A list and its server. The server gives ids to messages and answers posts in their order.
  final class World {
    let clock = VirtualScheduler()
    let input = PublishRelay<Event>()
    private(set) lazy var list = makeList()
    private var subscription: (any Disposable)?
    private var posts: [(message: Message, answer: PublishSubject<Message>)] = []

    // The model: the messages of the server, and those of the list.
    private var server = [Message(id: "s0", text: "0")]
    private(set) var rows = [Row(id: "s0", text: "0")]
    private var count = 0

    struct Row: Equatable {
      var id: String
      var text: String
      var state: PendingItem.State?
    }

    init() { subscription = list.items.subscribe { _ in } }

    private func makeList() -> Feedback<Paged<Message>> {
      let list = PagedList(pageSize: 9, onRefresh: .keep) { [unowned self] (_: Int?, _) in .just(Page(server)) }
        .inserting(
          { [unowned self] message in
            posts.append((message, PublishSubject()))
            return posts[posts.count - 1].answer.asObservable()
          }, at: .end, onFailure: .keep
        )
        .updating { _ in .just(()) }
        .feedback(on: clock)
      list.on(input) { [unowned self] list, event in try perform(event, &list) }
      return list
    }

    private var failed: Int? { rows.firstIndex { $0.state == .failed } }

    private func perform(_ event: Event, _ list: inout Paged<Message>) throws {
      switch event {
      case .send: try list.insert(Message(id: "t\(count)", text: "\(count)"))
      case .retry: try list.retry(rows[failed ?? 0].id)
      case .drop: list.remove(rows[failed ?? 0].id)
      case .edit: try list.update(Message(id: rows[failed ?? 0].id, text: "\(count)"))
      case .refresh: list.first()
      case .answer, .refuse: break
      }
    }

    func play(_ event: Event) throws {
      count += 1
      switch event {
      case .send, .refresh: input.accept(event)
      case .answer, .refuse:
        if posts.isEmpty { return }
        let (message, answer) = posts.removeFirst()
        if event == .refuse {
          answer.onError(LoadFailure(.unreachable, "offline"))
        } else {
          let new = Message(id: "s\(count)", text: message.text)
          server.append(new)
          answer.onNext(new)
        }
        model(event, message)
        return
      case .retry, .drop, .edit: if failed == nil { return } else { input.accept(event) }
      }
      model(event, nil)
    }

    private func model(_ event: Event, _ message: Message?) {
      func index(of message: Message?) -> Int { rows.firstIndex { $0.id == message?.id } ?? 0 }
      switch event {
      case .send: rows.append(Row(id: "t\(count)", text: "\(count)", state: .sending))
      case .answer: rows[index(of: message)] = Row(id: "s\(count)", text: message?.text ?? "")
      case .refuse: rows[index(of: message)].state = .failed
      case .retry: rows[failed ?? 0].state = .sending
      case .drop: rows.remove(at: failed ?? 0)
      case .edit: rows[failed ?? 0].text = "\(count)"
      case .refresh:
        rows = server.map { Row(id: $0.id, text: $0.text) } + rows.filter { $0.state != nil }
      }
    }

    /// The list's rows.
    var listed: [Row] {
      let pending = list.state.pending
      return list.state.items.map { message in
        Row(id: message.id, text: message.text, state: pending.first { $0.id.raw.string == message.id }?.state)
      }
    }
  }

  @Test func `the list equals the model in every order of six events`() throws {
    var count = 0
    func play(_ events: [Event]) throws {
      let world = World()
      for event in events { try world.play(event) }
      #expect(world.listed == world.rows, "\(events)")
      if world.listed != world.rows { throw Failed() }
      count += 1
      if events.count < 6 { for event in Event.allCases { try play(events + [event]) } }
    }
    // All sequences begin with a message that is sent; without it the other events do nothing.
    try play([.send])
    #expect(count == 1 + 7 + 49 + 343 + 2401 + 16807)
  }

  struct Failed: Error {}
}

/// Other behaviour of inserted items.
@Suite final class InsertedItemTests {
  typealias Message = InsertionTests.Message

  let m = Marbles()
  let (send, remove, change) = (Port<String>("id"), Port<String>("id"), Port<String>("id"))
  let answers = PublishSubject<Message>()
  var sent: [String] = []
  let events = PublishSubject<ItemChange<Message>>()

  private func makeList(_ onFailure: OnFailedInsertion = .keep, follows: Bool = false) -> Feedback<Paged<Message>> {
    var messages = PagedList(pageSize: 3) { (_: Int?, _) in .just(Page([Message(id: "a", text: "a")])) }
      .inserting({ [answers] _ in answers.asObservable() }, at: .end, onFailure: onFailure)
      .removing { [unowned self] id in
        sent.append("-\(id)")
        return .just(())
      }
      .updating { [unowned self] message in
        sent.append("=\(message.id)")
        return .just(())
      }
    if follows { messages = messages.following(events.asObservable()) }
    let list = messages.feedback(on: m.clock)
    list.on(send) { try $0.insert(Message(id: $1, text: $1)) }
    list.on(remove) { $0.remove($1) }
    list.on(change) { try $0.update(Message(id: $1, text: "!")) }
    list.items.subscribe { _ in }.disposed(by: bag)
    return list
  }

  @Test func `edits of a message wait until it is sent, and then use the server's id`() throws {
    let list = makeList()
    try send.send("b")
    try change.send("b")
    try remove.send("b")
    #expect(sent == [] && list.state.items.map(\.id) == ["a"])
    answers.onNext(Message(id: "7", text: "b"))
    #expect(sent == ["=7", "-7"] && list.state.items.map(\.id) == ["a"] && list.state.pending == [])
  }

  @Test func `a message that isn't kept is removed if it fails`() throws {
    let list = makeList(.remove)
    try send.send("b")
    answers.onError(LoadFailure(.unreachable, "offline"))
    #expect(list.state.items.map(\.id) == ["a"] && list.state.failure?.message == "offline")
  }

  @Test func `a failed message counts as sent if the server lists it`() throws {
    let list = makeList(follows: true)
    try send.send("b")
    answers.onError(LoadFailure(.unreachable, "offline"))
    #expect(list.state.pending == [PendingItem(id: ItemID("b"), state: .failed)])
    events.onNext(.insert(Message(id: "b", text: "b"), at: .end))
    m.clock.run()
    #expect(list.state.pending == [] && list.state.items.map(\.id) == ["a", "b"])
  }

  @Test func `only a failed message can be sent again`() throws {
    let list = makeList()
    var state = list.state
    #expect(throws: Refusal.self) { try state.retry("a") }
    #expect(throws: Refusal.self) { try state.retry("x") }
  }

  let bag = DisposeBag()
}
