import Foundation
import ItemList
import Testing

@testable import Paging

/// After any order of changes, pages, edits and lost messages, a list that is idle equals its source.
@Suite struct LiveListTests {
  /// Events that affect rows on both sides of the end of the loaded rows, and each other.
  private static let events: [LiveRun.Event] = [
    .insert("x", before: "a"), .insert("x", before: "c"), .insert("b", before: "d"), .insert("c", before: "a"),
    .change("b"), .remove("b"), .hear, .next, .read, .come, .first,
  ]
  private static let edits: [LiveRun.Event] = [
    .edit(.insert("x", before: "b")), .edit(.remove("a")), .edit(.change("b")), .insert("a", before: "c"),
    .remove("b"), .hear, .make, .refuse, .answer, .first, .next, .read, .come,
  ]
  private static let gaps: [LiveRun.Event] = [
    .insert("x", before: "a"), .insert("b", before: "d"), .remove("a"), .shuffle, .hear, .lose, .watch, .forget, .next,
    .read, .come,
  ]

  @Test(arguments: [false, true], events) func `the list equals its source after four events of pages and changes`(
    isOrdered: Bool, first: LiveRun.Event
  ) {
    // Once with almost no record of what happens during a load, and once with all of it.
    for mostKept in [768, 1 << 20] {
      LiveRun("abcde", isOrdered: isOrdered, mostKept: mostKept).explore(Self.events, first, 4)
    }
  }

  @Test(arguments: [false, true], edits) func `the list equals its source after four events of edits and changes`(
    isOrdered: Bool, first: LiveRun.Event
  ) {
    LiveRun("abcde", isOrdered: isOrdered).explore(Self.edits, first, 4)
  }

  @Test(arguments: [false, true], gaps) func `the list equals its source after four events of gaps and changes`(
    isOrdered: Bool, first: LiveRun.Event
  ) {
    for mostKept in [768, 1 << 20] {
      LiveRun("abcde", isOrdered: isOrdered, mostKept: mostKept).explore(Self.gaps, first, 4)
    }
  }

  @Test(arguments: events) func `the list equals its source after four events without states`(first: LiveRun.Event) {
    LiveRun("abcde", isOrdered: false, saysStates: false).explore(Self.events, first, 4)
  }

  @Test(arguments: gaps) func `the list equals its source after four events of gaps without states`(
    first: LiveRun.Event
  ) {
    for mostKept in [768, 1 << 20] {
      LiveRun("abcde", isOrdered: false, saysStates: false, mostKept: mostKept).explore(Self.gaps, first, 4)
    }
  }

  private static let windows: [LiveRun.Event] = [
    .insert("x", before: "a"), .insert("x", before: "e"), .insert("b", before: "h"), .change("g"), .remove("g"),
    .remove("b"), .see(5), .see(0), .jump(6), .around("f"), .hear, .read, .come, .first,
  ]
  private static let windowedEdits: [LiveRun.Event] = [
    .edit(.insert("x", before: "b")), .edit(.remove("a")), .edit(.change("b")), .insert("a", before: "f"), .remove("b"),
    .see(4), .hear, .make, .refuse, .answer, .read, .come,
  ]

  @Test(arguments: [false, true], windows) func `a window equals its source after four events of changes`(
    isOrdered: Bool, first: LiveRun.Event
  ) {
    let window = WindowSettings(margin: 1, mostItems: 4, hasPositions: true, findsItems: true)
    LiveRun("abcdefgh", isOrdered: isOrdered, window: window).explore(Self.windows, first, isOrdered ? 3 : 4)
  }

  @Test(arguments: [false, true], windowedEdits) func `a window equals its source after four events of edits`(
    isOrdered: Bool, first: LiveRun.Event
  ) {
    let window = WindowSettings(margin: 1, mostItems: 4, hasPositions: true, findsItems: true)
    LiveRun("abcdefgh", isOrdered: isOrdered, window: window).explore(Self.windowedEdits, first, isOrdered ? 4 : 3)
  }

