import Flow
import ItemList
import Paging
import WireJSON

extension RandomDay {
  /// The loaded rows, in order.
  var listed: [SourceRow] { list.items.map { SourceRow($0.json) } }

  /// Performs a step.
  func perform(_ step: RandomDayStep) throws {
    requests = 0
    time += 1
    switch step.kind {
    case .appear: user { $0.list.load(.appear) }
    case .refresh:
      anchor = nil
      user { $0.list.load(.refresh) }
    case .reachBottom: user { $0.list.load(.reachBottom) }
    case .reachTop: user { $0.list.load(.reachTop) }
    case .retry:
      user { $0.list.load(.retry) }
      expected.retry()
    case .viewport: look(step.first, step.second)
    case .jump: jump(step.first, step.second)
    case .insert, .update, .remove: try edit(step)
    case .mark, .unmark: mark(step)
    case .removeMarked, .changeMarked: editMarked(step)
    case .search: lookFor { $0.list.search(["", "q0", "q1"][step.first % 3], ifLoaded: true) }
    case .filter:
      let third = step.first % 4
      let filters = third == 3 ? nil : Filters([(name: "third", value: try RawJSON("\(third)"))])
      lookFor { $0.list.filter(filters, ifLoaded: true) }
    case .showArrivals: user { _ = $0.list.showArrivals() }
    case .change:
      anchor = step.second % 2 == 0 ? anchor : nil
      if settings.reports == .withoutStates { answerWatch() }
      tell(source.change(count: 1 + step.first % 11 / 8 * 2, step.first, step.second))
      anchor = nil
    case .lose:
      guard settings.reports == .withStates, !notices.isEmpty else { break }
      notices.removeFirst()
      hasLost = true
    case .everything:
      if settings.reports == .withoutStates { answerWatch() }
      var notice = source.change(count: 3, step.first, step.second)
      notice.isEverything = true
      tell(notice)
    case .badChange:
      var notice = source.heartbeat()
      notice.failures = [LoadFailure(.badRecord, "a change that is none")]
      if settings.window == nil { notice.changes = [.remove(1 << 30, position: nil)] }
      if settings.isLive, watch?.isAnswered == true { notices.append(notice) }
    case .deliver:
      for _ in 0...step.first % 3 { deliver() }
    case .answerPage:
      prune()
      let way = [12: 1, 13: 2, 14: 3, 15: 4, 16: 4, 17: 5 + step.first % 2, 18: 7, 19: 8][step.second % 20] ?? 0
      if !pages.isEmpty { answerPage(step.first % pages.count, way: way) }
    case .answerEdit:
      prune()
      let way = [5: 1, 6: 1, 7: 2, 8: 3][step.second % 10] ?? 0
      if !edits.isEmpty { answerEdit(step.second % 3 == 0 ? step.first % edits.count : 0, way: way) }
    case .answerWatch: answerWatch()
    case .breakWatch: breakWatch(step.first)
    case .progress:
      prune()
      pages.first?.report(.progress(LoadProgress(done: step.first)))
    case .wait:
      let pauses = [20, 50, 100, 100, 100, 600, 600, 3000]
      clock.advance(by: .milliseconds(step.first % 97 == 0 ? 31_000 : pauses[step.first % pauses.count]))
    case .rest:
      try comeToRest()
      (gone, hasMarked) = ([], true)
    }
    prune()
    if requests > Self.mostRequests { throw Fault("\(requests) requests in a step") }
    try checkAlways(step)
  }

  /// Lets the source answer all requests and deliver all messages, until there are no more requests.
  func comeToRest() throws {
    requests = 0
    for _ in 0..<1000 {
      prune()
      trace?("  lists \(listed.map(\.number)) of \(list.count)")
      if requests > Self.mostRequests { throw Fault("\(requests) requests, and no rest: \(list.trigger)") }
      if let watch, !watch.isAnswered {
        answerWatch()
      } else if watch != nil, !notices.isEmpty {
        deliver()
      } else if !edits.isEmpty {
        answerEdit(0, way: 0)
      } else if !pages.isEmpty {
        answerPage(0, way: 0)
      } else if hasLost, watch?.isAnswered == true {
        notices.append(source.heartbeat())
      } else {
        clock.advance(by: .seconds(11))
        prune()
        if pages.isEmpty, edits.isEmpty, notices.isEmpty, watch?.isAnswered ?? true { return try checkRest() }
      }
    }
    throw Fault("no rest after 1000 answers")
  }

