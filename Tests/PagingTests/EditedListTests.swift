import LetterPages
import Nagare
import Randomness
import Testing

@testable import Paging

/// After any order of edits, refusals and loads, the listed items equal those of ``EditModel``.
@Suite struct EditedListTests {
  /// Edits that affect each other in many ways: of a row and of a new item, each inserted before the other, and of a
  /// third item.
  private static let edits: [EditedRun.Event] = [
    .insert("x", before: nil), .insert("y", before: "x"), .insert("a", before: nil), .remove("a"), .remove("x"),
    .insert("x", before: "a"), .change("a"), .insert("y", before: nil),
  ]

  @Test(arguments: edits.prefix(5)) func `the list equals the model after four edits are answered in any order`(
    first: EditedRun.Event
  ) {
    var run = EditedRun(keeps: true, page: "ab")
    run.perform(first)
    run.explore(edits: 3, of: Array(Self.edits.prefix(5)), isInOrder: true)
  }

  @Test(arguments: edits) func `the list equals the model after three edits, each answered at any time`(
    first: EditedRun.Event
  ) {
    var run = EditedRun(keeps: true, page: "ab")
    run.perform(first)
    run.explore(edits: 2, of: Self.edits)
  }

  @Test(arguments: [false, true])
  func `the list equals the model after two edits and a page in any order`(keeps: Bool) {
    EditedRun(keeps: keeps, page: "ab").explore(
      edits: 2, of: Self.edits, asks: [.ask(.first), .ask(.after), .ask(.before), .search("q")],
      pages: ["ab", "xa", "cyb"])
  }

  @Test(arguments: [false, true])
  func `the list equals the model after two edits and a page that is requested twice`(keeps: Bool) {
    EditedRun(keeps: keeps, page: "ab").explore(
      edits: 2, of: [.insert("x", before: nil), .remove("a"), .insert("y", before: "a")],
      asks: [.ask(.first), .ask(.after), .askAgain], pages: ["xa"])
  }

  @Test(arguments: [false, true])
  func `the list equals the model after two edits, also updates, and a page in any order`(keeps: Bool) {
    EditedRun(keeps: keeps, page: "ab").explore(
      edits: 2, of: [.update("a"), .update("b"), .remove("a"), .insert("a", before: nil)],
      asks: [.ask(.first), .ask(.after), .search("q")], pages: ["ab", "xa", "b"])
  }

  @Test(arguments: 0..<8) func `the list equals the model after each of many random events`(part: Int) {
    for seed in part * 150..<(part + 1) * 150 {
      var random = SplitMix64(seed: seed)
      var run = EditedRun(keeps: Bool.random(using: &random), page: "abc", name: "seed \(seed)")
      for _ in 0..<80 where !run.hasFailed { run.perform(.random(in: run, using: &random)) }
      if run.hasFailed { return }
    }
  }
}

/// A list and a model of it, and the history of both.
struct EditedRun {
  enum Event: Hashable {
    case insert(EditModel.ID, before: EditModel.ID?), remove(EditModel.ID), update(EditModel.ID), change(EditModel.ID)
    case take(Int), refuse(Int)
    case ask(EditModel.Place), search(String), askAgain
    case come(String), fail
  }

  private(set) var state: Paged<RawJSON>
  private(set) var model: EditModel
  /// The edits that were sent to the source and aren't answered.
  private(set) var asked: [(number: Int, modelled: Int)] = []
  private(set) var hasFailed = false
  private let name: String
  private var newest: Step?
  private var version = 0

  /// An event, and the step before it. Runs share the beginnings of their histories.
  private final class Step {
    let event: Event
    let before: Step?

    init(_ event: Event, after before: Step?) { (self.event, self.before) = (event, before) }
  }

  init(keeps: Bool, page: String, name: String = "") {
    state = Paged(onRefresh: keeps ? .keep : .clear, writes: [.insert, .remove])
    model = EditModel(keeps: keeps)
    self.name = name
    perform(.ask(.first))
    perform(.come(page))
  }

  /// Performs an event, and compares the list with the model.
  mutating func perform(_ event: Event) {
    newest = Step(event, after: newest)
    version += 1
    let before = name.isEmpty ? nil : (state.items, model.listed)
    let (revision, load) = (state.edits.revision, model.load)
    change(event)
    // After an empty page, and for an empty list, the next page is requested automatically.
    if state.running != nil, model.load == nil { model.begin(load == .before ? .before : .after) }
    if let edit = state.edits.wantedNumber(after: revision) { asked.append((edit, model.count)) }
    let (listed, expected) = (state.items, model.listed)
    var isEqual = listed.count == expected.count
    if isEqual {
      for (index, item) in listed.enumerated() where !isItem(item.bytes, expected[index]) { isEqual = false }
    }
    if !isEqual { return fail("\(listed.map(\.json.text)) are listed, not \(expected)") }
    if let before { check(ItemList.splices(from: before.0, to: listed), from: before.1, to: expected) }
  }

  private mutating func change(_ event: Event) {
    switch event {
    case .insert(let id, let next):
      model.insert(EditModel.Item(id: id, version: version), before: next)
      state.insert(item(id), before: next.map { ItemID(String($0)) })
    case .remove(let id):
      model.remove(id)
      state.remove(ItemID(String(id)))
    case .update(let id):
      model.update(EditModel.Item(id: id, version: version))
      let row = item(id)
      state.step { $0.make($0.update([row]), Edit<RawJSON>.update(.null), .insert) }
    case .change(let id):
      model.change(EditModel.Item(id: id, version: version))
      state.update(item(id))
    case .take(let index):
      let edit = asked.remove(at: index)
      model.take(edit.modelled)
      state.edits.receiveMade(edit.number)
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
      state.record(.retried, of: load)
    case .come(let letters):
      guard state.running != nil else { return }
      let items = letters.unicodeScalars.map { EditModel.Item(id: $0, version: version) }
      model.come(items)
      let page = page(of: items)
      try? state.come(page)
    case .fail:
      guard state.running != nil else { return }
      model.end()
      state.fail()
    }
  }