  private static let keyedWindows: [LiveRun.Event] = [
    .insert("x", before: "a"), .insert("x", before: "e"), .insert("b", before: "h"), .change("g"), .remove("d"),
    .remove("b"), .see(5), .see(0), .see(2), .around("f"), .next, .previous, .hear, .read, .come,
  ]
  private static let keyedEdits: [LiveRun.Event] = [
    .edit(.insert("x", before: "b")), .edit(.remove("e")), .edit(.change("b")), .insert("a", before: "f"), .remove("c"),
    .see(0), .see(6), .hear, .make, .refuse, .answer, .read, .come,
  ]

  /// Pages without positions are evicted by their keys: in a list that is loaded to its end, and in one that isn't.
  @Test(arguments: [false, true], keyedWindows)
  func `a window without positions equals its source after four events of changes`(
    isOrdered: Bool, first: LiveRun.Event
  ) {
    let window = WindowSettings(margin: 1, mostItems: 3, findsItems: true)
    var run = LiveRun("abcdefgh", isOrdered: isOrdered, window: window)
    run.explore(Self.keyedWindows, first, 3)
    run.lookThrough(to: 6)
    run.explore(Self.keyedWindows, first, isOrdered ? 3 : 4)
  }

  @Test(arguments: [false, true], keyedEdits)
  func `a window without positions equals its source after four events of edits`(
    isOrdered: Bool, first: LiveRun.Event
  ) {
    var run = LiveRun("abcdefgh", isOrdered: isOrdered, window: WindowSettings(margin: 1, mostItems: 3))
    run.lookThrough(to: 4)
    run.explore(Self.keyedEdits, first, isOrdered ? 4 : 3)
  }

  /// A source that never changes by itself, so that nobody reports the user's own edits.
  @Test(arguments: [false, true], stillEdits) func `a window equals a source without reports after four events`(
    hasPositions: Bool, first: LiveRun.Event
  ) {
    let window = WindowSettings(margin: 1, mostItems: 3, hasPositions: hasPositions, findsItems: true)
    var run = LiveRun("abcdefgh", isOrdered: false, saysStates: false, window: window, isLive: false)
    if !hasPositions { run.lookThrough(to: 4) }
    run.explore(Self.stillEdits, first, 4)
    let whole = LiveRun("abcde", isOrdered: false, saysStates: false, onRefresh: .revalidate, isLive: false)
    whole.explore(Self.stillEdits + [.next], first, 3)
  }

  private static let stillEdits: [LiveRun.Event] = [
    .edit(.insert("x", before: "b")), .edit(.remove("a")), .edit(.remove("e")), .edit(.change("b")), .see(0), .see(5),
    .around("f"), .first, .make, .refuse, .answer, .read, .come,
  ]

  @Test func `a row removed only in the list stays out, and other rows are still evicted`() {
    let window = WindowSettings(margin: 0, mostItems: 2, hasPositions: true)
    var run = LiveRun(
      "abcdefghijkl", isOrdered: false, saysStates: false, window: window, isLive: false, takesEdits: false)
    for event in [.see(0), .edit(.remove("b")), .see(2), .see(5), .see(9), .see(4), .see(0)] as [LiveRun.Event] {
      run.perform(event)
      run.settle()
      #expect(run.list.items.count <= 4, "after \(run.history)")
    }
    #expect(run.heldRows.map(\.text) == ["a0", "c0"] && run.list.count == 11)
  }

  private static let windowedGaps: [LiveRun.Event] = [
    .insert("x", before: "a"), .insert("b", before: "h"), .remove("d"), .shuffle, .hear, .lose, .watch, .forget,
    .see(0), .see(5), .around("f"), .read, .come,
  ]

  /// Lost messages and unknown states while rows are evicted: by their positions, or by the keys of their pages.
  @Test(arguments: [false, true], windowedGaps) func `a window equals its source after four events of gaps`(
    isOrdered: Bool, first: LiveRun.Event
  ) {
    let positions = WindowSettings(margin: 1, mostItems: 3, hasPositions: true, findsItems: true)
    LiveRun("abcdefgh", isOrdered: isOrdered, window: positions).explore(Self.windowedGaps, first, isOrdered ? 3 : 4)
    var run = LiveRun(
      "abcdefgh", isOrdered: isOrdered, window: WindowSettings(margin: 1, mostItems: 3, findsItems: true))
    run.lookThrough(to: 6)
    run.explore(Self.windowedGaps, first, isOrdered ? 4 : 3)
  }

