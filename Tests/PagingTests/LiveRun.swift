import LetterPages
import Nagare
import Randomness
import Testing
import WireJSON

@testable import Paging

/// A source as a person would explain it: rows in an array, in the order of their positions, and what it has said.
struct LiveSource {
  struct Row: Equatable {
    let id: Character
    var version: Int
    var position: Double
  }

  private(set) var rows: [Row]
  private(set) var state = 0
  /// What has led from each state to the next; nil where nobody says.
  private var history: [[SourceChanges<RawJSON>.Change]?] = []
  /// Where rows stand and stood: what stands before one that is there comes after all that have been before that.
  private var places: Set<Double> = []
  let isOrdered: Bool
  /// Whether it says the positions of rows.
  let saysPositions: Bool
  private var versions = 0

  init(_ letters: String, isOrdered: Bool, saysPositions: Bool = false) {
    (self.isOrdered, self.saysPositions) = (isOrdered, saysPositions)
    rows = letters.enumerated().map { Row(id: $1, version: 0, position: Double($0)) }
  }

  func item(_ row: Row) -> ItemList.Item {
    let json = json(#"{"id":"\#(row.id)","v":\#(row.version),"n":\#(row.position)}"#)
    return ItemList.Item(json, id: "id") ?? ItemList.Item(RawItems(bytes: [], slices: []), at: 0)
  }

  // MARK: What changes

  /// Puts an item before the one with an id, or at the end; one that is there moves.
  mutating func insert(_ id: Character, before next: Character?) -> SourceChanges<RawJSON> {
    if id == next { return change(id) }
    places.formUnion(rows.map(\.position))
    let old = rows.firstIndex { $0.id == id }
    rows.removeAll { $0.id == id }
    let index = next.flatMap { next in rows.firstIndex { $0.id == next } } ?? rows.count
    var before = index > 0 ? rows[index - 1].position : nil
    var after = index < rows.count ? rows[index].position : nil
    versions += 1
    // By the row before it, or by the one after it, in turn.
    let isBefore = versions % 2 == 0
    if index == 0, !isOrdered {
      // First of all is before whatever any key names.
      (before, after) = (nil, places.min())
    } else if isBefore || index == 0 {
      before = places.filter { $0 < after ?? .infinity }.max()
    } else {
      after = places.filter { $0 > before ?? 0 }.min()
    }
    let position =
      switch (before, after) {
      case (let before?, let after?): (before + after) / 2
      case (let before?, nil): before + 1
      case (nil, let after?): after - 1
      case (nil, nil): 0.0
      }
    let row = Row(id: id, version: versions, position: position)
    rows.insert(row, at: index)
    let place: RowPlace =
      if isOrdered || index == 0 {
        .ordered
      } else if isBefore {
        index == rows.count - 1 ? .end : .before(ItemID(String(rows[index + 1].id)))
      } else {
        .after(ItemID(String(rows[index - 1].id)))
      }
    let gone = old.map { [.remove(ItemID(String(id))).at($0)] } ?? [] as [SourceChanges<RawJSON>.Change]
    return say((saysPositions ? gone : []) + [.insert(item(row), place).at(saysPositions ? index : nil)])
  }

  mutating func change(_ id: Character) -> SourceChanges<RawJSON> {
    versions += 1
    guard let index = rows.firstIndex(where: { $0.id == id }) else { return say([]) }
    rows[index].version = versions
    return say([.change(item(rows[index]))])
  }

  mutating func remove(_ id: Character) -> SourceChanges<RawJSON> {
    places.formUnion(rows.map(\.position))
    let old = rows.firstIndex { $0.id == id }
    rows.removeAll { $0.id == id }
    return say([.remove(ItemID(String(id))).at(saysPositions ? old : nil)])
  }

  /// So much happens that nobody says what.
  mutating func shuffle() -> SourceChanges<RawJSON> {
    let last = rows.popLast()
    rows = rows.map { Row(id: $0.id, version: $0.version + 100, position: $0.position) }
    if let last {
      rows.insert(Row(id: last.id, version: last.version, position: (rows.first?.position ?? 0) - 1), at: 0)
    }
    places.formUnion(rows.map(\.position))
    _ = say(nil)
    return .everything(since: "\(state - 1)", state: "\(state)")
  }

  private mutating func say(_ changes: [SourceChanges<RawJSON>.Change]?) -> SourceChanges<RawJSON> {
    history.append(changes)
    state += 1
    return SourceChanges(
      changes ?? [], since: "\(state - 1)", state: "\(state)", total: saysPositions ? rows.count : nil)
  }

  // MARK: What is asked

  func answer(_ request: WatchRequest) -> SourceChanges<RawJSON> {
    let since = request.state.flatMap(Int.init)
    let missed = since.map { history[$0...] } ?? []
    if missed.contains(where: { $0 == nil }) { return .everything(since: request.state, state: "\(state)") }
    return SourceChanges(
      missed.flatMap { $0 ?? [] }, since: request.state, state: "\(state)", total: saysPositions ? rows.count : nil)
  }

  func page(_ request: PageRequest, saysState: Bool) -> Page<RawJSON> {
    var page = rows
    var key = request.key?.text ?? ""
    if let around = request.around, !saysPositions,
      let index = rows.firstIndex(where: { ItemID(String($0.id)) == around })
    {
      page = Array(rows[index...].prefix(request.size))
    } else if saysPositions, key.isEmpty {
      let found = request.around.flatMap { id in rows.firstIndex { ItemID(String($0.id)) == id } }
      let position = min(found.map { max(0, $0 - request.size / 2) } ?? request.position ?? 0, rows.count)
      page = Array(rows[position...].prefix(request.size))
      let text = page.map { item($0).json.text }.joined(separator: ",")
      let items = RawItems(arrayOf: json("[\(text)]"), id: "id") ?? RawItems(bytes: [], slices: [])
      var answer = Page<RawJSON>(items: items, total: rows.count, state: saysState ? "\(state)" : nil)
      answer.position = position
      return answer
    }
    if request.around != nil {
    } else if key.hasPrefix("\"<") {
      key = String(key.dropFirst(2).dropLast())
      page = rows.filter { $0.position < number(key) }.suffix(request.size)
    } else {
      if !key.isEmpty { page = rows.filter { $0.position > number(key.dropFirst(2).dropLast()) } }
      page = Array(page.prefix(request.size))
    }
    let text = page.map { item($0).json.text }.joined(separator: ",")
    let items = RawItems(arrayOf: json("[\(text)]"), id: "id") ?? RawItems(bytes: [], slices: [])
    let (first, last) = (page.first?.position ?? 0, page.last?.position ?? 0)
    let hasNext = rows.contains { $0.position > last } && !page.isEmpty
    let hasPrevious = rows.contains { $0.position < first } && !page.isEmpty
    return Page(
      items: items, next: hasNext ? json("\">\(last)\"") : nil,
      previous: hasPrevious ? json("\"<\(first)\"") : nil, total: rows.count, state: saysState ? "\(state)" : nil)
  }
}

/// A live list and its source, and all that is on the way between them.
struct LiveRun {
  enum Event: Hashable {
    /// The source's rows change.
    case insert(Character, before: Character?), change(Character), remove(Character), shuffle
    /// What it has said, or an answer about what it will, arrives; or is lost.
    case hear, lose
    /// It is asked how it changes, and can tell or not.
    case watch, forget
    /// The user asks for pages, looks at rows, and edits.
    case first, next, previous, see(Int), jump(Int), around(Character)
    case edit(EditKind)
    /// The page is read; it arrives.
    case read, come
    /// The oldest edit is made or refused by the source; the answer arrives.
    case make, refuse, answer
    /// The rest after something was listed is over.
    case rest
  }

