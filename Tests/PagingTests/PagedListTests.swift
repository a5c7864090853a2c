import Flow
import FlowTesting
import ItemList
import Nagare
import Paging
import Testing
import WireJSON

/// A list that follows a filter, with a server whose pages take 300 ms and whose edits take 200 ms.
@Suite final class PagedListTests {
  struct Ticket: Codable, Identifiable, Equatable {
    let id: String
    var title = "?"
  }
  struct State { var filter = "a" }

  let m = Marbles()
  let (filter, more) = (Port<String>("text"), Trigger())
  let (remove, rename) = (Port<String>("id"), Port<String>("id"))
  var asked: [String] = []
  var sent: [String] = []
  var keyOfNext = true
  lazy var list = makeList()

  private func makeList() -> Feedback<Paged<Ticket>> {
    let clock = m.clock
    let state = Feedback(State(), on: clock)
    state.on(filter) { $0.filter = $1 }
    // A page has two tickets of the filter's letter, and each filter has two pages.
    let list = PagedList(following: state.filter, pageSize: 2) { [unowned self] (key: Int?, filter, size) in
      asked.append("\(filter)\(key ?? 1)/\(size)")
      let tickets = (1...2).map { Ticket(id: "\(filter)\(key ?? 1)\($0)") }
      let page = keyOfNext ? Page(tickets, next: key == nil ? 2 : nil) : Page(tickets, next: "two")
      return .just(page).delay(.milliseconds(300), on: clock)
    }
    .removing { [unowned self] id in answer("-\(id)") }
    .updating { [unowned self] ticket in answer("=\(ticket.id)") }
    .feedback(on: clock)
    list.on(more) { $0.next() }
    list.on(remove) { list, id in
      try list.listed(id)
      list.remove(id)
    }
    list.on(rename) { list, id in
      var ticket = try list.listed(id)
      ticket.title = "!"
      try list.update(ticket)
    }
    more.name = "more"
    remove.name = "remove"
    return list
  }

  /// Makes edits of ids that end in 1, and refuses the others.
  private func answer(_ edit: String) -> Observable<Void> {
    sent.append(edit)
    let taken = edit.hasSuffix("1")
    return .just(()).delay(.milliseconds(200), on: m.clock).flatMap {
      taken ? Observable.just(()) : .error(LoadFailure(.unreachable, "offline"))
    }
  }

  private var ids: [String] { list.state.items.map(\.id) }
  private var titles: String { list.state.items.map(\.title).joined() }

  @Test func `the newest filter wins, and loads for older filters are dropped`() {
    let items = m.record(list.items) { $0.item(at: 0)?.id.first ?? "n" }
    let loading = m.record(list.isLoading)
    m.play("----m----", into: more)
    m.play("-----b-c-", into: filter)
    m.clock.run(until: .seconds(2))
    items.expect("  n--a-n----c")
    loading.expect("t--ft-----f")
    #expect(asked == ["a1/2", "a2/2", "b1/2", "c1/2"])
    #expect(ids == ["c11", "c12"])
  }

  @Test func `a list that replaces another loads its first page with the same settings`() throws {
    let reset = Trigger()
    list.on(reset) { $0 = Paged() }
    let items = list.items.subscribe { _ in }
    m.clock.advance(by: .milliseconds(300))
    try more.send()
    m.clock.advance(by: .milliseconds(100))
    try reset.send()
    #expect(ids == [] && list.state.isLoading)
    m.clock.advance(by: .milliseconds(300))
    #expect(ids == ["a11", "a12"] && asked == ["a1/2", "a2/2", "a1/2"])
    items.dispose()
  }

  @Test func `the next page is requested by the key of the page before and by the filter`() throws {
    list.items.subscribe { _ in }.disposed(by: bag)
    try filter.send("b")
    m.clock.run()
    try more.send()
    m.clock.run()
    try more.send()
    #expect(asked == ["a1/2", "b1/2", "b2/2"])
    #expect(ids == ["b11", "b12", "b21", "b22"])
  }

  @Test func `a viewport that isn't a range is refused`() throws {
    var list = Paged<RawJSON>(pageSize: 2)
    for rows in [Viewport(start: 5, end: 1), Viewport(start: -1, end: 2), Viewport(start: 0, end: -1)] {
      #expect(throws: Refusal.self) { try list.show(rows) }
    }
    try list.show(Viewport(start: 1, end: 1))
  }

  @Test func `a key of another type is a failure of the load`() throws {
    keyOfNext = false
    let failure = m.record(list.failure) { $0?.trigger.first ?? "n" }
    m.clock.run()
    try more.send()
    failure.expect("n--m")
    #expect(asked == ["a1/2"])
  }

  @Test func `an edit is listed at once, and undone if refused`() throws {
    list.items.subscribe { _ in }.disposed(by: bag)
    m.clock.run()
    for id in ["a11", "a12"] { try rename.send(id) }
    #expect(titles == "!!" && sent == ["=a11", "=a12"])
    m.clock.run()
    #expect(titles == "!?" && list.state.failure?.message == "offline")
    for id in ["a11", "a12"] { try remove.send(id) }
    #expect(ids == [] && sent.suffix(2) == ["-a11", "-a12"])
    m.clock.run()
    // All rows were removed, so the next page was requested.
    #expect(ids.first == "a12" && list.state.failure?.trigger == "remove")
    #expect(throws: RPCError.self) { try remove.send("a11") }
  }

  @Test func `an edit's failure stands until the next edit, and a load's until the next load`() {
    let failure = m.record(list.failure) { $0?.trigger.first ?? "n" }
    m.play("-----x---y----------", into: remove, values: ["x": "a12", "y": "a11"])
    m.play("------------m----m--", into: more)
    m.play("-------------------r", into: rename, values: ["r": "a21"])
    m.clock.run(until: .seconds(1))
    keyOfNext = false
    m.clock.run(until: .seconds(3))
    failure.expect("n------r-n-------m--")
    #expect(sent == ["-a12", "-a11", "=a21"])
  }

  @Test func `an unanswered update lists no item that a new filter leaves out`() throws {
    list.items.subscribe { _ in }.disposed(by: bag)
    m.clock.run()
    try rename.send("a11")
    try filter.send("b")
    m.clock.run()
    #expect(ids == ["b11", "b12"])
  }

  let bag = DisposeBag()
}

/// The results of edits in a list of an app's own type.
@Suite struct TypedEditResultTests {
  struct Ticket: Codable, Identifiable, Equatable {
    var id: String
    var title: String
  }

  @Test(arguments: [#"{"id":"47","title":"Lamp!"}"#, #"{"id":"47"}"#])
  func `an item gets the id of the answer, which must be of the list's type`(_ answer: String) throws {
    let clock = VirtualScheduler()
    let item = try #require(ItemList.Item(json(answer), id: "id"))
    let tickets = Source<Ticket>(
      reading: Source<RawJSON>(
        page: { _ in .just(Page(items: RawItems(bytes: [], slices: []))) }, edit: { _ in .just(EditResult(item: item)) }
      ))
    let list = PagedList(of: tickets).feedback(on: clock)
    let insert = Port<String>("title")
    list.on(insert) { try $0.insert(Ticket(id: "new", title: $1)) }
    let subscription = list.items.subscribe { _ in }
    defer { subscription.dispose() }
    insert.on(.next("Lamp"))
    let isWhole = answer.contains("title")
    #expect(list.state.items.map(\.id) == ["47"])
    #expect(list.state["new"]?.title == (isWhole ? "Lamp!" : "Lamp"))
    #expect(list.state.failure?.code == (isWhole ? nil : -32013))
  }
}
