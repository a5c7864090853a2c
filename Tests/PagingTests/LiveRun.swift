import Nagare
import WireJSON

@testable import Paging

/// A live list and its source, and the messages between them.
struct LiveRun {
  enum Event: Hashable {
    /// The source's rows change.
    case insert(Character, before: Character?), change(Character), remove(Character), shuffle
    /// A message of the source arrives, or is lost: a change, or the answer to a watch.
    case hear, lose
    /// The source answers a watch. It knows the changes since the requested state, or not.
    case watch, forget
    /// The user requests pages, scrolls, and edits.
    case first, next, previous, see(Int), jump(Int), around(Character)
    /// A pager shows a row at a distance from an item, or closes.
    case swipe(Character, Int), close
    /// The user marks items, and edits the marked ones.
    case mark(Character), unmark(Character), all, none, changeMarked, removeMarked
    case edit(EditKind)
    /// The source reads the requested page; the page arrives.
    case read, come
    /// The source makes or refuses the oldest edit; its answer arrives.
    case make, refuse, answer
    /// The pause after changes were listed ends.
    case rest
  }

  enum EditKind: Hashable { case insert(Character, before: Character?), remove(Character), change(Character) }

  private enum Said {
    case changes(SourceChanges<RawJSON>)
    case answer(Int, SourceChanges<RawJSON>?)
  }

  private(set) var list: Paged<RawJSON>
  private(set) var source: LiveSource
  /// The source's messages that haven't arrived yet, in order.
  private var line: [Said] = []
  private var asked: (number: Int, request: WatchRequest)?
  private var heard = 0
  private var pageAsked: Int?
  private var page: (number: Int, page: Page<RawJSON>)?
  private var edits: [(number: Int, edit: Edit<RawJSON>)] = []
  private var answers: [(number: Int, isMade: Bool)] = []
  private var lastEdit = 0
  private var versions = 1000
  private var hasGap = false
  /// Whether the list may have reached a state of the source without receiving all changes before it.
  private var mayMiss: Bool
  private(set) var marks = MarkModel()
  /// The items that unanswered edits remove, by the number of the edit.
  private var going: [Int: Set<Character>] = [:]
  private let isAtOnce: Bool
  /// The row that a pager shows.
  private var shown: (item: ItemID, distance: Int)?
  private static let pager = Pager()

  private final class Pager: Sendable {}
  private let isWindowed: Bool
  /// The rows of a client that applies the splices it receives.
  private var held: [String] = []
  private var said = ListSnapshot()
  private let saysStates: Bool
  /// Whether the source reports its changes.
  private let isLive: Bool
  private(set) var history: [Event] = []
  private(set) var fault: String?
  var hasFailed: Bool { fault != nil }

  init(
    _ letters: String, isOrdered: Bool, saysStates: Bool = true, onRefresh: OnRefresh = .keep, mostKept: Int = 1 << 20,
    window: WindowSettings? = nil, pageSize: Int = 2, isAtOnce: Bool = true, saysPositions: Bool? = nil,
    isLive: Bool = true, takesEdits: Bool = true
  ) {
    source = LiveSource(letters, isOrdered: isOrdered, saysPositions: saysPositions ?? window?.hasPositions ?? false)
    self.saysStates = saysStates
    self.isLive = isLive
    self.isAtOnce = isAtOnce
    // If little is recorded during a load, the list reloads, and removals aren't reported.
    mayMiss = mostKept < 1 << 20
    isWindowed = window != nil
    list = Paged(
      PagingOptions(pageSize: pageSize, onRefresh: onRefresh, hasMarks: true), window: window,
      writes: !takesEdits ? [] : isAtOnce ? [.insert, .change, .remove, .marked] : [.insert, .change, .remove],
      order: isOrdered ? [RowOrder(by: "n"), RowOrder(by: "id")] : [])
    if isLive { list.step { $0.follow() } }
    list.core.value.rows.log.limit = mostKept
    perform(.first)
    settle()
  }