  enum EditKind: Hashable { case insert(Character, before: Character?), remove(Character), change(Character) }

  private enum Said {
    case changes(SourceChanges<RawJSON>)
    case answer(Int, SourceChanges<RawJSON>?)
  }

  private(set) var list: Paged<RawJSON>
  private(set) var source: LiveSource
  /// What the source has said and nobody has heard yet, in its order.
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
  private let isWindowed: Bool
  /// What a client holds that carries out what it is told.
  private var held: [String] = []
  private var said = Listed()
  private let saysStates: Bool
  private(set) var history: [Event] = []
  private(set) var fault: String?
  var hasFailed: Bool { fault != nil }

  init(
    _ letters: String, isOrdered: Bool, saysStates: Bool = true, onRefresh: OnRefresh = .keep, mostKept: Int = 1 << 20,
    window: WindowSettings? = nil
  ) {
    source = LiveSource(letters, isOrdered: isOrdered, saysPositions: window?.hasPositions ?? false)
    self.saysStates = saysStates
    isWindowed = window != nil
    list = Paged(
      pageSize: 2, onRefresh: onRefresh, writes: [.insert, .change, .remove],
      order: isOrdered ? [RowOrder(by: "n"), RowOrder(by: "id")] : [], window: window)
    list.edits.list.follow()
    list.edits.list.live?.value.mostKept = mostKept
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
    case .next: list.hasMore && !list.isLoading
    case .previous: list.edits.list.hasPrevious && !list.isLoading
    case .edit(.insert(_, let next)): next.map { list.items.contains(ItemID(String($0))) } ?? true
    case .edit(.remove(let id)), .edit(.change(let id)): list.items.contains(ItemID(String(id)))
    case .read:
      // Once the story has a gap, an answer doesn't come after a page that knows of the edit.
      // Where pages say no state, what was asked first is answered first.
      pageAsked != nil && page == nil && (saysStates || line.isEmpty && asked == nil) && (answers.isEmpty || !hasGap)
    case .come: page != nil && (saysStates || line.isEmpty)
    case .make, .refuse: !edits.isEmpty
    case .answer: !answers.isEmpty
    case .rest: list.pace.isRunning
    }
  }

