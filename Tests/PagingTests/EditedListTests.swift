import LetterPages
import Nagare
import Paging
import Randomness
import Testing

/// Whatever is edited, refused and loaded, in whatever order: what is listed is what ``EditModel`` says.
@Suite struct EditedListTests {
  /// They concern one another as much as edits can: a row and a new item, each of them before the other, and a third.
  private static let edits: [EditedRun.Event] = [
    .insert("x", before: nil), .insert("y", before: "x"), .insert("a", before: nil), .remove("a"), .remove("x"),
    .insert("x", before: "a"), .change("a"), .insert("y", before: nil),
  ]

  @Test(arguments: edits.prefix(5)) func `four edits, answered in any order`(first: EditedRun.Event) {
    var run = EditedRun(keeps: true, page: "ab")
    run.perform(first)
    run.explore(edits: 3, of: Array(Self.edits.prefix(5)), isInOrder: true)
  }

  @Test(arguments: edits) func `three edits, each answered before or after the others are made`(first: EditedRun.Event)
  {
    var run = EditedRun(keeps: true, page: "ab")
    run.perform(first)
    run.explore(edits: 2, of: Self.edits)
  }

  @Test(arguments: [false, true], ["ab", "xa", "cyb"])
  func `two edits, a page that is asked for and comes when it likes`(keeps: Bool, page: String) {
    EditedRun(keeps: keeps, page: "ab").explore(
      edits: 2, of: Self.edits, asks: [.ask(.first), .ask(.after), .ask(.before), .search("q")], page: page)
  }

  @Test(arguments: [false, true])
  func `two edits, a page that is asked for twice and comes when it likes`(keeps: Bool) {
    EditedRun(keeps: keeps, page: "ab").explore(
      edits: 2, of: [.insert("x", before: nil), .remove("a"), .insert("y", before: "a")],
      asks: [.ask(.first), .ask(.after), .askAgain], page: "xa")
  }

  @Test(arguments: 0..<8) func `long days`(part: Int) {
    for seed in part * 150..<(part + 1) * 150 {
      var random = SplitMix64(seed: seed)
      var run = EditedRun(keeps: Bool.random(using: &random), page: "abc", name: "seed \(seed)")
      for _ in 0..<80 where !run.hasFailed { run.perform(.random(in: run, using: &random)) }
      if run.hasFailed { return }
    }
  }
}

/// A list and a model of it, and what was done to both.
struct EditedRun {
  enum Event: Hashable {
    case insert(Character, before: Character?), remove(Character), change(Character)
    case take(Int), refuse(Int)
    case ask(EditModel.Place), search(String), askAgain
    case come(String), fail
  }

  private(set) var state: Paged<RawJSON>
  private(set) var model: EditModel
  /// The edits that the source is asked to make and hasn't answered.
  private(set) var asked: [(number: Int, modelled: Int)] = []
  private(set) var hasFailed = false
  private let name: String
  private var history: [Event] = []
  private var version = 0

  init(keeps: Bool, page: String, name: String = "") {
    state = Paged(onRefresh: keeps ? .keep : .clear, writes: [.insert, .remove])
    model = EditModel(keeps: keeps)
    self.name = name
    perform(.ask(.first))
    perform(.come(page))
  }

  /// Does something, and looks whether list and model agree.
  mutating func perform(_ event: Event) {
    history.append(event)
    version += 1
    let before = state.items
    let newest = state.newestEdit
    change(event)
    if state.newestEdit != newest { asked.append((state.newestEdit, model.count)) }
    let (listed, expected) = (state.items, model.listed)
    let isEqual =
      listed.count == expected.count && zip(listed, expected).allSatisfy { Self.isItem($0.bytes, $1) }
    if !isEqual { fail("\(listed.map(\.json.text)) are listed, not \(expected)") }
    if !name.isEmpty { check(ItemList.splices(from: before, to: listed), from: before.map(\.json.text)) }
  }

  private mutating func change(_ event: Event) {
    switch event {
    case .insert(let id, let next):
      model.insert("\(id)\(version)", before: next)
      state.insert(item(id), before: next.map { ItemID(String($0)) })
    case .remove(let id):
      model.remove(id)
      state.remove(ItemID(String(id)))
    case .change(let id):
      model.change("\(id)\(version)")
      state.replace(item(id))
    case .take(let index):
      let edit = asked.remove(at: index)
      model.take(edit.modelled)
      state.edits.take((), of: edit.number)
    case .refuse(let index):
      let edit = asked.remove(at: index)
      model.refuse(edit.modelled)
      state.refuse(edit.number)
    case .ask(let place):
      let running = state.running
      state.load(place == .first ? .refresh : place == .after ? .reachBottom : .reachTop)
      if let load = state.running, load != running { model.begin(state.asked?.key == nil ? .first : place) }
    case .search(let text):
      guard text != model.query else { return }
      model.begin(.first, query: text)
      state.search(text)
    case .askAgain:
      guard let load = state.running else { return }
      model.askAgain()
      state.retried(load)
    case .come(let letters):
      guard state.running != nil else { return }
      model.come(letters.map { "\($0)\(version)" })
      let page = page(of: letters.map { Self.text("\($0)\(version)") })
      try? state.come(page)
    case .fail:
      guard state.running != nil else { return }
      model.end()
      state.fail()
    }
  }

