import Flow
import FlowTesting
import ItemList
import Nagare
import Testing
import WireJSON

@testable import Paging

/// Edits that can be undone for five seconds. Every order of a few of them is compared with a plain model.
@Suite struct UndoTests {
  enum Event: CaseIterable {
    case removeA, removeB, removeMarked, changeMarked, changeA, undo, wait
  }

  /// A list of three rows whose source makes each edit at once.
  final class World {
    struct State { var list: Paged<RawJSON> }

    let clock = VirtualScheduler()
    let input = PublishRelay<Event>()
    let list: Feedback<State>
    let isAtOnce: Bool
    private(set) var sent: [String] = []
    private var subscription: (any Disposable)?

    // The model: the rows of the source, and the edits that aren't sent yet.
    private var source = ["a": 0, "b": 0, "c": 0]
    private var held: [(due: Duration, isRemoval: Bool, ids: [String], text: Int)] = []
    private(set) var expected: [String] = []
    private var count = 0

    init(isAtOnce: Bool) throws {
      self.isAtOnce = isAtOnce
      let items = try #require(
        RawItems(arrayOf: json(#"[{"id":"a","n":0},{"id":"b","n":0},{"id":"c","n":0}]"#), id: "id"))
      let capabilities = SourceCapabilities(writes: isAtOnce ? [.change, .remove, .marked] : [.change, .remove])
      let options = PagingOptions(onRefresh: .keep, hasMarks: true, undo: Milliseconds(5000))
      list = Feedback(State(list: Paged(options, source: capabilities)), on: clock)
      var source = Source<RawJSON>(page: { _ in .just(Page(items: items)) })
      source.capabilities = capabilities
      source.write = { [unowned self] edit in
        sent.append(World.text(of: edit))
        return .just(EditResult())
      }
      list.react(to: \.list, by: source)
      list.on(input) { [unowned self] state, event in try perform(event, &state.list) }
      subscription = list.list.shown.subscribe { _ in }
      let load = Trigger()
      list.on(load) { $0.list.first() }
      try load.send()
    }

    private static func text(of edit: Edit<RawJSON>) -> String {
      switch edit {
      case .insert: "+"
      case .update(let item): "\(item.member("id")?.string ?? "")=\(item.member("n")?.int ?? -1)"
      case .remove(let id): "-\(id.raw.string ?? "")"
      case .marked(let items, let set):
        "\(items.ids.compactMap(\.raw.string))" + (set.map { "=\($0.member("n")?.int ?? -1)" } ?? "-")
      }
    }

    private func perform(_ event: Event, _ list: inout Paged<RawJSON>) throws {
      switch event {
      case .removeA: list.remove(ItemID("a"))
      case .removeB: list.remove(ItemID("b"))
      case .removeMarked, .changeMarked:
        try list.unmark(Marking(all: true))
        for id in ["a", "b"] where list.items.contains(ItemID(id)) { try list.mark(Marking(id: ItemID(id))) }
        if event == .removeMarked { try list.removeMarked() } else { try list.changeMarked(json(#"{"n":\#(count)}"#)) }
      case .changeA: list.update(try #require(ItemList.Item(json(#"{"id":"a","n":\#(count)}"#), id: "id")))
      case .undo: list.undo()
      case .wait: break
      }
    }

    func play(_ event: Event) throws {
      count += 1
      model(event)
      if event == .wait { clock.advance(by: .seconds(3)) } else { input.accept(event) }
    }

    private func model(_ event: Event) {
      let listed = self.listed
      func edit(_ isRemoval: Bool, _ ids: [String], isHeld: Bool = true) {
        let ids = ids.filter { listed[$0] != nil }
        if ids.isEmpty { return }
        if let last = held.lastIndex(where: { !Set($0.ids).isDisjoint(with: ids) }) { send(held[...last].count) }
        held.append((clock.now + .seconds(5), isRemoval, ids, count))
        if !isHeld {
          let edit = held.removeLast()
          make(edit.isRemoval, edit.ids, edit.text, isMarked: false)
        }
      }
      switch event {
      case .removeA: edit(true, ["a"])
      case .removeB: edit(true, ["b"])
      case .removeMarked: edit(true, ["a", "b"])
      case .changeMarked: edit(false, ["a", "b"])
      case .changeA: edit(false, ["a"], isHeld: false)
      case .undo: _ = held.popLast()
      case .wait: send(held.filter { $0.due <= clock.now + .seconds(3) }.count)
      }
      if event == .removeMarked || event == .changeMarked, let last = held.indices.last, held[last].text == count {
        isMarked.insert(count)
      }
    }

    /// The edits of marked items.
    private var isMarked: Set<Int> = []

    private func send(_ number: Int) {
      for edit in held.prefix(number) {
        make(edit.isRemoval, edit.ids, edit.text, isMarked: isMarked.contains(edit.text))
      }
      held.removeFirst(number)
    }

    private func make(_ isRemoval: Bool, _ ids: [String], _ text: Int, isMarked: Bool) {
      for id in ids { source[id] = isRemoval ? nil : text }
      if isMarked, isAtOnce {
        expected.append("\(ids)" + (isRemoval ? "-" : "=\(text)"))
      } else {
        expected += ids.map { isRemoval ? "-\($0)" : "\($0)=\(text)" }
      }
    }

    /// The rows of the model.
    var listed: [String: Int] {
      held.reduce(into: source) { rows, edit in for id in edit.ids { rows[id] = edit.isRemoval ? nil : edit.text } }
    }

    /// The ids of the edit that can be undone in the model.
    var undoable: [String]? { held.last?.ids }

    func close() {
      send(held.count)
      subscription?.dispose()
    }
  }

  @Test(arguments: [false, true]) func `the list equals the model in every order of five edits`(_ isAtOnce: Bool) throws
  {
    var count = 0
    func play(_ events: [Event]) throws {
      let world = try World(isAtOnce: isAtOnce)
      for event in events { try world.play(event) }
      let rows = Dictionary(
        uniqueKeysWithValues: world.list.state.list.items.map { ($0.id.string ?? "", $0.json.member("n")?.int ?? -1) })
      let undoable = world.list.state.list.undoable
      let isRight =
        rows == world.listed && world.sent == world.expected
        && undoable?.ids?.compactMap(\.raw.string) == world.undoable
      #expect(isRight, "\(events): \(rows) for \(world.listed), \(world.sent) for \(world.expected)")
      world.close()
      #expect(world.sent == world.expected, "\(events), closed")
      count += 1
      if !isRight { throw Failed() }
      if events.count < 5 { for event in Event.allCases { try play(events + [event]) } }
    }
    for event in Event.allCases { try play([event]) }
    #expect(count == 7 + 49 + 343 + 2401 + 16807)
  }

  struct Failed: Error {}
}

/// Changes and removals that can be undone for different times. Every order of a few of them is compared with a plain model.
@Suite struct UndoTimesTests {
  enum Event: CaseIterable {
    case changeA, changeB, removeA, undo, waitOne, waitThree
  }

  struct Row: Codable, Identifiable, Equatable {
    let id: String
    var text = 0
  }

  /// A list of two rows. Changes can be undone for 2 s, removals for 5 s.
  final class World {
    let clock = VirtualScheduler()
    let input = PublishRelay<Event>()
    private(set) var sent: [String] = []
    private(set) lazy var list = makeList()
    private var subscription: (any Disposable)?

    // The model: the rows of the source, and the edits that aren't sent yet.
    private var source = ["a": 0, "b": 0]
    private var held: [(due: Duration, id: String, text: Int?)] = []
    private(set) var expected: [String] = []
    private var count = 0

    init() { subscription = list.items.subscribe { _ in } }

    private func makeList() -> Feedback<Paged<Row>> {
      let list = PagedList { .just(Page([Row(id: "a"), Row(id: "b")])) }
        .removing(
          { [unowned self] id in
            sent.append("-\(id)")
            return .just(())
          }, undoableFor: .seconds(5)
        )
        .updating(
          { [unowned self] row in
            sent.append("\(row.id)=\(row.text)")
            return .just(())
          }, undoableFor: .seconds(2)
        )
        .feedback(on: clock)
      list.on(input) { [unowned self] list, event in
        switch event {
        case .changeA: try list.update(Row(id: "a", text: count))
        case .changeB: try list.update(Row(id: "b", text: count))
        case .removeA: list.remove("a")
        case .undo: list.undo()
        case .waitOne, .waitThree: break
        }
      }
      return list
    }

    /// The rows that the model lists.
    var listed: [String: Int] {
      var rows = source
      for edit in held { rows[edit.id] = edit.text }
      return rows
    }
    /// The id in the edit that the model can undo.
    var undoable: String? { held.last?.id }

    func play(_ event: Event) {
      count += 1
      switch event {
      case .changeA: hold("a", for: .seconds(2), count)
      case .changeB: hold("b", for: .seconds(2), count)
      case .removeA: hold("a", for: .seconds(5), nil)
      case .undo: _ = held.popLast()
      case .waitOne: wait(.seconds(1))
      case .waitThree: wait(.seconds(3))
      }
      input.accept(event)
    }

    private func hold(_ id: String, for time: Duration, _ text: Int?) {
      if listed[id] == nil { return }
      // An earlier edit of the item is sent with all that are older.
      if let index = held.lastIndex(where: { $0.id == id }) { for _ in 0...index { send(0) } }
      held.append((clock.now + time, id, text))
    }

    private func send(_ index: Int) {
      let edit = held.remove(at: index)
      source[edit.id] = edit.text
      expected.append(edit.text.map { "\(edit.id)=\($0)" } ?? "-\(edit.id)")
    }

    private func wait(_ time: Duration) {
      let end = clock.now + time
      while let next = held.indices.min(by: { (held[$0].due, $0) < (held[$1].due, $1) }), held[next].due <= end {
        send(next)
      }
      clock.run(until: end)
    }
  }

  @Test func `every order of five edits`() throws {
    var count = 0
    func play(_ events: [Event]) throws {
      let world = World()
      for event in events { world.play(event) }
      let rows = Dictionary(uniqueKeysWithValues: world.list.state.items.map { ($0.id, $0.text) })
      let isRight =
        rows == world.listed && world.sent == world.expected
        && world.list.state.undoable?.ids?.first?.raw.string == world.undoable
      try #require(isRight, "\(events): \(rows) for \(world.listed), \(world.sent) for \(world.expected)")
      count += 1
      if events.count < 5 { for event in Event.allCases { try play(events + [event]) } }
    }
    for event in Event.allCases { try play([event]) }
    #expect(count == 6 + 36 + 216 + 1296 + 7776)
  }
}

/// Removals and changes that can be undone in a list of an app's own type.
@Suite final class UndoableListTests {
  struct Ticket: Codable, Identifiable, Equatable {
    let id: String
    var text = ""
  }

  let m = Marbles()
  let (remove, undo) = (Port<String>("id"), Trigger())
  let (insert, change) = (Port<Ticket>(), Port<Ticket>())
  var isRefused = false
  lazy var list: Feedback<Paged<Ticket>> = {
    let list = PagedList(pageSize: 3) { (_: Int?, _) in .just(Page(["a", "b", "c"].map { Ticket(id: $0) })) }
      .removing(
        { [unowned self] id in
          sent.append(id)
          return isRefused ? .error(LoadFailure(.unreachable, "offline")) : .just(())
        }, undoableFor: .seconds(5)
      )
      .feedback(on: m.clock)
    list.on(remove) { $0.remove($1) }
    list.on(undo) { $0.undo() }
    remove.name = "remove"
    return list
  }()
  var sent: [String] = []

  @Test func `a removal is listed at once, and sent when its time to be undone is over`() {
    let ids = m.record(list.items) { Character("\($0.count)") }
    let undoable = m.record(list.undoable) { $0?.ids?.last?.raw.string?.first ?? "n" }
    m.play("-a-b----", into: remove)
    m.play("-----u--", into: undo)
    let loading = m.record(list.isLoading)
    m.clock.run(until: .milliseconds(800))
    loading.expect("f-------")
    ids.expect("     32-1-2--")
    undoable.expect("na-b-a--")
    #expect(sent == [])
    m.clock.run()
    #expect(sent == ["a"] && list.state.undoable == nil && list.state.count == 2)
  }

  @Test func `a refused removal puts the row back, and its failure has the input's name`() throws {
    isRefused = true
    list.items.subscribe { _ in }.disposed(by: bag)
    try remove.send("b")
    #expect(list.state.failure == nil && list.state.count == 2)
    m.clock.run()
    #expect(list.state.failure?.trigger == "remove" && list.state.count == 3)
  }

  /// A list of three tickets. A change can be undone for 2 s, a removal for 5 s.
  private func changeable() -> Feedback<Paged<Ticket>> {
    let list = PagedList { .just(Page(["a", "b", "c"].map { Ticket(id: $0) })) }
      .inserting { [unowned self] ticket in
        sent.append("insert \(ticket.id)")
        return Observable<Int>.timer(.seconds(1), on: m.clock).map { _ in Ticket(id: "new", text: ticket.text) }
      }
      .removing(
        { [unowned self] id in
          sent.append("remove \(id)")
          return .just(())
        }, undoableFor: .seconds(5)
      )
      .updating(
        { [unowned self] ticket in
          sent.append("\(ticket.id)=\(ticket.text)")
          return isRefused ? .error(LoadFailure(.unreachable, "offline")) : .just(())
        }, undoableFor: .seconds(2)
      )
      .feedback(on: m.clock)
    list.on(remove) { $0.remove($1) }
    list.on(change) { try $0.update($1) }
    list.on(insert) { try $0.insert($1) }
    list.on(undo) { $0.undo() }
    change.name = "change"
    list.items.subscribe { _ in }.disposed(by: bag)
    return list
  }

  private func texts(_ list: Feedback<Paged<Ticket>>) -> [String] { list.state.items.map { "\($0.id)\($0.text)" } }

  @Test func `a change is listed at once, and sent when its time to be undone is over`() throws {
    let list = changeable()
    try change.send(Ticket(id: "b", text: "1"))
    #expect(texts(list) == ["a", "b1", "c"] && sent == [])
    #expect(list.state.undoable?.input == "change" && list.state.undoable?.milliseconds == Milliseconds(2000))
    try undo.send()
    #expect(texts(list) == ["a", "b", "c"] && list.state.undoable == nil)
    try change.send(Ticket(id: "b", text: "2"))
    m.clock.run()
    #expect(texts(list) == ["a", "b2", "c"] && sent == ["b=2"])
  }

  @Test func `each edit can be undone for the time of its kind`() throws {
    let list = changeable()
    try remove.send("a")
    try change.send(Ticket(id: "b", text: "1"))
    m.clock.run(until: .seconds(3))
    #expect(sent == ["b=1"] && list.state.undoable?.ids?.compactMap(\.raw.string) == ["a"])
    try undo.send()
    m.clock.run()
    #expect(sent == ["b=1"] && texts(list) == ["a", "b1", "c"])
  }

  @Test func `a second edit of an item sends the first one`() throws {
    let list = changeable()
    try change.send(Ticket(id: "b", text: "1"))
    try change.send(Ticket(id: "b", text: "2"))
    #expect(sent == ["b=1"])
    try remove.send("b")
    #expect(sent == ["b=1", "b=2"])
    try undo.send()
    #expect(texts(list) == ["a", "b2", "c"])
  }

  @Test func `a refused change is undone, and its failure has the input's name`() throws {
    isRefused = true
    let list = changeable()
    try change.send(Ticket(id: "b", text: "1"))
    m.clock.run()
    #expect(texts(list) == ["a", "b", "c"] && list.state.failure?.trigger == "change")
  }

  @Test func `a change of an item that isn't listed can't be undone`() throws {
    let list = changeable()
    try change.send(Ticket(id: "x", text: "1"))
    #expect(list.state.undoable == nil && texts(list) == ["a", "b", "c"])
  }

  @Test func `a change of an item whose insertion is unanswered is sent with the source's id`() throws {
    let list = changeable()
    try insert.send(Ticket(id: "draft"))
    try change.send(Ticket(id: "draft", text: "1"))
    m.clock.run(until: .milliseconds(1500))
    #expect(texts(list) == ["new1", "a", "b", "c"])
    m.clock.run()
    #expect(sent == ["insert draft", "new=1"])
    try change.send(Ticket(id: "draft", text: "2"))
    m.clock.run()
    #expect(sent.last == "new=2")
  }

  @Test func `very many removals are sent in order, and the newest can be undone`() throws {
    let ids = (0..<2000).map { "\($0)" }
    let list = PagedList(pageSize: 2000) { (_: Int?, _) in .just(Page(ids.map { Ticket(id: $0) })) }
      .removing(
        { [unowned self] id in
          sent.append(id)
          return .just(())
        }, undoableFor: .seconds(5)
      )
      .feedback(on: m.clock)
    list.on(remove) { $0.remove($1) }
    list.on(undo) { $0.undo() }
    list.items.subscribe { _ in }.disposed(by: bag)
    for id in ids { try remove.send(id) }
    try undo.send()
    m.clock.run()
    #expect(sent == ids.dropLast() && list.state.items.map(\.id) == ["1999"])
  }

  @Test func `edits that the list makes alone can be undone too`() throws {
    let list = PagedList(
      of: Source<Ticket>(
        reading: Source<RawJSON>(page: { _ in
          .just(Page(items: RawItems(arrayOf: json(#"[{"id":"a","text":""},{"id":"b","text":""}]"#), id: "id")!))
        })), PagingOptions(onRefresh: .keep, undo: Milliseconds(5000))
    ).feedback(on: m.clock)
    list.on(remove) { $0.remove($1) }
    list.on(undo) { $0.undo() }
    list.items.subscribe { _ in }.disposed(by: bag)
    m.clock.run()
    try remove.send("a")
    try remove.send("b")
    #expect(list.state.count == 0)
    try undo.send()
    #expect(list.state.items.map(\.id) == ["b"])
    m.clock.run()
    try undo.send()
    #expect(list.state.items.map(\.id) == ["b"] && list.state.undoable == nil)
  }

  let bag = DisposeBag()
}