  // MARK: One event

  func canPerform(_ event: Event) -> Bool {
    switch event {
    case .insert(_, let next): next.map { next in source.rows.contains { $0.id == next } } ?? true
    case .change(let id), .remove(let id): source.rows.contains { $0.id == id }
    case .shuffle, .first, .see: true
    case .around: isWindowed
    case .jump(let index): isWindowed && index < list.count
    case .hear: !line.isEmpty
    case .lose: if case .changes? = line.first { true } else { false }
    case .watch: asked != nil
    case .forget: asked?.request.state != nil
    case .next: (isWindowed ? list.core.value.rows.shown.next != nil : list.hasMore) && !list.isLoading
    case .previous: list.core.value.hasPrevious && !list.isLoading
    case .edit(.insert(_, let next)): next.map { list.items.contains(ItemID(String($0))) } ?? true
    case .edit(.remove(let id)), .edit(.change(let id)): list.items.contains(ItemID(String(id)))
    case .swipe(let id, _): isWindowed && list.items.contains(ItemID(String(id)))
    case .close: shown != nil
    case .mark(let id), .unmark(let id):
      list.items.contains(ItemID(String(id))) || list.marks.ids.contains(ItemID(String(id)))
    case .all, .none, .changeMarked, .removeMarked: true
    case .read:
      // After a gap, an answer doesn't arrive after a page that contains its edit. If pages have no states, requests
      // are answered in their order.
      pageAsked != nil && page == nil && (saysStates || line.isEmpty && asked == nil) && (answers.isEmpty || !hasGap)
    case .come: page != nil && (saysStates || line.isEmpty)
    case .make, .refuse: !edits.isEmpty
    case .answer: !answers.isEmpty
    case .rest: list.pace.isRunning || list.rest.isRunning
    }
  }