  private func look(_ first: Int, _ second: Int) {
    let count = list.count
    let start = count == 0 ? 0 : first % count
    let rows = start..<start + 1 + second % 7
    let prefetch = settings.prefetch
    let shown = list.shown.list
    anchor = shown.row(at: start).map { shown.rows[$0].itemID }
    user {
      $0.list.setViewport(rows)
      if let trigger = $0.list.loadTrigger(forVisibleRows: rows, prefetch: prefetch) { $0.list.load(trigger) }
    }
  }

  private func jump(_ first: Int, _ second: Int) {
    guard settings.window != nil else { return }
    anchor = nil
    let rows = source.rows
    if second % 2 == 0 {
      let count = list.count + 1
      user { _ = $0.list.jump(to: first % count) }
    } else if !rows.isEmpty {
      user { _ = $0.list.jump(to: rows[first % rows.count].id) }
    }
  }

  private func lookFor(_ action: @escaping (inout State) -> Void) {
    anchor = nil
    let old = Criteria(query: list.query, filters: list.filters)
    user(action)
    hasMarked = true
    if old != Criteria(query: list.query, filters: list.filters), settings.hasMarks,
      list.marks.all || !list.marks.ids.isEmpty
    {
      markFault = "another query and other filters clear the marks"
    }
  }

  private func edit(_ step: RandomDayStep) throws {
    let rows = listed
    let value = step.second
    let criteria = Criteria(query: list.query, filters: list.filters)
    expected.plain.criteria = criteria
    let isOwn: Bool
    let kind: PlainList.Edit.Kind
    switch step.kind {
    case .insert:
      var row = source.freshRow(matching: criteria, value)
      // Without states, nobody can know whether a page contains an item at the position where the user inserted it
      // again.
      if value % 5 == 0, settings.reports != .withoutStates, !rows.isEmpty, rows[value % rows.count].matches(criteria) {
        row = changed(rows[value % rows.count])
      }
      let next = step.first % 3 == 0 || rows.isEmpty ? nil : rows[step.first % rows.count]
      isOwn = !settings.writes.contains(.insert)
      kind = .insert(row, before: next?.number)
      user { $0.list.insert(row.item, before: next?.id) }
      if !list.items.contains(row.id), list.phase == .nothing || expected.held != nil, !isOwn || !settings.isOrdered {
        throw Fault("the user's insert of \(row.number) isn't listed")
      }
    case .update:
      guard !rows.isEmpty else { return }
      let row = changed(rows[step.first % rows.count])
      isOwn = !settings.writes.contains(.change)
      kind = .change(row)
      user { $0.list.update(row.item) }
      if list.items.item(withID: row.id).map({ SourceRow($0.json) }) != row {
        throw Fault("the user's change of \(row.number) isn't listed")
      }
    default:
      guard !rows.isEmpty else { return }
      let row = rows[step.first % rows.count]
      isOwn = !settings.writes.contains(.remove)
      kind = .remove(row.number)
      user { $0.list.remove(row.id) }
      if list.items.contains(row.id) { throw Fault("\(row.number) is listed, which the user has removed") }
    }
    trace?("  edit: \(kind)")
    guard isOwn else { return }
    expected.make(kind, time: time)
    switch kind {
    case .insert(let row, _), .change(let row): expected.touched.insert(row.number)
    case .remove(let number): expected.touched.insert(number)
    }
  }

  private func changed(_ row: SourceRow) -> SourceRow {
    var row = row
    row.version = 1000 + time
    row.group = time % 3
    return row
  }

  private func mark(_ step: RandomDayStep) {
    guard settings.hasMarks else { return }
    let rows = listed
    var marking = Marking(all: true)
    if step.first % 10 != 0 {
      guard !rows.isEmpty else { return }
      let (first, second) = (rows[step.first % rows.count], rows[step.second % rows.count])
      marking = step.first % 3 == 0 ? Marking(from: first.id, to: second.id) : Marking(id: first.id)
    }
    user { step.kind == .mark ? try $0.list.mark(marking) : try $0.list.unmark(marking) }
    hasMarked = true
  }

  private func editMarked(_ step: RandomDayStep) {
    guard settings.hasMarks else { return }
    let marks = list.marks
    if marks.all, settings.isLive { expected.isTouched = true }
    let isRemoval = step.kind == .removeMarked
    let isOwn = !settings.writes.contains(isRemoval ? .remove : .change)
    let version = 1000 + time
    let isDone = user {
      if isRemoval {
        try $0.list.removeMarked()
      } else {
        try $0.list.changeMarked(try RawJSON(#"{"version":\#(version)}"#))
      }
    }
    hasMarked = true
    guard isDone, isOwn else { return }
    expected.isPlainUnsure = true
    expected.touched.formUnion(marks.ids.map(DayExpectation.number))
  }
}
