internal import Flow
internal import ItemList
internal import WireJSON

/// The rows of a source that says how it changes: which of its states they are at, how changes and pages meet, and what is
/// to be asked where a part of the story is missing.
///
/// While a load runs, what happens is carried out at once and kept. A page is merged into the rows as they were at the
/// page's state, and what has happened since is carried out again.
struct ChangeLog {
  /// Something that happens to the rows while a load runs.
  fileprivate enum Happening {
    case change(RowChange, isHolding: Bool)
    case edit(ListEdit, ItemList.Item?, isLast: Bool)
    /// The rows have come to the state of a page that was ahead of them.
    case page(LoadedPage, atEnd: Bool)
    /// So much that nobody says what.
    case everything
    /// There are states that the rows haven't come to, because nobody has heard of them in time.
    case gap
    /// The rows have come to a state.
    case state(String)
    /// So many rows there are, read or not, or may be.
    case count(Int, isExact: Bool)
  }

  /// How a page was taken.
  struct Taken {
    /// The positions in the page of items whose id stood in it before.
    var repeated: [Int] = []
    /// Whether nothing has happened since the state that it was read at.
    var isNewest = true
    /// Whether it knows of what the source has said and nobody will hear.
    var isAhead = false
    /// Whether the page says nothing that counts, and is to be asked for again.
    var isToBeAskedAgain = false
  }

  /// What lies beneath the edits: the rows, with pages that are ahead of them.
  private(set) var shown: SourceRows
  /// The rows at ``state``.
  private var rows: SourceRows
  /// The state that the rows are at; nil where none is known.
  private(set) var state: String?
  /// How often the source was asked how it changes, and from which state on.
  private(set) var watch: (number: Int, since: String?) = (0, nil)
  /// Whether it has said that it will tell.
  private(set) var isWatching = false
  /// Whether it won't tell, and isn't asked again before a first page is loaded.
  private(set) var isRefused = false
  /// Whether the last watch failed, and is asked for again.
  private(set) var isFailing = false
  /// The time of rest after something was listed that the source has said, and what has come during it.
  var pace = Pause()
  /// The time after an invalidated list was read again in which that isn't done once more: some sources always have a reason.
  var rest = Pause()
  private var waiting: [SourceChanges<RawJSON>] = []
  private var waitingCost = 0
  /// Whether a page without a state has come since a change followed what is held: which of the changes it knows that an
  /// answer tells can't be known.
  private var hasPageOfUnknownState = false
  /// Whether the list is to be read again where the user is.
  var isInvalid = false
  /// The rows as they were when the running load began, and what has happened since.
  private var beginning: SourceRows?
  private var happened: [Happening] = []
  private var happenedCost = 0
  /// How many bytes of what happens are kept at most for a load, and likewise for a rest. If there are more, as where a page
  /// never comes, the list is read again instead. A load by itself has two states kept and a gap between them.
  var mostKept = 16 << 20
  /// Pages of states that the rows haven't come to.
  private var ahead: [(state: String, page: LoadedPage, atEnd: Bool)] = []
  /// Reads the list again, if it does.
  var reading: Reading?
  private var options: SourceRows.Options

  /// A list that is read again: items stay until all of it has come.
  struct Reading {
    /// Whether it had to be read again, whoever has asked for that.
    let wasInvalid: Bool
    /// The key of the page that it begins with; nil for the first.
    var start: RawJSON?
    /// How many rows are read at most, for the last row in sight may have gone.
    var count: Int
    let last: ItemID?
    let mostPages: Int
    /// The positions that are read, where the source has them.
    var window: Range<Int>?
    /// How many of these aren't read.
    var unreadCount = Int.max
    /// How many pages have come.
    var pages = 0
    /// Whether what has come is apart from what is listed.
    var isApart = false
  }