  mutating func perform(_ event: Event) {
    history.append(event)
    hasGap = hasGap || event == .forget || event == .shuffle
    switch event {
    case .insert(let id, let next): line.append(.changes(source.insert(id, before: next)))
    case .change(let id): line.append(.changes(source.change(id)))
    case .remove(let id): line.append(.changes(source.remove(id)))
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
    case .see(let row): list.see(row..<row + 2)
    case .jump(let index): if !list.jump(to: index) { fail("no row is at \(index)") }
    case .around(let id): _ = list.jump(to: ItemID(String(id)))
    case .edit(let kind): edit(kind)
    case .read: if let pageAsked { page = (pageAsked, source.page(list.request(pageAsked), saysState: saysStates)) }
    case .come:
      guard let (number, page) = page else { return }
      self.page = nil
      pageAsked = nil
      if let id = list.request(number).around, !(0..<page.items.count).contains(where: { page.items.id(at: $0) == id })
      {
        list.end(number, failure: nil)
        break
      }
      do { try list.take(page, of: number) } catch { fail("\(error)") }
    case .make: make()
    case .refuse: answers.append((edits.removeFirst().number, false))
    case .answer:
      let (number, isMade) = answers.removeFirst()
      if isMade {
        list.edits.take((), of: number)
      } else {
        list.edits.end(number, failure: nil)
      }
    case .rest:
      list.pace.cancel()
      list.edits.list.goOnAfterPause()
    }
    followUp()
  }

