import Flow
import Nagare
import Testing

@testable import Feeds
@testable import ItemList

/// A list's state, and what a test does to it in a letter or two.
private struct Edited {
  var state: ListState
  var edits: [Character: ListEdit] = [:]

  init(_ letters: String, next: String? = nil, onRefresh: ListState.OnRefresh = .clear) {
    state = ListState(onRefresh: onRefresh)
    ListState.apply(&state, .asked(.appear))
    load(letters, next: next)
  }

  var letters: String { state.items.letters }

  mutating func ask(_ trigger: ListState.Trigger) { ListState.apply(&state, .asked(trigger)) }

  /// Answers the load that is running.
  mutating func load(_ letters: String, next: String? = nil) {
    if let load = state.running { ListState.apply(&state, .loaded(page(letters, next: next), by: load)) }
  }

  mutating func insert(_ letter: Character, before next: Character? = nil) {
    ListState.apply(&state, .inserted(ItemList.Item(page(String(letter)).items, at: 0), before: next.map { id($0) }))
    edits[letter] = state.newestEdit
  }

  mutating func remove(_ letter: Character) {
    ListState.apply(&state, .removed(id(letter)))
    edits[letter] = state.newestEdit
  }

  mutating func settle(_ letter: Character) { if let edit = edits[letter] { ListState.apply(&state, .settled(edit)) } }
  mutating func refuse(_ letter: Character) {
    if let edit = edits[letter] { ListState.apply(&state, .refused(broken, edit)) }
  }
}

@Suite struct ListEditTests {
  @Test func `an item is put in first, before another, or in the place of its older self`() {
    var list = Edited("abc")
    list.insert("x")
    list.insert("y", before: "c")
    list.insert("B")
    #expect(list.letters == "xaByc")
  }

  @Test func `an item is taken out`() {
    var list = Edited("abc")
    list.remove("b")
    list.remove("z")
    #expect(list.letters == "ac")
  }

  @Test func `a refused edit is undone where it was, and stands as a failure`() {
    var list = Edited("abc")
    list.remove("b")
    list.insert("x")
    list.insert("C")
    list.refuse("b")
    #expect(list.letters == "xabC" && list.state.failure?.trigger == "remove")
    list.refuse("x")
    list.refuse("C")
    #expect(list.letters == "abc" && list.state.failure?.trigger == "insert")
  }

  @Test func `what is put back finds its place again among others`() {
    var list = Edited("abc", next: "2")
    list.remove("b")
    list.remove("c")
    list.ask(.reachBottom)
    list.load("de")
    #expect(list.letters == "ade")
    list.refuse("c")
    #expect(list.letters == "acde")
    list.refuse("b")
    #expect(list.letters == "abcde")
  }

  @Test func `a removed item stays out of later pages, until a refresh brings the source's truth`() {
    var list = Edited("abc", next: "2")
    list.remove("b")
    list.settle("b")
    list.ask(.reachBottom)
    list.load("bde")
    #expect(list.letters == "acde")
    list.ask(.refresh)
    list.load("abc")
    #expect(list.letters == "abc")
  }

  @Test func `a refresh that was asked for before the source took an edit doesn't undo it`() {
    for onRefresh in [ListState.OnRefresh.clear, .keep] {
      var list = Edited("abc", onRefresh: onRefresh)
      list.ask(.refresh)
      if onRefresh == .keep { list.remove("b") }
      list.insert("x")
      list.settle("b")
      list.settle("x")
      list.load("abc")
      #expect(list.letters == (onRefresh == .keep ? "xac" : "xabc"))
      list.ask(.refresh)
      list.load("abc")
      #expect(list.letters == "abc")
    }
  }

  @Test func `edits that the source has not taken yet hold over a refresh`() {
    var list = Edited("abc")
    list.insert("x", before: "b")
    list.remove("c")
    list.ask(.refresh)
    list.load("abc")
    #expect(list.letters == "axb")
    list.refuse("x")
    list.refuse("c")
    #expect(list.letters == "abc")
  }

  @Test func `what the source has said meanwhile lies beneath the edits, and shows when they are refused`() {
    var list = Edited("abc", next: "2")
    list.insert("x")
    list.remove("c")
    list.ask(.refresh)
    list.load("Xab")
    #expect(list.letters == "xab")
    list.refuse("x")
    list.refuse("c")
    #expect(list.letters == "Xab")
  }

  @Test func `an item put in and taken out again is gone, whatever the source says of either`() {
    for order in ["xx", "x"] {
      var list = Edited("abc")
      list.insert("x")
      let insertion = list.edits["x"]
      list.remove("x")
      if let insertion { ListState.apply(&list.state, .refused(broken, insertion)) }
      if order == "xx" { list.refuse("x") } else { list.settle("x") }
      #expect(list.letters == "abc")
    }
  }

  @Test func `an item taken out and put in again is there`() {
    var list = Edited("abc", next: "2")
    list.remove("a")
    list.settle("a")
    list.insert("A")
    list.settle("A")
    list.ask(.reachBottom)
    list.load("d")
    #expect(list.letters == "Abcd")
  }

