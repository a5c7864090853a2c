import Flow
import ItemList
import Paging
import WireJSON

extension RandomDay {
  /// Checks what must be true after each step.
  func checkAlways(_ step: RandomDayStep) throws {
    let list = list
    let rows = list.items
    let numbers = rows.map { $0.rawID }
    if Set(numbers).count != numbers.count { throw Fault("an id is listed twice: \(listed.map(\.number))") }
    if let fault = markFault { throw Fault(fault) }
    if settings.hasMarks { try checkMarks(rows) }
    if let anchor = self.anchor, list.shown.list.position(of: anchor) == nil { self.anchor = nil }
    if let window = list.shown.window {
      let count = list.shown.list.count
      if window.upperBound > count { throw Fault("the window \(window) ends behind the \(count) rows") }
      // Rows may move when an evicted page loads again.
      let mayMove = !settings.hasPositions && list.shown.list.unloadedCount > 0
      if let anchor, !mayMove, settings.isLive, !expected.isDeaf, let position = list.shown.list.position(of: anchor),
        !window.contains(position)
      {
        throw Fault("the first row in sight, \(anchor) at \(position), isn't in the window \(window)")
      }
    }
    for ask in edits {
      guard case .remove(let id) = ask.edit, rows.contains(id) else { continue }
      let isBack = edits.contains {
        if case .insert(let json, _) = $0.edit {
          $0.number > ask.number && SourceRow(json).id == id
        } else {
          false
        }
      }
      if !isBack, !expected.touched.contains(DayExpectation.number(id)) {
        throw Fault("\(id) is listed, whose removal isn't answered")
      }
    }
  }

  /// Checks that items become marked only by marking, and unmarked only by unmarking or with their rows.
  private func checkMarks(_ rows: ItemList) throws {
    let marks = list.marks
    defer { (marksBefore, hasMarked) = ((marks.ids, marks.all, Set(rows.map(\.itemID))), false) }
    guard let before = marksBefore, !hasMarked else { return }
    if !marks.all, !before.all {
      for id in before.ids where !marks.ids.contains(id) && rows.contains(id) && before.listed.contains(id) {
        if gone.contains(DayExpectation.number(id)) { continue }
        throw Fault("\(id) has lost its mark")
      }
    }
    if !marks.all, marks.count != marks.ids.count {
      throw Fault("\(marks.ids.count) are marked, not \(marks.count ?? -1)")
    }
  }

  /// Checks what must be true when nothing runs and all messages of the source have arrived.
  func checkRest() throws {
    let list = list
    trace?("  rest: \(listed.map(\.number)) of \(list.count) \(list.phase) \(list.failure?.code ?? 0)")
    if list.isLoading || list.phase == .requesting { throw Fault("a page is awaited that wasn't asked for") }
    if !expected.isFailureUnsure, list.failure?.code != expected.failureCode {
      // A list stops requesting pages from a source that brings nothing new.
      let isStuck = settings.window != nil && list.failure?.code == LoadFailure.Code.malformedResponse.rawValue
      if !isStuck {
        throw Fault("the failure \(list.failure?.code ?? 0) stands, not \(expected.failureCode ?? 0)")
      }
    }
    let criteria = Criteria(query: list.query, filters: list.filters)
    if expected.held == criteria {
      if settings.isLive {
        if !expected.isDeaf, !expected.isBehind, !expected.isStale, !expected.isTouched { try checkLive(criteria) }
      } else {
        try checkStill(criteria)
      }
    }
    try checkSections()
    if settings.hasMarks { try checkMarksAtRest() }
  }

  /// The keys of the pages at both ends; nil if a failure prevents their requests.
  private func ends() -> (lower: DayExpectation.End, upper: DayExpectation.End)? {
    func end(_ load: (inout Paged<RawJSON>) -> Void) -> DayExpectation.End? {
      var copy = list
      load(&copy)
      guard case .one(let number) = copy.wanted, let request = copy.request(number) else { return .open }
      return request.key.flatMap { Int($0.description) }.map { .place($0 / 2) }
    }
    guard let lower = end({ $0.previous() }), let upper = end({ $0.next() }) else { return nil }
    return (lower, upper)
  }

  /// Checks that a watched list has the same rows as the source, between the places where its pages end.
  private func checkLive(_ criteria: Criteria) throws {
    let list = list
    if settings.tellsTotal, settings.isTotalExact, expected.touched.isEmpty, list.total != source.rows.count {
      throw Fault("the total is \(list.total ?? -1), not \(source.rows.count)")
    }
    if settings.hasPositions { return try checkPositions() }
    guard let ends = ends() else { return }
    if settings.window == nil {
      if expected.lower != .unknown, ends.lower != expected.lower {
        throw Fault("the page before is at \(ends.lower), not at \(expected.lower)")
      }
      if expected.upper != .unknown, ends.upper != expected.upper {
        throw Fault("the next page is at \(ends.upper), not at \(expected.upper)")
      }
    }
    func place(_ end: DayExpectation.End) -> Int? { if case .place(let number) = end { number } else { nil } }
    var all = source.table.rows(criteria, after: place(ends.lower), before: place(ends.upper))
    // Recorded changes are applied again to a page without a state, even if they extend beyond its end.
    let further = source.table.rows(criteria, after: place(ends.lower), before: nil)
    if settings.reports == .withoutStates, let last = listed.last, let index = further.firstIndex(of: last),
      index >= all.count
    {
      all = Array(further[...index])
    }
    try compare(listed, all, in: list.shown)
  }