  private static let marks: [LiveRun.Event] = [
    .mark("b"), .unmark("b"), .all, .changeMarked, .removeMarked, .see(5), .insert("x", before: "c"), .remove("b"),
    .edit(.remove("b")), .hear, .make, .refuse, .answer, .first, .read, .come,
  ]

  private static let markedInsertions: [LiveRun.Event] = [
    .edit(.insert("x", before: "b")), .edit(.insert("x", before: nil)), .mark("x"), .all, .unmark("x"), .removeMarked,
    .changeMarked, .see(5), .insert("x", before: "a"), .hear, .make, .refuse, .answer,
  ]

  /// Marks must be the same in a list that is seen whole and in one whose rows are evicted.
  @Test(arguments: [false, true], marks) func `marks in a window equal the model after four events`(
    isAtOnce: Bool, first: LiveRun.Event
  ) {
    let window = WindowSettings(margin: 1, mostItems: 3, hasPositions: true, findsItems: true)
    LiveRun("abcdefgh", isOrdered: false, window: window, isAtOnce: isAtOnce).explore(
      Self.marks, first, isAtOnce ? 4 : 3)
    LiveRun("abcd", isOrdered: false, isAtOnce: isAtOnce).explore(Self.marks, first, 3)
  }

  /// A list whose pages are evicted by their keys.
  @Test(arguments: [false, true], marks) func `marks in a window without positions equal the model after four events`(
    isAtOnce: Bool, first: LiveRun.Event
  ) {
    var run = LiveRun(
      "abcdefgh", isOrdered: isAtOnce, window: WindowSettings(margin: 1, mostItems: 3), isAtOnce: isAtOnce)
    run.lookThrough(to: 6)
    run.explore(Self.marks, first, isAtOnce ? 4 : 3)
  }

  @Test(arguments: markedInsertions) func `marks equal the model after four events of insertions`(first: LiveRun.Event)
  {
    let window = WindowSettings(margin: 1, mostItems: 3, hasPositions: true, findsItems: true)
    LiveRun("abcdefgh", isOrdered: false, window: window).explore(Self.markedInsertions, first, 4)
    LiveRun("abcd", isOrdered: false).explore(Self.markedInsertions, first, 4)
  }

  @Test func `an insertion at the start comes before unloaded rows, made or not`() {
    let window = WindowSettings(margin: 0, mostItems: 2, hasPositions: true)
    var run = LiveRun("abcdefgh", isOrdered: false, window: window)
    for event in [.see(5), .rest, .edit(.insert("x", before: nil)), .see(0), .make, .answer, .see(0)] as [LiveRun.Event]
    {
      if run.canPerform(event) { run.perform(event) }
      while let event = [.read, .come].first(where: run.canPerform) { run.perform(event) }
      if run.history.contains(.edit(.insert("x", before: nil))) {
        #expect(run.list.shown.list.position(of: ItemID("x")) == 0, "after \(run.history)")
      }
    }
    #expect(run.heldRows.map(\.text) == ["x1001", "a0"])
  }

  /// The number of random days in each part. `NAGARE_DAYS=420` makes a million steps.
  static let days = ProcessInfo.processInfo.environment["NAGARE_DAYS"].flatMap { Int($0) } ?? 25

  @Test(arguments: 0..<8) func `the list equals its source after many random events`(part: Int) {
    for seed in part * Self.days..<(part + 1) * Self.days { LiveDay(seed: seed, isWindowed: false).live() }
  }

  @Test(arguments: 0..<8) func `a window equals its source after many random events`(part: Int) {
    for seed in part * Self.days..<(part + 1) * Self.days { LiveDay(seed: seed, isWindowed: true).live() }
  }
}

extension LiveRun {
  /// Performs all possible sequences of events from here, and checks the list after each.
  func explore(_ events: [Event], _ first: Event, _ depth: Int) {
    guard canPerform(first), !hasFailed else { return }
    var next = self
    next.perform(first)
    if depth > 1 {
      for event in events { next.explore(events, event, depth - 1) }
    } else {
      next.check()
      if let fault = next.fault { Issue.record("\(fault) after \(next.history)") }
    }
  }
}
