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
    expect((running != nil) == (loads.phase == .requesting), "the phase \(loads.phase) contradicts whether a load runs")
    expect((failed != nil) == (loads.phase == .failed), "the phase \(loads.phase) contradicts whether the load failed")
    expect(
      wantedLoad()?.number == running?.number,
      "\(wantedLoad().map { "\($0.origin)" } ?? "no load") is wanted, not \(running.map { "\($0.origin)" } ?? "none")")
    expect(loads.pageFailures.isEmpty || running != nil, "failures of a finished page weren't cleared")
  }

  private func checkRows() {
    let shown = rows.shown
    expect(!shown.arrivals.contains { shown.all.rows.contains($0.itemID) }, "a deferred row is listed")
    expect(!shown.gone.contains(where: shown.all.rows.contains), "a removed row is listed")
    expect(rows.reload == nil || loads.running != nil, "a reload has no running load")
    guard let pageTable = shown.pageTable else { return }
    let ranges = pageTable.ranges
    expect(ranges.last?.upperBound ?? 0 == shown.all.count, "the pages don't hold all rows")
    for (page, range) in zip(pageTable.pages, ranges) {
      let unloaded = shown.all.unloaded(in: range).reduce(0) { $0 + $1.count }
      expect(unloaded == (page.isLoaded ? 0 : page.count), "a page is only partly loaded")
    }
  }

  private func checkEdits() {
    expect(
      !edits.isApplied || edits.areApplied(toVersion: rows.shown.version) || !rows.hasPage,
      "the edits belong to other rows")
    expect(edits.slotsAreComplete, "a slot is neither shown nor hidden")
    let isUnedited = rows.hasPage && edits.isUnedited
    expect(!isUnedited || items.count == rows.shown.listed.rows.count, "rows are missing")
    expect(
      sent.removalsOfAll.keys.allSatisfy { sent.isUnanswered(UInt($0)) },
      "a finished removal of all items wasn't cleared")
    expect(sent.editsOfAll.allSatisfy { sent.isUnanswered($0.number) }, "a finished edit of all items wasn't cleared")
    expect(sent.itemsBeforePage == nil, "a page isn't finished")
  }

  private func check(_ window: ListWindow) {
    let (list, held) = (window.list, window.held)
    expect(list.rows.isIdentical(to: items), "the window has other rows than the list")
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
