import Flow
import FlowTesting
import Nagare
import Testing

/// A list in the state of a feedback, with items of an app's own type.
@Suite final class PagedFeedbackTests {
  struct Note: Codable, Identifiable, Equatable {
    let id: String
    var size = 1.0
  }
  struct State { var notes = Paged<Note>(onRefresh: .keep, writes: [.insert, .remove]) }

  let m = Marbles()
  let (load, more, drop) = (Trigger(), Trigger(), Port<String>("id"))
  let add = Port<Note>()
  let state: Feedback<State>
  let bag = DisposeBag()
  var requests: [PageRequest] = []
  var sent: [String] = []
  var answers: [PublishSubject<Void>] = []

  init() {
    state = Feedback(State(), on: m.clock)
    state.on(load) { $0.notes.first() }
    state.on(more) { $0.notes.next() }
    state.on(add) { try $0.notes.insert($1) }
    state.on(drop) { $0.notes.remove($1) }
    state.react(to: \.notes) { [unowned self] request in
      requests.append(request)
      let number = request.key(first: 1)
      return .just(Page([Note(id: "\(number)a"), Note(id: "\(number)b")], next: number < 2 ? number + 1 : nil))
    }
    state.react(to: \.notes.edits) { [unowned self] edit in
      switch edit {
      case .insert(let note, _), .update(let note): sent.append("+\(note.id)")
      case .remove(let id): sent.append("-\(id)")
      case .marked: sent.append("?")
      }
      answers.append(PublishSubject())
      return answers[answers.count - 1].asObservable()
    }
  }

  private var listed: [String] { state.state.notes.items.map(\.id) }

  private func listen() -> any Disposable { state.notes.items.subscribe { _ in } }

  @Test func `pages are requested by the keys of the pages before`() throws {
    listen().disposed(by: bag)
    try load.send()
    for _ in 1...2 { try more.send() }
    #expect(listed == ["1a", "1b", "2a", "2b"])
    #expect(requests.map(\.size) == [20, 20] && requests.map { $0.key(first: 1) } == [1, 2])
    #expect(try state.state.notes.listed("2a") == Note(id: "2a"))
    #expect(throws: Refusal.self) { try state.state.notes.listed("3a") }
  }

  @Test func `edits of a replaced list continue, and their answers change nothing`() throws {
    let reset = Trigger()
    state.on(reset) { $0 = State() }
    listen().disposed(by: bag)
    try load.send()
    try drop.send("1a")
    try reset.send()
    #expect(listed == [] && answers[0].hasObservers && !state.state.notes.isLoading)
    try load.send()
    try drop.send("1b")
    #expect(listed == ["1a"] && sent == ["-\"1a\"", "-\"1b\""])
    answers[0].onError(MarbleError())
    #expect(listed == ["1a"] && state.state.notes.failure == nil)
    answers[1].onError(MarbleError())
    #expect(listed == ["1a", "1b"] && state.state.notes.failure != nil)
  }

  @Test func `a list that replaces another is watched again`() throws {
    var watched = 0
    let reset = Trigger()
    state.follow(\.notes) { _ in
      watched += 1
      return .never()
    }
    state.on(reset) { state in
      state = State()
      state.notes.first()
    }
    listen().disposed(by: bag)
    try load.send()
    #expect(state.state.notes.isLive && watched == 1)
    try reset.send()
    #expect(state.state.notes.isLive && watched == 2 && requests.count == 2 && listed == ["1a", "1b"])
  }

  @Test func `each edit is sent once, whenever there are subscribers, and undone if refused`() throws {
    let first = listen()
    try load.send()
    try drop.send("1a")
    try add.send(Note(id: "x"))
    #expect(listed == ["x", "1b"] && sent == ["-\"1a\"", "+x"])
    first.dispose()
    // Sent edits continue. Edits that are made without subscribers are sent once there is a subscriber.
    answers[0].onError(MarbleError())
    try drop.send("1b")
    #expect(listed == ["x", "1a"] && sent.count == 2)
    listen().disposed(by: bag)
    #expect(sent == ["-\"1a\"", "+x", "-\"1b\""])
    answers[1].onCompleted()
    answers[2].onError(MarbleError())
    #expect(listed == ["x", "1a", "1b"])
  }

  @Test func `an edit's failure has the input's name, and stands until a load begins`() throws {
    drop.name = "drop"
    let failure = m.record(state.failure) { $0?.trigger.first ?? "n" }
    try load.send()
    try drop.send("1a")
    answers[0].onError(MarbleError())
    try load.send()
    failure.expect("(ndn)")
  }

  @Test func `unlistable items are refused as edits, and are failures in pages`() throws {
    listen().disposed(by: bag)
    #expect(throws: RPCError.self) { try add.send(Note(id: "x", size: .infinity)) }
    let page = Page([Note(id: "a", size: .infinity), Note(id: "b")])
    #expect(page.items.count == 1 && page.failures.count == 1)
    #expect(page.failures[0].message.contains("Note at 0"))
  }

  @Test func `a call doesn't wait for an edit that the list makes alone`() {
    let own = Feedback(Paged<Note>(), on: m.clock)
    own.on(add) { try $0.insert($1) }
    own.items.subscribe { _ in }.disposed(by: bag)
    var outcomes: [Outcome] = []
    #expect(add.receive(Note(id: "x"), whenOver: { outcomes.append($0) }) == nil)
    #expect(own.state.items.map(\.id) == ["x"])
    #expect(outcomes == [.nothing])
  }
}
