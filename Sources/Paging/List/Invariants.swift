internal import ItemList

// The invariants of every list between two steps. Builds with CHECK_INVARIANTS, such as test builds, check them after
// each step.

extension ListCore {
  /// Ends the program if an invariant is violated.
  func checkInvariants() {
    checkLoads()
    checkRows()
    checkEdits()
    if let window { check(window) }
  }

  private func checkLoads() {
    let (running, failed) = (loads.running, loads.failed)
    expect(running == nil || failed == nil, "a load runs although the newest one has failed")
    expect((running != nil) == (loads.phase == .requesting), "a load runs or not, and the phase is \(loads.phase)")
    expect((failed != nil) == (loads.phase == .failed), "a load failed or not, and the phase is \(loads.phase)")
    expect(
      wantedLoad()?.number == running?.number,
      "\(wantedLoad().map { "\($0.origin)" } ?? "no load") is wanted, not \(running.map { "\($0.origin)" } ?? "none")")
    expect(loads.pageFailures.isEmpty || running != nil, "failures of a page are left over")
  }

  private func checkRows() {
    let shown = rows.shown
    expect(!shown.arrivals.contains { shown.all.rows.contains($0.itemID) }, "a deferred row is listed")
    expect(!shown.gone.contains(where: shown.all.rows.contains), "a removed row is there")
    expect(rows.reload == nil || loads.running != nil, "a reload goes on without a load")
    guard let pageTable = shown.pageTable else { return }
    let ranges = pageTable.ranges
    expect(ranges.last?.upperBound ?? 0 == shown.all.count, "the pages don't hold all rows")
    for (page, range) in zip(pageTable.pages, ranges) {
      let unread = shown.all.unread(in: range).reduce(0) { $0 + $1.count }
      expect(unread == (page.isRead ? 0 : page.count), "a page is read in part")
    }
  }

  private func checkEdits() {
    expect(!edits.isLaid || edits.lie(on: rows.shown.version) || !rows.hasPage, "the edits lie on other rows")
    expect(edits.slotsAreComplete, "a slot is neither shown nor hidden")
    let isUnedited = rows.hasPage && edits.isUnedited
    expect(!isUnedited || items.count == rows.shown.listed.rows.count, "rows are missing")
    expect(sent.removalsOfAll.keys.allSatisfy { sent.isUnanswered(UInt($0)) }, "a removal of all is left over")
    expect(sent.ofAll.allSatisfy { sent.isUnanswered($0.number) }, "an edit of all is left over")
    expect(sent.itemsBeforePage == nil, "a page isn't finished")
  }

  private func check(_ window: ListWindow) {
    let (list, held) = (window.list, window.held)
    expect(list.rows.isIdentical(to: items), "the window is on other rows")
    expect(held.clamped(to: 0..<list.count) == held, "the window holds rows that don't exist")
    // Until the client reports its viewport, it holds the whole first page, of any size.
    expect(window.viewport == nil || held.count <= ListWindow.mostRows, "the window is too large")
    expect(window.published.list.isIdentical(to: list), "the rows aren't published")
  }
}

/// Ends the program with a message unless a condition is true. Only test builds call it, so a fault ends the test that
/// shows it.
///
/// `precondition` would print no message in an optimized build. An error would have to be thrown by each step of a
/// list, although only a mistake in this library can cause it.
private func expect(_ holds: Bool, _ fault: @autoclosure () -> String) {
  if !holds { fatalError("a list is broken: \(fault())") }
}