  /// Splices make the list from the one before, and no more than one item is said where no more has changed.
  private mutating func check(_ splices: [ItemList.Splice], from before: [String]) {
    let after = state.items.map { $0.json.text }
    var made = before
    for splice in splices {
      made.replaceSubrange(splice.start..<splice.start + splice.deleteCount, with: after[splice.items])
    }
    if made != after { fail("the splices make \(made), not \(after)") }
    let prefix = zip(before, after).prefix { $0 == $1 }.count
    let (oldRest, newRest) = (before.dropFirst(prefix), after.dropFirst(prefix))
    let suffix = zip(oldRest.reversed(), newRest.reversed()).prefix { $0 == $1 }.count
    let (gone, come) = (oldRest.count - suffix, newRest.count - suffix)
    let said = splices.reduce((0, 0)) { ($0.0 + $1.deleteCount, $0.1 + $1.items.count) }
    if gone <= 1, come <= 1, said != (gone, come) { fail("\(said) were said of \((gone, come))") }
  }

  private mutating func fail(_ fault: String) {
    if !hasFailed { Issue.record("\(name): \(fault) after \(history)") }
    hasFailed = true
  }

  /// Whether an item of the list is one of the model. Nothing is made for it, as it is asked a million times.
  private static func isItem(_ bytes: ArraySlice<UInt8>, _ item: String) -> Bool {
    let start = bytes.startIndex
    return bytes.count == 18 + item.utf8.count && bytes[start + 7] == item.utf8.first
      && bytes[start + 16..<bytes.endIndex - 2].elementsEqual(item.utf8)
  }

  /// What an item of the model is in the list.
  private static func text(_ item: String) -> [UInt8] {
    Array(#"{"id":""#.utf8) + item.utf8.prefix(1) + Array(#"","as":""#.utf8) + item.utf8 + Array(#""}"#.utf8)
  }

  private func item(_ id: Character) -> ItemList.Item {
    ItemList.Item(page(of: [Self.text("\(id)\(version)")]).items, at: 0)
  }

  private func page(of texts: [[UInt8]]) -> Page<RawJSON> {
    var bytes: [UInt8] = []
    var slices: [RawItems.Slice] = []
    for text in texts {
      let start = UInt32(bytes.count)
      bytes += text
      slices.append(RawItems.Slice(start: start, length: UInt32(text.count), idStart: start + 6, idLength: 3))
    }
    return Page(items: RawItems(bytes: bytes, slices: slices), next: .null, previous: .null)
  }
}

extension EditedRun {
  /// Goes all ways on from here. As list and model are values, ways share their beginnings.
  ///
  /// - Parameters:
  ///   - edits: how many more edits are made.
  ///   - kinds: what they may be.
  ///   - isInOrder: whether no edit is answered before all are made.
  ///   - asks: what may be asked for, once, and then once more for the same page if that is among it.
  ///   - page: what comes of it.
  func explore(edits: Int, of kinds: [Event], isInOrder: Bool = false, asks: [Event] = [], page: String = "") {
    func go(_ event: Event, edits: Int, asks: [Event]) {
      var next = self
      next.perform(event)
      if next.hasFailed { return }
      next.explore(edits: edits, of: kinds, isInOrder: isInOrder, asks: asks, page: page)
    }
    if edits > 0 { for kind in kinds where isPossible(kind) { go(kind, edits: edits - 1, asks: asks) } }
    if model.load != nil { go(.come(page), edits: edits, asks: asks) }
    for ask in asks where ask != .askAgain || model.load != nil {
      go(ask, edits: edits, asks: asks.contains(.askAgain) && ask != .askAgain ? [.askAgain] : [])
    }
    if isInOrder, edits > 0 { return }
    for index in asked.indices {
      go(.take(index), edits: edits, asks: asks)
      go(.refuse(index), edits: edits, asks: asks)
    }
  }

  /// Whether an edit is none that is refused for its parameters.
  fileprivate func isPossible(_ event: Event) -> Bool {
    switch event {
    case .insert(_, let next): next.map(model.lists) ?? true
    case .remove(let id), .change(let id): model.lists(id)
    default: true
    }
  }
}

extension EditedRun.Event {
  /// Something that is possible.
  fileprivate static func random(in run: EditedRun, using random: inout SplitMix64) -> Self {
    let letters = "abcdefgh"
    func letter() -> Character { letters.randomElement(using: &random) ?? "a" }
    let event: Self
    switch Int.random(in: 0..<20, using: &random) {
    case 0..<5:
      let next = run.model.listed.randomElement(using: &random)?.first
      event = .insert(letter(), before: Int.random(in: 0..<3, using: &random) == 0 ? nil : next)
    case 5..<8: event = .remove(letter())
    case 8..<10: event = .change(letter())
    case 10..<16:
      guard let index = run.asked.indices.randomElement(using: &random) else { return .change("a") }
      event = Bool.random(using: &random) ? .take(index) : .refuse(index)
    case 16 where run.model.load == nil:
      event = .ask([.first, .after, .after, .before, .before].randomElement(using: &random) ?? .first)
    case 17 where run.model.load == nil && Bool.random(using: &random):
      event = .search(["", "q"].randomElement(using: &random) ?? "")
    case 18: event = Bool.random(using: &random) ? .fail : .askAgain
    default:
      event = .come(String((0..<Int.random(in: 0...5, using: &random)).map { _ in letter() }))
    }
    return run.isPossible(event) ? event : .random(in: run, using: &random)
  }
}
