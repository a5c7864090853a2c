import LetterPages
import Nagare
import Paging
import Testing

/// A list whose items are letters, with short functions for what a test does.
private struct Edited {
  var list: Paged<RawJSON>
  var edits: [Character: Int] = [:]

  init(_ letters: String, next: String? = nil, onRefresh: OnRefresh = .clear) throws {
    list = Paged(onRefresh: onRefresh, writes: [.insert, .remove])
    list.load(.appear)
    try load(letters, next: next)
  }

  var letters: String { list.items.letters }

  mutating func ask(_ trigger: LoadTrigger) { list.load(trigger) }

  /// Answers the running load.
  mutating func load(_ letters: String, next: String? = nil) throws { try list.come(page(letters, next: next)) }

  mutating func insert(_ letter: Character, before next: Character? = nil) {
    list.insert(ItemList.Item(page(String(letter)).items, at: 0), before: next.map { id($0) })
    edits[letter] = list.newestEdit
  }

  mutating func remove(_ letter: Character) {
    list.remove(id(letter))
    edits[letter] = list.newestEdit
  }

  mutating func settle(_ letter: Character) { if let edit = edits[letter] { list.edits.receiveMade(edit) } }

  mutating func refuse(_ letter: Character) { if let edit = edits[letter] { list.refuse(edit) } }
}

extension Paged<RawJSON> {
  /// The numbers of the unanswered edits, in ascending order.
  var unansweredEdits: [Int] {
    Array(
      sequence(state: 0) { number in
        guard let next = edits.wantedNumber(after: number) else { return nil }
        number = next
        return next
      })
  }

  /// The number of the newest unanswered edit; 0 if there is none.
  var newestEdit: Int { unansweredEdits.last ?? 0 }

  mutating func refuse(_ edit: Int) { edits.end(edit, failure: Failure(broken, trigger: "edit \(edit)")) }
}

@Suite struct PagedEditTests {
  @Test func `an insertion is listed only under the filters at the time it was made`() throws {
    var list = try Edited("ab")
    list.insert("n")
    list.list.filter(Filters([(name: "a", value: 1.json)]))
    try list.load("a")
    #expect(list.letters == "a")
    list.list.filter(nil)
    try list.load("ab")
    #expect(list.letters == "nab")
  }

  @Test func `an item is inserted at the start, before another, or replaces its older version`() throws {
    var list = try Edited("abc")
    list.insert("x")
    list.insert("y", before: "c")
    list.insert("B")
    #expect(list.letters == "xaByc")
  }

  @Test func `an item is removed`() throws {
    var list = try Edited("abc")
    list.remove("b")
    list.remove("z")
    #expect(list.letters == "ac")
  }

  @Test func `a refused edit is undone in its position, and is the list's failure`() throws {
    var list = try Edited("abc")
    list.remove("b")
    list.insert("x")
    list.insert("C")
    list.refuse("b")
    #expect(list.letters == "xabC" && list.list.failure?.trigger == "edit \(list.edits["b"] ?? 0)")
    list.refuse("x")
    list.refuse("C")
    #expect(list.letters == "abc" && list.list.failure?.trigger == "edit \(list.edits["C"] ?? 0)")
  }

  @Test func `an item of a refused removal returns to its position among later items`() throws {
    var list = try Edited("abc", next: "2")
    list.remove("b")
    list.remove("c")
    list.ask(.reachBottom)
    try list.load("de")
    #expect(list.letters == "ade")
    list.refuse("c")
    #expect(list.letters == "acde")
    list.refuse("b")
    #expect(list.letters == "abcde")
  }

  @Test func `a removed item stays out of later pages until a refresh`() throws {
    var list = try Edited("abc", next: "2")
    list.remove("b")
    list.settle("b")
    list.ask(.reachBottom)
    try list.load("bde")
    #expect(list.letters == "acde")
    list.ask(.refresh)
    try list.load("abc")
    #expect(list.letters == "abc")
  }

  @Test func `a refresh requested before the source made an edit doesn't undo it`() throws {
    for onRefresh in [OnRefresh.clear, .keep] {
      var list = try Edited("abc", onRefresh: onRefresh)
      list.ask(.refresh)
      if onRefresh == .keep { list.remove("b") }
      list.insert("x")
      list.settle("b")
      list.settle("x")
      try list.load("abc")
      #expect(list.letters == (onRefresh == .keep ? "xac" : "xabc"))
      list.ask(.refresh)
      try list.load("abc")
      #expect(list.letters == "abc")
    }
  }

  @Test func `unanswered edits stay in effect after a refresh`() throws {
    var list = try Edited("abc")
    list.insert("x", before: "b")
    list.remove("c")
    list.ask(.refresh)
    try list.load("abc")
    #expect(list.letters == "axb")
    list.refuse("x")
    list.refuse("c")
    #expect(list.letters == "abc")
  }

  @Test func `newer rows of the source are listed when the edits above them are refused`() throws {
    var list = try Edited("abc", next: "2")
    list.insert("x")
    list.remove("c")
    list.ask(.refresh)
    try list.load("Xab")
    #expect(list.letters == "xab")
    list.refuse("x")
    list.refuse("c")
    #expect(list.letters == "Xab")
  }

  @Test func `an inserted and removed item is gone, however the source answers`() throws {
    for order in ["xx", "x"] {
      var list = try Edited("abc")
      list.insert("x")
      let insertion = list.edits["x"]
      list.remove("x")
      if let insertion { list.list.refuse(insertion) }
      if order == "xx" { list.refuse("x") } else { list.settle("x") }
      #expect(list.letters == "abc")
    }
  }

  @Test func `a removed and reinserted item is listed`() throws {
    var list = try Edited("abc", next: "2")
    list.remove("a")
    list.settle("a")
    list.insert("A")
    list.settle("A")
    list.ask(.reachBottom)
    try list.load("d")
    #expect(list.letters == "Abcd")
  }

  @Test func `undoing an edit after a refresh cleared the list restores nothing`() throws {
    var list = try Edited("abc")
    list.remove("a")
    list.ask(.refresh)
    list.refuse("a")
    #expect(list.letters == "")
    list.list.fail()
    #expect(list.letters == "")
  }
}