  /// Rows of which nothing is read.
  init(_ options: SourceRows.Options, isPositioned: Bool = false) {
    self.options = options
    rows = SourceRows(options, isPositioned: isPositioned)
    shown = rows
  }

  var hasPage: Bool { rows.hasPage }
  /// Whether the source has said at which position its first page stands.
  var isPositioned: Bool { rows.isPositioned }
  /// The rows whose removal the source has made and not said yet.
  var awaitedRemovals: Set<ItemID> { rows.removed }

  // MARK: - What is asked

  /// The source is to report its changes.
  mutating func follow() {
    options.isFollowed = true
    (rows.options, shown.options) = (options, options)
  }

  /// Asks how the source changes, from a state on.
  mutating func ask(since state: String?) {
    watch = (UniqueNumber.next(), state)
    (isWatching, isRefused) = (false, false)
  }

  /// Asks from nothing on: a first page is loading, after which nobody knows what the rows have missed before.
  mutating func askAnew() {
    (state, isInvalid) = (nil, hasPage)
    ask(since: nil)
  }

  /// Forgets all rows: something else is looked for, which is in an order of its own.
  mutating func restart(order: [RowOrder]) {
    let (number, mostKept) = (watch.number, mostKept)
    var options = options
    options.order = order
    self = ChangeLog(options, isPositioned: isPositioned)
    (watch.number, self.mostKept) = (number, mostKept)
    ask(since: nil)
  }

  /// Lets the rows go, before a first page comes.
  mutating func clear() {
    rows = SourceRows(rows.options, isPositioned: isPositioned)
    (shown, ahead) = (rows, [])
  }

  /// A load begins. Only what a source reports may have happened before its page was read.
  mutating func begin() {
    if !options.isFollowed { return }
    (beginning, happened, happenedCost) = (rows, [], 0)
    if let state { note(.state(state)) }
  }

  /// Keeps what has happened while a load runs.
  private mutating func note(_ happening: Happening) {
    guard beginning != nil else { return }
    happened.append(happening)
    happenedCost += happening.cost
    guard happenedCost > mostKept else { return }
    isInvalid = true
    (beginning, happened, happenedCost) = (rows, [.everything, .gap], 0)
  }

  /// The load is over.
  mutating func end() { (beginning, happened) = (nil, []) }

  private var isReadingApart: Bool { reading?.isApart ?? false }

  // MARK: - What the source says

  /// Keeps changes until a rest is over.
  mutating func wait(with changes: SourceChanges<RawJSON>) {
    waiting.append(changes)
    waitingCost += changes.cost
    guard waitingCost > mostKept else { return }
    let total = waiting.last { $0.total != nil }?.total
    (waiting, waitingCost) = ([.everything(since: waiting[0].since, state: changes.state, total: total)], 0)
  }

  /// Whether anything is kept for the end of a rest.
  var isWaiting: Bool { !waiting.isEmpty }

  /// Gives what was kept, in its order.
  mutating func takeWaiting() -> [SourceChanges<RawJSON>] {
    defer { (waiting, waitingCost) = ([], 0) }
    return waiting
  }

  /// The first thing that a source says when it was asked how it changes. Gives the changes that are to be carried out.
  mutating func answer<Item>(_ changes: SourceChanges<Item>) -> SourceChanges<Item>? {
    isWatching = true
    if isFailing {
      // Nobody knows what has happened meanwhile.
      (isFailing, state) = (false, nil)
      invalidate()
    }
    guard let since = watch.since else {
      if let state {
        // A page has come before, and what has happened since then isn't known.
        if let held = changes.state, held != state { ask(since: state) }
      } else if let held = changes.state {
        reach(held)
      }
      return nil
    }
    guard since == state else {
      ask(since: state)
      return nil
    }
    if hasPageOfUnknownState, changes.rows.contains(where: \.isAnchored) { isInvalid = true }
    if let state = changes.state, state != since {
      if !ahead.contains(where: { $0.state == state }) { giveUpAhead() }
      note(.gap)
    }
    return changes
  }