  /// Checks that splices turn the old list into the new one. If at most one item has changed, the splices must contain
  /// at most one item.
  private mutating func check(
    _ splices: [ItemList.Splice], from before: [EditModel.Item], to after: [EditModel.Item]
  ) {
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
    let history = sequence(first: newest) { $0?.before }.compactMap { $0?.event }.reversed()
    if !hasFailed { Issue.record("\(name): \(fault) after \(Array(history))") }
    hasFailed = true
  }

  /// Whether an item of the list equals an item of the model.
  private func isItem(_ bytes: ArraySlice<UInt8>, _ item: EditModel.Item) -> Bool {
    let start = bytes.startIndex
    guard bytes.count >= 19, UInt32(bytes[start + 7]) == item.id.value else { return false }
    var version = 0
    for byte in bytes[start + 17..<bytes.endIndex - 2] { version = 10 * version + Int(byte) - 0x30 }
    return version == item.version
  }

  /// The JSON of an item of the model.
  private func text(_ item: EditModel.Item) -> [UInt8] { Array(#"{"id":"\#(item.id)","as":"\#(item)"}"#.utf8) }

  private func item(_ id: EditModel.ID) -> ItemList.Item {
    ItemList.Item(page(of: [EditModel.Item(id: id, version: version)]).items, at: 0)
  }

  private func page(of items: [EditModel.Item]) -> Page<RawJSON> {
    var bytes: [UInt8] = []
    var slices: [RawItems.Slice] = []
    for item in items {
      let start = UInt32(bytes.count)
      bytes += text(item)
      slices.append(
        RawItems.Slice(start: start, length: UInt32(bytes.count) - start, idStart: start + 6, idLength: 3))
    }
    return Page(items: RawItems(bytes: bytes, slices: slices), next: .null, previous: .null)
  }
}

extension EditedRun {
  /// Performs all possible sequences of events from here. List and model are values, so sequences share their
  /// beginnings.
  ///
  /// - Parameters:
  ///   - edits: how many more edits are made.
  ///   - kinds: the possible edits.
  ///   - isInOrder: whether edits are answered only after all of them are made.
  ///   - asks: the possible requests for a page. One of them is made once. If it contains `askAgain`, the page may be
  ///     requested again once.
  ///   - pages: the possible pages.
  func explore(edits: Int, of kinds: [Event], isInOrder: Bool = false, asks: [Event] = [], pages: [String] = []) {
    func go(_ event: Event, edits: Int, asks: [Event]) {
      var next = self
      next.perform(event)
      if next.hasFailed { return }
      next.explore(edits: edits, of: kinds, isInOrder: isInOrder, asks: asks, pages: pages)
    }
    if edits > 0 {
      let listed = model.listed
      for kind in kinds where kind.isPossible(in: listed) { go(kind, edits: edits - 1, asks: asks) }
    }
    if model.load != nil { for page in pages { go(.come(page), edits: edits, asks: asks) } }
    for ask in asks where ask != .askAgain || model.load != nil {
      go(ask, edits: edits, asks: asks.contains(.askAgain) && ask != .askAgain ? [.askAgain] : [])
    }
    if isInOrder, edits > 0 { return }
    for index in asked.indices {
      go(.take(index), edits: edits, asks: asks)
      go(.refuse(index), edits: edits, asks: asks)
    }
  }
}

extension EditedRun.Event {
  /// Whether the list would accept an edit with its parameters.
  fileprivate func isPossible(in listed: [EditModel.Item]) -> Bool {
    switch self {
    case .insert(_, let next): next.map { listed.firstIndex(of: $0) != nil } ?? true
    case .remove(let id), .update(let id), .change(let id): listed.firstIndex(of: id) != nil
    default: true
    }
  }

  /// A random event that is possible.
  fileprivate static func random(in run: EditedRun, using random: inout SplitMix64) -> Self {
    let letters: [EditModel.ID] = ["a", "b", "c", "d", "e", "f", "g", "h"]
    func letter() -> EditModel.ID { letters.randomElement(using: &random) ?? "a" }
    let event: Self
    switch Int.random(in: 0..<20, using: &random) {
    case 0..<5:
      let next = run.model.listed.randomElement(using: &random)?.id
      event = .insert(letter(), before: Int.random(in: 0..<3, using: &random) == 0 ? nil : next)
    case 5..<8: event = .remove(letter())
    case 8: event = .change(letter())
    case 9: event = .update(letter())
    case 10..<16:
      guard let index = run.asked.indices.randomElement(using: &random) else { return .change("a") }
      event = Bool.random(using: &random) ? .take(index) : .refuse(index)
    case 16 where run.model.load == nil:
      event = .ask([.first, .after, .after, .before, .before].randomElement(using: &random) ?? .first)
    case 17 where run.model.load == nil && Bool.random(using: &random):
      event = .search(["", "q"].randomElement(using: &random) ?? "")
    case 18: event = Bool.random(using: &random) ? .fail : .askAgain
    default:
      let page = (0..<Int.random(in: 0...5, using: &random)).map { _ in Character(letter()) }
      event = .come(String(page))
    }
    return event.isPossible(in: run.model.listed) ? event : .random(in: run, using: &random)
  }
}