  /// Compares listed rows with the expected ones, except for deferred rows and those that only the list edited.
  private func compare(_ listed: [SourceRow], _ all: [SourceRow], in shown: ListSnapshot) throws {
    let listed = listed.filter { !expected.touched.contains($0.number) }
    let all = all.filter { !expected.touched.contains($0.number) }
    let isEvicted = shown.list.unloadedCount > 0
    var rest = all[...]
    for row in listed {
      guard let index = rest.firstIndex(where: { $0.number == row.number }) else {
        throw Fault("\(row.number) is listed where it isn't: \(listed.map(\.number)), not \(all.map(\.number))")
      }
      if rest[index] != row { throw Fault("\(row.text) is listed, not \(rest[index].text)") }
      rest = rest[(index + 1)...]
    }
    if expected.touched.isEmpty, !isEvicted, listed.count + list.arrivals != all.count {
      throw Fault("\(listed.map(\.number)) are listed and \(list.arrivals) held back of \(all.map(\.number))")
    }
    if settings.onArrival == .show, list.arrivals > 0 { throw Fault("\(list.arrivals) are held back") }
    guard let window = shown.window, isEvicted, expected.touched.isEmpty, list.arrivals == 0, list.failure == nil else {
      return
    }
    let seen = try readRows(in: window)
    if let first = seen.first, let start = all.firstIndex(of: first) {
      let part = all[start...].prefix(seen.count)
      if Array(part) != seen { throw Fault("the window has \(seen.map(\.number)), not \(part.map(\.number))") }
    }
  }

  /// The rows of the window. When everything is idle, none may be a placeholder.
  private func readRows(in window: Range<Int>) throws -> [SourceRow] {
    let shown = list.shown.list
    let seen = window.compactMap { shown.row(at: $0) }.map { SourceRow(shown.rows[$0].json) }
    if seen.count < window.count, list.failure == nil, list.phase != .failed {
      throw Fault("\(window.count - seen.count) rows of the window \(window) aren't read")
    }
    return seen
  }

  /// Checks that each loaded row of a source with positions is at its position.
  private func checkPositions() throws {
    let (shown, all) = (list.shown, source.rows)
    guard expected.touched.isEmpty, list.arrivals == 0 else { return }
    for (row, item) in shown.rows.enumerated() {
      let (position, row) = (shown.list.position(ofRow: row), SourceRow(item.json))
      if !all.indices.contains(position) || all[position] != row {
        let other = all.indices.contains(position) ? all[position].text : "nothing"
        throw Fault(
          "\(row.text) stands at \(position), where \(other) is: \(listed.map(\.number)), not \(all.map(\.number))")
      }
    }
    if shown.isExact, shown.list.count != all.count {
      throw Fault("\(shown.list.count) rows are listed of \(all.count)")
    }
    if let window = shown.window { _ = try readRows(in: window) }
  }

  /// Checks that a list that isn't watched has the rows of its pages, with the edits applied.
  private func checkStill(_ criteria: Criteria) throws {
    if settings.window != nil {
      let hasChanged = expected.sourceChanges != expected.changesAtFirst || !expected.touched.isEmpty
      if settings.hasPositions, !hasChanged { try checkPositions() }
      return
    }
    if expected.isPlainUnsure { return }
    let shown = expected.plain.shown
    if listed != shown { throw Fault("\(listed.map(\.text)) are listed, not \(shown.map(\.text))") }
    guard let ends = ends(), !settings.hasOffsetKeys else { return }
    if expected.lower != .unknown, ends.lower != expected.lower {
      throw Fault("the page before is at \(ends.lower), not at \(expected.lower)")
    }
    if expected.upper != .unknown, ends.upper != expected.upper {
      throw Fault("the next page is at \(ends.upper), not at \(expected.upper)")
    }
  }

  /// Checks that adjacent rows of the same group form a section.
  private func checkSections() throws {
    let (list, shown) = (list, list.shown)
    let seen = shown.window ?? 0..<shown.list.count
    var groups: [Int?] = Array(repeating: nil, count: shown.list.count)
    for (row, item) in shown.rows.enumerated() { groups[shown.list.position(ofRow: row)] = SourceRow(item.json).group }
    var hasPrevious = false
    if let ends = ends() { hasPrevious = ends.lower != .open } else { return }
    var wanted: [String] = []
    var start = 0
    while start < groups.count {
      var end = start + 1
      while end < groups.count, groups[end] == groups[start] { end += 1 }
      if let group = groups[start], (start..<end).overlaps(seen) {
        let isCut =
          start == 0 ? hasPrevious && !settings.hasPositions : groups[start - 1] == nil
        let isCutAfter = end == groups.count ? list.hasMore : groups[end] == nil
        wanted.append("\(group) \(start) \(isCut || isCutAfter ? "?" : "\(end - start)")")
      }
      start = end
    }
    let sections = sections.value.map {
      "\($0.key.description.filter(\.isNumber)) \($0.start) \($0.count.map(String.init) ?? "?")"
    }
    if sections != wanted { throw Fault("the sections are \(sections), not \(wanted) in \(seen)") }
  }

  private func checkMarksAtRest() throws {
    let (list, marks) = (list, list.marks)
    if !marks.all, settings.window == nil, let id = marks.ids.first(where: { !list.items.contains($0) }) {
      throw Fault("\(id) is marked, which isn't listed")
    }
    let criteria = Criteria(query: list.query, filters: list.filters)
    if marks.all, expected.held == criteria, settings.window == nil, !list.hasMore, ends()?.lower == .open,
      list.total == nil
    {
      let others = marks.ids.count { list.items.contains($0) }
      if marks.count != list.count - others {
        throw Fault("\(marks.count ?? -1) are marked of \(list.count) but \(others)")
      }
    }
  }
}