  /// Whether changes follow what is held. If not, the source is asked what is missing.
  mutating func follows<Item>(_ changes: SourceChanges<Item>) -> Bool {
    guard isWatching else { return false }
    guard let since = changes.since, let state, since != state else {
      hasPageOfUnknownState = false
      return true
    }
    ask(since: state)
    return false
  }

  /// The source has stopped telling: it can't tell what has happened since the state that is held, may tell when it is asked
  /// once more, or won't.
  mutating func stopWatching(_ failure: LoadFailure?) {
    isWatching = false
    if failure?.code == LoadFailure.Code.unknownState.rawValue, watch.since != nil {
      // What a page knows that is on its way can't be told by what happens from now on.
      happened = []
      state = nil
      isInvalid = true
      ask(since: nil)
    } else if failure?.isOfWatch == true {
      // The answer may be of no use as there is too much between the state that is held and the newest.
      if !isFailing, hasPage { invalidate() }
      (isFailing, state) = (true, nil)
      ask(since: nil)
    } else if failure?.isRetryable == true {
      ask(since: state)
    } else {
      isRefused = true
    }
  }

  /// Carries changes out.
  mutating func apply(_ changes: [RowChange], isHolding: (RowChange) -> Bool, state: String?) {
    // Pages that came before one of that state are passed.
    if let state, let passed = ahead.firstIndex(where: { $0.state == state }) { giveUpAhead(passed) }
    for change in changes {
      let isHolding = isHolding(change)
      if rows.hasPage { rows.apply(change, isHolding: isHolding) }
      note(.change(change, isHolding: isHolding))
      guard rows.hasPage else { continue }
      if isReadingApart { shown.apply(change, isHolding: isHolding) }
    }
    if let state { reach(state) }
    show()
  }

  /// So much has happened that the list is to be read again.
  mutating func invalidate() {
    isInvalid = true
    note(.everything)
  }

  /// Carries an edit out that is done. If what the source has said of it may not have been heard, pages may know of it, and
  /// the list is read again.
  ///
  /// - Parameters:
  ///   - edit: the edit.
  ///   - item: what it puts in or makes of its item.
  ///   - isUnsure: whether it may not have been heard.
  ///   - isLast: whether the source has made it, and says nothing of it.
  mutating func fold(_ edit: ListEdit, _ item: ItemList.Item?, isUnsure: Bool, isLast: Bool) {
    rows.fold(edit, item, isLast: isLast)
    note(.edit(edit, item, isLast: isLast))
    if isUnsure { invalidate() }
    if isReadingApart { shown.fold(edit, item, isLast: isLast) }
    show()
  }

  /// Lists what was held back.
  mutating func showArrivals() {
    rows.showArrivals()
    beginning?.showArrivals()
    shown.showArrivals()
  }

  private mutating func reach(_ state: String) {
    self.state = state
    defer { note(.state(state)) }
    while let index = ahead.firstIndex(where: { $0.state == state }) {
      let page = ahead.remove(at: index)
      _ = rows.add(page.page, atEnd: page.atEnd)
      note(.page(page.page, atEnd: page.atEnd))
    }
  }

  private mutating func show() {
    if isReadingApart { return }
    shown = withPagesAhead
  }

  private var withPagesAhead: SourceRows {
    ahead.reduce(into: rows) { rows, page in _ = rows.add(page.page, atEnd: page.atEnd) }
  }

  /// Nobody knows any more which changes the pages have seen that were ahead of the rows: all of them, or so many that
  /// came first.
  private mutating func giveUpAhead(_ count: Int? = nil) {
    let passed = ahead.prefix(count ?? ahead.count)
    guard !passed.isEmpty else { return }
    rows = passed.reduce(into: rows) { rows, page in _ = rows.add(page.page, atEnd: page.atEnd) }
    ahead.removeFirst(passed.count)
    isInvalid = true
  }