  private mutating func hear() {
    switch line.removeFirst() {
    case .changes(let changes): if heard == list.following?.number { try? list.hear(changes) }
    case .answer(let number, let changes):
      guard number == list.following?.number else { return }
      heard = number
      if let changes { try? list.hear(changes) } else { list.stopHearing(LoadFailure(.unknownState, "")) }
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

  private mutating func make() {
    let (number, edit) = edits.removeFirst()
    func letter(_ id: RawJSON?) -> Character { id?.string?.first ?? "?" }
    switch edit {
    case .insert(let item, let next):
      let id = letter(item.member("id"))
      var next = next.map { letter($0.raw) }
      if next == id, !source.rows.contains(where: { $0.id == id }) { next = nil }
      line.append(.changes(source.insert(id, before: next ?? source.rows.first { $0.id != id }?.id)))
    case .update(let item): line.append(.changes(source.change(letter(item.member("id")))))
    case .remove(let id): line.append(.changes(source.remove(letter(id.raw))))
    case .marked: fail("an edit of many is made")
    }
    answers.append((number, true))
  }

  /// What the list wants now.
  private mutating func followUp() {
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
    if case .eachOnce(_, let last) = list.edits.wanted, last > lastEdit {
      for number in lastEdit + 1...last { edits.append((number, list.edits.request(number))) }
      lastEdit = last
    }
    hold()
    if list.items.count != Set(list.items.map(\.id.text)).count { fail("an id is listed twice") }
  }

  /// What the client is told.
  private mutating func hold() {
    guard isWindowed else { return }
    let new = list.shown
    for splice in Listed.splices(from: said, to: new) {
      held.replaceSubrange(
        splice.start..<splice.start + splice.deleteCount, with: LiveRun.texts(of: new)[splice.items])
    }
    said = new
    if held != LiveRun.texts(of: new) { fail("the client holds \(held) in place of \(LiveRun.texts(of: new))") }
  }

  private static func texts(of listed: Listed) -> [String] {
    listed.list.runs(in: listed.window ?? 0..<listed.list.count).flatMap { run -> [String] in
      switch run {
      case .rows(let rows): listed.rows.items(in: rows).map(text)
      case .unread(let count): Array(repeating: "-", count: count)
      }
    }
  }

  private static func text(_ item: ItemList.Item) -> String {
    "\(item.json.member("id")?.string ?? "?")\(item.json.member("v")?.text ?? "?")"
  }

  // MARK: At rest

  /// Lets all that is on the way arrive.
  mutating func settle() {
    let events: [Event] = [.watch, .hear, .make, .answer, .read, .come, .rest]
    var steps = 0
    while let event = events.first(where: canPerform), steps < 500 {
      perform(event)
      steps += 1
    }
    if steps == 500 { fail("it doesn't come to rest") }
  }

  /// Lets all arrive, reads what isn't loaded, and looks whether the list is the source.
  mutating func check() {
    settle()
    // What was lost last shows when something more happens.
    if let first = source.rows.first { perform(.change(first.id)) }
    settle()
    var pages = 0
    while !hasFailed, pages < 50, let event = [.next, .previous].first(where: canPerform) {
      perform(event)
      settle()
      pages += 1
    }
    let expected = source.rows.map { "\($0.id)\($0.version)" }
    if isWindowed { return look(for: expected) }
    let listed = list.items.map(LiveRun.text)
    if listed != expected { fail("\(listed) are listed, not \(expected)") }
  }

  /// Looks at all parts of the list, one after the other.
  private mutating func look(for expected: [String]) {
    for start in stride(from: 0, to: expected.count, by: 2) {
      perform(.see(start))
      settle()
      let window = list.shown.window ?? 0..<0
      if list.count != expected.count { return fail("\(list.count) rows are counted, and there are \(expected.count)") }
      if !window.contains(start) { return fail("\(window) doesn't hold what is in sight from \(start) on") }
      if held != Array(expected[window]) { return fail("\(held) are held, not \(expected[window])") }
    }
  }

  private mutating func fail(_ fault: String) { self.fault = self.fault ?? fault }
}

private func json(_ text: String) -> RawJSON { (try? RawJSON(validating: Array(text.utf8))) ?? .null }

private func number(_ text: some StringProtocol) -> Double { Double(text) ?? 0 }