  mutating func perform(_ event: Event) {
    history.append(event)
    hasGap = hasGap || event == .forget || event == .shuffle
    mayMiss = mayMiss || event == .first || event == .lose
    switch event {
    case .insert(let id, let next): line.append(.changes(source.insert(id, before: next)))
    case .change(let id): line.append(.changes(source.change([id])))
    case .remove(let id): remove([id])
    case .shuffle: line.append(.changes(source.shuffle()))
    case .hear: hear()
    case .lose: line.removeFirst()
    case .watch:
      guard let (number, request) = asked else { return }
      asked = nil
      line.append(.answer(number, source.answer(request)))
    case .forget:
      guard let (number, _) = asked else { return }
      asked = nil
      line.append(.answer(number, nil))
    case .first: list.first()
    case .next: list.next()
    case .previous: list.previous()
    case .see(let row): list.setViewport(row..<row + 2)
    case .jump(let index): if !list.jump(to: index) { fail("no row is at \(index)") }
    case .around(let id): _ = list.jump(to: ItemID(String(id)))
    case .edit(let kind): edit(kind)
    case .read:
      if let pageAsked, let request = list.request(pageAsked) {
        page = (pageAsked, source.page(request, saysState: saysStates))
      }
    case .come:
      guard let (number, page) = page else { return }
      self.page = nil
      pageAsked = nil
      if let id = list.request(number)?.around, !(0..<page.items.count).contains(where: { page.items.id(at: $0) == id })
      {
        list.end(number, failure: nil)
        break
      }
      do { try list.receive(page, of: number) } catch { fail("\(error)") }
    case .make: make()
    case .refuse:
      let (number, edit) = edits.removeFirst()
      answers.append((number, false))
      if case .insert(let item, _) = edit { marks.lose([letter(item.member("id"))]) }
    case .answer:
      let (number, isMade) = answers.removeFirst()
      if isMade {
        list.edits.receiveMade(number)
      } else {
        list.edits.end(number, failure: nil)
      }
      marks.end(number, isRefused: !isMade)
      going[number] = nil
    case .mark(let id), .unmark(let id):
      let (marking, isMarked) = (Marking(id: ItemID(String(id))), event == .mark(id))
      do { try isMarked ? list.mark(marking) : list.unmark(marking) } catch { fail("\(error)") }
      marks.set(id, isMarked)
    case .all, .none:
      do { try event == .all ? list.mark(Marking(all: true)) : list.unmark(Marking(all: true)) } catch {
        fail("\(error)")
      }
      marks.setAll(event == .all)
    case .changeMarked:
      versions += 1
      let set = json(#"{"v":\#(versions)}"#)
      editMarked { list throws(Refusal) in try list.changeMarked(set) }
    case .removeMarked: removeMarked()
    case .swipe(let id, let distance):
      shown = (ItemID(String(id)), distance)
      list.show(ShownRow(ItemID(String(id)), distance: distance), for: Self.pager)
    case .close:
      shown = nil
      list.show(nil, for: Self.pager)
    case .rest:
      if list.pace.isRunning {
        list.pace.cancel()
        list.endPause()
      }
      if list.rest.isRunning {
        list.rest.cancel()
        list.endRest()
      }
    }
    followUp()
  }

  private mutating func hear() {
    switch line.removeFirst() {
    case .changes(let changes): if heard == list.following?.number { try? list.receive(changes) }
    case .answer(let number, let changes):
      guard number == list.following?.number else { return }
      heard = number
      if let changes { try? list.receive(changes) } else { try? list.endFollowing(LoadFailure(.unknownState, "")) }
    }
  }

  private mutating func edit(_ kind: EditKind) {
    versions += 1
    switch kind {
    case .insert(let id, let next):
      let row = LiveSource.Row(id: id, version: versions, position: 0.25)
      list.insert(source.item(row), before: next.map { ItemID(String($0)) })
    case .change(let id):
      list.update(source.item(LiveSource.Row(id: id, version: versions, position: 0.5)))
    case .remove(let id): list.remove(ItemID(String(id)))
    }
  }

  private mutating func removeMarked() {
    let (isAll, listed) = (marks.isAll, Set(list.items.map { letter($0.json.member("id")) }))
    let isMade = !list.marks.ids.isEmpty || isAll
    guard editMarked({ list throws(Refusal) in try list.removeMarked() }), isMade else { return }
    if isAtOnce {
      marks.takeAll(
        but: going.values.reduce(into: []) { $0.formUnion($1) },
        for: list.edits.wantedNumber(after: lastEdit) ?? lastEdit)
    } else {
      marks.name(listed)
    }
  }

  /// Makes an edit of the marked items.
  ///
  /// - Returns: whether the edit was made. It must be made if all marked items are loaded, or if the source supports
  ///   such edits.
  @discardableResult
  private mutating func editMarked(_ edit: (inout Paged<RawJSON>) throws(Refusal) -> Void) -> Bool {
    let areRead = marks.isAll ? list.core.value.isComplete : list.marks.ids.allSatisfy { list.items.contains($0) }
    do {
      try edit(&list)
      if !isAtOnce, !areRead { fail("what isn't read is edited one by one") }
      return true
    } catch {
      if isAtOnce || areRead { fail("\(error)") }
      return false
    }
  }

  private mutating func remove(_ ids: [Character]) {
    line.append(.changes(source.remove(ids)))
    marks.lose(ids)
  }

  private func letter(_ id: RawJSON?) -> Character { id?.string?.first ?? "?" }

  private mutating func make() {
    let (number, edit) = edits.removeFirst()
    switch edit {
    case .insert(let item, let next):
      let id = letter(item.member("id"))
      var next = next.map { letter($0.raw) }
      if next == id, !source.rows.contains(where: { $0.id == id }) { next = nil }
      line.append(.changes(source.insert(id, before: next ?? source.rows.first { $0.id != id }?.id)))
    case .update(let item): line.append(.changes(source.change([letter(item.member("id"))])))
    case .remove(let id): remove([letter(id.raw)])
    case .marked(let items, let set):
      let named = items.ids.map { letter($0.raw) }
      let ids = source.rows.map(\.id).filter { named.contains($0) == (items.all == nil) }
      if set == nil { remove(ids) } else { line.append(.changes(source.change(ids))) }
    }
    answers.append((number, true))
  }

  /// Collects the current requests of the list.
  private mutating func followUp() {
    if !isLive { line = [] }
    if let following = list.following, following.number != asked?.number, following.number != heard,
      !line.contains(where: { if case .answer(following.number, _) = $0 { true } else { false } })
    {
      asked = (following.number, following.subject)
    }
    if case .one(let number) = list.wanted {
      if pageAsked != number { (pageAsked, page) = (number, nil) }
    } else {
      (pageAsked, page) = (nil, nil)
    }
    while let number = list.edits.wantedNumber(after: lastEdit), let edit = list.edits.request(number) {
      lastEdit = number
      edits.append((number, edit))
      switch edit {
      case .remove(let id): going[number] = [letter(id.raw)]
      case .marked(let items, set: nil) where items.all == nil: going[number] = Set(items.ids.map { letter($0.raw) })
      default: break
      }
    }
    hold()
    lookAtPages()
    if !isWindowed {
      // Items that aren't listed any more aren't marked.
      let listed = list.items.map { letter($0.json.member("id")) }
      marks.keep(
        going.values.reduce(into: Set(listed)) { $0.formUnion($1) },
        isWhole: list.core.value.isComplete && !list.isLoading)
    }
    if list.items.count != Set(list.items.map(\.id.text)).count { fail("an id is listed twice") }
  }

  /// Applies the splices that the client receives.
  private mutating func hold() {
    guard isWindowed else { return }
    let new = list.shown
    for splice in ListSnapshot.splices(from: said, to: new) {
      held.replaceSubrange(
        splice.start..<splice.start + splice.deleteCount, with: LiveRun.texts(of: new)[splice.items])
    }
    said = new
    if held != LiveRun.texts(of: new) { fail("the client holds \(held) in place of \(LiveRun.texts(of: new))") }
  }

  /// Receives the changes that another client made at the same source.
  mutating func follow(_ other: LiveSource) {
    hasGap = hasGap || other.said[source.said.count...].contains { $0.isEverything }
    line += other.said[source.said.count...].map(Said.changes)
    for change in other.said[source.said.count...].flatMap({ $0.untyped.rows }) {
      if case .remove(let id, _) = change { marks.lose([letter(id.raw)]) }
    }
    source = other
  }

  private static func texts(of listed: ListSnapshot) -> [String] {
    listed.list.runs(in: listed.window ?? 0..<listed.list.count).flatMap { run -> [String] in
      switch run {
      case .rows(let rows): listed.rows.items(in: rows).map(text)
      case .unloaded(let count): Array(repeating: "-", count: count)
      }
    }
  }

  private static func text(_ item: ItemList.Item) -> String {
    "\(item.json.member("id")?.string ?? "?")\(item.json.member("v")?.text ?? "?")"
  }

  // MARK: Checks

  /// Delivers all messages.
  mutating func settle() {
    let events: [Event] = [.watch, .hear, .make, .answer, .read, .come, .rest]
    var steps = 0
    while let event = events.first(where: canPerform), steps < 500 {
      perform(event)
      steps += 1
    }
    if steps == 500 { fail("it doesn't come to rest") }
  }

  /// Scrolls from the start of the list to a row.
  mutating func lookThrough(to row: Int) {
    for start in 0...row {
      perform(.see(start))
      settle()
    }
    if list.items.count > 6 { fail("\(list.items.count) rows are read") }
  }

  /// Delivers all messages, loads the remaining rows, and compares the list with its source.
  mutating func check() {
    settle()
    // A lost message becomes known only when another one arrives.
    if isLive, let first = source.rows.first { perform(.change(first.id)) }
    settle()
    var pages = 0
    while !hasFailed, pages < 50, let event = [.next, .previous].first(where: canPerform) {
      perform(event)
      settle()
      pages += 1
    }
    let expected = source.rows.map { "\($0.id)\($0.version)" }
    if isWindowed {
      look(for: expected)
    } else if !isRight(LiveRun.texts(of: list.shown), expected) {
      fail("\(LiveRun.texts(of: list.shown)) are listed, not \(expected)")
    }
    // The list can't know that an unloaded row was removed if the removal wasn't reported.
    guard !hasGap || !isWindowed else { return }
    let isSure = !isWindowed || !mayMiss
    if let fault = marks.fault(of: list.marks, in: source.rows.map(\.id), isSure: isSure) { fail(fault) }
  }

  /// Whether rows equal those of the source. If the source doesn't report changes, versions are ignored.
  private func isRight(_ rows: [String], _ expected: some Collection<String>) -> Bool {
    isLive ? rows.elementsEqual(expected) : rows.map(\.first) == expected.map(\.first)
  }

  /// Checks that the row that a pager shows is loaded, and the rows next to it.
  private mutating func lookAtPager() {
    guard let shown, let item = list.shown.list.position(of: shown.item) else { return }
    let row = item + shown.distance
    let unloaded = list.shown.list.unloaded(in: (row - 1..<row + 2).clamped(to: 0..<list.count))
    if !unloaded.isEmpty { fail("\(unloaded) aren't loaded beside \(shown)") }
  }

  /// Checks that the pages contain all rows, and that each page is loaded completely or not at all.
  private mutating func lookAtPages() {
    let rows = list.core.value.rows.shown
    guard let kept = rows.pageTable else { return }
    let all = rows.all
    if kept.ranges.last?.upperBound ?? 0 != all.count {
      return fail("\(kept.ranges) are pages of \(all.count) rows")
    }
    for (page, range) in zip(kept.pages, kept.ranges) {
      let unloaded = all.unloaded(in: range).reduce(0) { $0 + $1.count }
      if unloaded != (page.isLoaded ? 0 : page.count) { return fail("\(unloaded) rows of \(page) aren't loaded") }
    }
  }

  /// The rows that a client holds, with their positions.
  var heldRows: [(position: Int, text: String)] {
    let start = list.shown.window?.lowerBound ?? 0
    return LiveRun.texts(of: list.shown).enumerated().map { (start + $0, $1) }
  }

  /// Scrolls through the whole list, and compares it with the source.
  private mutating func look(for expected: [String]) {
    // The number of rows in evicted pages becomes known only when the pages load again.
    for _ in 0..<(list.core.value.rows.shown.pageTable == nil ? 0 : 3) {
      var start = 0
      while start < list.count, start < 3 * expected.count + 20, !hasFailed {
        perform(.see(start))
        settle()
        start += 1
        if list.shown.isExact, list.count != expected.count {
          fail("\(list.count) rows are said to be there, and there are \(expected.count)")
        }
      }
    }
    for start in stride(from: 0, to: expected.count, by: 2) {
      perform(.see(start))
      settle()
      // A window moves with its rows, so rows that loaded before them may have moved it.
      if list.shown.window?.contains(start) != true { perform(.see(start)) }
      settle()
      let window = list.shown.window ?? 0..<0
      if list.count != expected.count { return fail("\(list.count) rows are counted, and there are \(expected.count)") }
      if !window.contains(start) { return fail("\(window) doesn't hold what is in sight from \(start) on") }
      if !isRight(held, expected[window]) { return fail("\(held) are held, not \(expected[window])") }
      lookAtPager()
    }
  }

  private mutating func fail(_ fault: String) { self.fault = self.fault ?? fault }
}