  // MARK: - Rows that the list changes by itself

  /// Replaces a row, if it is read.
  mutating func replace(_ item: ItemList.Item) {
    rows.replace(item)
    if isReadingApart { shown.replace(item) }
    show()
  }

  /// Adds rows at the end, or replaces those with their ids.
  mutating func append(_ items: RawItems) {
    rows.append(items)
    if isReadingApart { shown.append(items) }
    show()
  }

  // MARK: - Windows

  /// Takes note of how many rows there are, or may be.
  mutating func count(_ total: Int, isExact: Bool) {
    rows.count(total, isExact: isExact)
    note(.count(total, isExact: isExact))
    if isReadingApart { shown.count(total, isExact: isExact) }
    show()
  }

  /// Forgets what isn't read: how much there is has to be read again.
  mutating func forgetUnread() {
    rows.forgetUnread()
    invalidate()
    show()
  }

  /// Lets rows go that are read, unless they are about to change. They are told by their places among those that are
  /// listed.
  mutating func letGo(_ range: Range<Int>) {
    guard reading == nil, ahead.isEmpty else { return }
    rows.letGo(range)
    show()
  }

  /// The pages that can be let go, unless they are about to change.
  var pagesToLetGo: [(index: Int, range: Range<Int>)] { reading == nil && ahead.isEmpty ? rows.pagesToLetGo : [] }

  /// Lets some of these pages go.
  mutating func letGo(pages indices: [Int]) {
    // From the last on, for a page may take in the one before it.
    for index in indices.sorted(by: >) { rows.letGo(page: index) }
    show()
  }

  // MARK: - Pages

  /// Takes the page of the running load, with the state that it was read at, where the source says that. In the last
  /// try it is taken in any case.
  mutating func take(_ page: LoadedPage, at origin: PageOrigin, _ pageState: String?, isLastTry: Bool) -> Taken {
    let isFirst = origin.isFirst || reading.map { $0.pages == 0 } ?? false
    guard let pageState else {
      if !isLastTry, happened.contains(where: \.isAnchored) { return Taken(isToBeAskedAgain: true) }
      hasPageOfUnknownState = true
      return merge(page, isFirst: isFirst, origin, before: happened[...])
    }
    if let index = happened.lastIndex(where: { $0.isState(pageState) }) {
      if !isFirst, let beginning {
        rows = beginning
        for happening in happened[...index] { carryOut(happening) }
      }
      return merge(page, isFirst: isFirst, origin, before: happened[(index + 1)...])
    }
    if isFirst {
      state = pageState
      if isWatching { ask(since: pageState) }
      var taken = merge(page, isFirst: true, origin, before: [])
      taken.isAhead = true
      return taken
    }
    guard state != nil else {
      state = pageState
      return merge(page, isFirst: false, origin, before: happened[...])
    }
    ahead.append((pageState, page, origin.isAtEnd))
    reading?.pages += 1
    if happened.contains(where: \.isGap) { giveUpAhead() }
    show()
    return Taken()
  }

  private mutating func merge(
    _ page: LoadedPage, isFirst: Bool, _ origin: PageOrigin, before later: ArraySlice<Happening>
  ) -> Taken {
    // A later page knows less of the source: what was ahead won't be reached.
    if isFirst { ahead = [] } else { giveUpAhead() }
    if reading != nil { reading?.isApart = true }
    let repeated = isFirst ? rows.start(with: page) : rows.add(page, atEnd: origin.isAtEnd)
    for happening in later where !isFirst || !happening.isPage { carryOut(happening) }
    // What is older than that is read again by this page itself.
    if isFirst, reading == nil { isInvalid = later.contains { $0.isEverything } }
    reading?.pages += 1
    show()
    return Taken(repeated: repeated, isNewest: later.isEmpty)
  }