  @Test func `an undone edit of items that a refresh has emptied brings nothing back`() {
    var list = Edited("abc")
    list.remove("a")
    list.ask(.refresh)
    list.refuse("a")
    #expect(list.letters == "")
    if let load = list.state.running { ListState.apply(&list.state, .failed(broken, of: load)) }
    #expect(list.letters == "")
  }
}

/// The edits' way to the source.
@Suite struct ListWritingTests {
  @Test func `edits reach the source in order, and are listed at once`() throws {
    var asked: [String] = []
    var taken: [PublishSubject<Never>] = []
    let source = ListSource { _ in
      .just(page("abc"))
    } write: { edit in
      .deferred {
        asked.append(edit.method)
        taken.append(PublishSubject())
        return taken[taken.count - 1].asObservable()
      }
    }
    let list = List(ListSettings(), source)
    let input = List.Input()
    var listed: [String] = []
    _ = list.transform(input, on: VirtualScheduler()).items.subscribe(onNext: { listed.append($0.letters) })
    try input.viewWillAppear.send()
    try input.remove.send(id("b"))
    try input.insert.send(Insertion(item: item("x"), before: nil))
    #expect(listed == ["", "abc", "ac", "xac"])
    #expect(asked == ["source/remove", "source/insert"])
    taken[0].onError(broken)
    #expect(listed.last == "xabc")
    taken[1].onCompleted()
    #expect(listed.last == "xabc")
  }

  @Test func `an edit goes on when the list is closed`() throws {
    let answer = PublishSubject<Never>()
    var isCancelled = false
    let source = ListSource { _ in
      .just(page("abc"))
    } write: { _ in
      answer.do(onDispose: { isCancelled = true })
    }
    let input = List.Input()
    let items = List(ListSettings(), source).transform(input, on: VirtualScheduler()).items.subscribe(onNext: { _ in })
    try input.viewWillAppear.send()
    try input.remove.send(id("b"))
    items.dispose()
    #expect(!isCancelled && answer.hasObservers)
    answer.onCompleted()
    #expect(isCancelled)
  }

  @Test func `what waits for an answer keeps nothing of a closed list`() throws {
    let answer = PublishSubject<Never>()
    weak var leaf: ItemLeaf?
    try {
      let source = ListSource { _ in
        .just(page("abc"))
      } write: { _ in
        answer.asObservable()
      }
      let input = List.Input()
      let items = List(ListSettings(), source).transform(input, on: VirtualScheduler()).items
        .subscribe(onNext: { leaf = $0.tree.tail.flatMap { $0.place(start: 0).leaf } })
      try input.viewWillAppear.send()
      try input.insert.send(Insertion(item: item("x"), before: nil))
      #expect(leaf != nil)
      items.dispose()
    }()
    #expect(leaf == nil && answer.hasObservers)
  }

  @Test func `an item is removed once the user agrees`() throws {
    var settings = ListSettings()
    settings.confirmRemoval = "Delete?"
    let list = List(settings) { _ in .just(page("abc")) }
    let input = List.Input()
    var outcomes: [TaskOutcome] = [.cancelled, .completed(nil)]
    var asked = 0
    input.present.answer = { _ in
      asked += 1
      return .just(outcomes.removeFirst())
    }
    var listed: [String] = []
    _ = list.transform(input, on: VirtualScheduler()).items.subscribe(onNext: { listed.append($0.letters) })
    try input.viewWillAppear.send()
    try input.remove.send(id("b"))
    #expect(asked == 1 && listed.last == "abc")
    try input.remove.send(id("b"))
    #expect(asked == 2 && listed.last == "ac")
  }

  @Test func `a client that can't ask the user keeps its item, and hears why`() throws {
    var settings = ListSettings()
    settings.confirmRemoval = "Delete?"
    let list = List(settings) { _ in .just(page("abc")) }
    let input = List.Input()
    var failures: [Failure?] = []
    _ = list.transform(input, on: VirtualScheduler()).error.subscribe(onNext: { failures.append($0) })
    try input.viewWillAppear.send()
    try input.remove.send(id("b"))
    #expect(failures.last??.trigger == "remove")
  }

  @Test func `what makes no sense is refused`() throws {
    let list = List(ListSettings()) { _ in .just(page("abc")) }
    let input = List.Input()
    _ = list.transform(input, on: VirtualScheduler()).items.subscribe(onNext: { _ in })
    try input.viewWillAppear.send()
    let refused: [() throws(RPCError) -> Void] = [
      { () throws(RPCError) in try input.remove.send(id("z")) },
      { () throws(RPCError) in try input.insert.send(Insertion(item: item("x"), before: id("z"))) },
      { () throws(RPCError) in try input.insert.send(Insertion(item: "x".json, before: nil)) },
      { () throws(RPCError) in try input.viewport.send(Viewport(start: 3, end: 2)) },
      { () throws(RPCError) in try input.viewport.send(Viewport(start: -1, end: 2)) },
    ]
    for send in refused { #expect(throws: RPCError.self) { try send() } }
  }
}