  private mutating func carryOut(_ happening: Happening) {
    switch happening {
    case .change(let change, let isHolding): rows.apply(change, isHolding: isHolding)
    case .edit(let edit, let item, let isLast): rows.fold(edit, item, isLast: isLast)
    case .page(let page, let atEnd): _ = rows.add(page, atEnd: atEnd)
    case .count(let total, let isExact): rows.count(total, isExact: isExact)
    case .state, .everything, .gap: break
    }
  }
}

extension ChangeLog.Happening {
  /// Roughly how many bytes it takes.
  var cost: Int { if case .change(let change, _) = self { change.cost } else { RowChange.ownCost } }

  var isAnchored: Bool { if case .change(let change, _) = self { change.isAnchored } else { false } }

  var isPage: Bool { if case .page = self { true } else { false } }

  var isEverything: Bool { if case .everything = self { true } else { false } }

  var isGap: Bool { if case .gap = self { true } else { false } }

  func isState(_ state: String) -> Bool { if case .state(state) = self { true } else { false } }
}

extension ChangeLog {
  // MARK: - Reading again

  /// Begins to read the list again: where the rows were that were in sight, or from the start. Gives the place of the
  /// page to begin with.
  mutating func beginReading(
    _ seen: (first: ItemID, last: ItemID)?, mostPages: Int, isFromStart: Bool
  ) -> PageOrigin {
    let list = shown.all.rows
    let first = seen.flatMap { list.index(of: $0.first) } ?? 0
    let last = max(first, seen.flatMap { list.index(of: $0.last) } ?? 0)
    var page: (key: RawJSON?, start: Int) = (nil, 0)
    if !isFromStart, seen != nil { page = shown.page(of: first) }
    reading = Reading(
      wasInvalid: isInvalid, start: page.key, count: seen != nil ? last + 1 - page.start : isFromStart ? list.count : 0,
      last: seen?.last,
      mostPages: mostPages)
    isInvalid = false
    return .reload(page.key)
  }

  /// Begins to read the rows at some positions again. Gives the place of the page to begin with.
  mutating func beginReading(at window: Range<Int>) -> PageOrigin {
    reading = Reading(wasInvalid: isInvalid, count: 0, last: nil, mostPages: .max, window: window)
    isInvalid = false
    return .reload(nil, at: window.lowerBound)
  }

  /// What a list that is read again asks for next; nil once all that was in sight is there.
  mutating func readOn() -> PageOrigin? {
    guard let reading else { return nil }
    if let window = reading.window {
      let read = withPagesAhead
      let unread = read.all.unread(in: window)
      let count = unread.reduce(0) { $0 + $1.count }
      // A page that brings nothing isn't followed by another.
      guard let first = unread.first, count < reading.unreadCount else {
        stopReading()
        return nil
      }
      self.reading?.unreadCount = count
      return .reload(
        nil, at: first.lowerBound + read.uncounted(before: read.all.rows(in: 0..<first.lowerBound).upperBound))
    }
    if reading.pages == 1, reading.start != nil, rows.previous == nil {
      // What lies before couldn't be reached: all is read, from the start.
      self.reading?.start = nil
      self.reading?.pages = 0
      self.reading?.count = (reading.last.flatMap(shown.all.rows.index) ?? 0) + 1
      return .reload(nil)
    }
    let read = withPagesAhead
    let isCovered = reading.last.map(read.all.rows.contains) ?? false || read.all.rows.count >= reading.count
    if !isCovered, reading.pages < reading.mostPages, let next = read.next { return .reload(next) }
    stopReading()
    return nil
  }

  /// What was read is what is listed.
  private mutating func stopReading() {
    reading = nil
    show()
  }

  /// What is listed stays: it isn't read to the end.
  mutating func breakOffReading() {
    guard let reading else { return }
    self.reading = nil
    if reading.isApart { rows = shown }
    isInvalid = isInvalid || reading.wasInvalid
  }
}
