import Foundation
import Randomness
import Testing

@testable import Paging

/// Whatever a source says, in whatever order that meets pages, edits and what is lost: at rest the list is the source.
@Suite struct LiveListTests {
  /// They concern the rows at both sides of the end of what is loaded, and one another.
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

  @Test(arguments: [false, true], events) func `four events of pages and changes`(isOrdered: Bool, first: LiveRun.Event)
  {
    // Hardly anything is kept of what happens during a load, or all.
    for mostKept in [768, 1 << 20] {
      LiveRun("abcde", isOrdered: isOrdered, mostKept: mostKept).explore(Self.events, first, 4)
    }
  }

  @Test(arguments: [false, true], edits) func `four events of edits and changes`(isOrdered: Bool, first: LiveRun.Event)
  {
    LiveRun("abcde", isOrdered: isOrdered).explore(Self.edits, first, 4)
  }

  @Test(arguments: [false, true], gaps) func `four events of gaps and changes`(isOrdered: Bool, first: LiveRun.Event) {
    for mostKept in [768, 1 << 20] {
      LiveRun("abcde", isOrdered: isOrdered, mostKept: mostKept).explore(Self.gaps, first, 4)
    }
  }

  @Test(arguments: events) func `four events of a source whose pages say no state`(first: LiveRun.Event) {
    LiveRun("abcde", isOrdered: false, saysStates: false).explore(Self.events, first, 4)
  }

  private static let windows: [LiveRun.Event] = [
    .insert("x", before: "a"), .insert("x", before: "e"), .insert("b", before: "h"), .change("g"), .remove("g"),
    .remove("b"), .see(5), .see(0), .jump(6), .around("f"), .hear, .read, .come, .first,
  ]
  private static let windowedEdits: [LiveRun.Event] = [
    .edit(.insert("x", before: "b")), .edit(.remove("a")), .edit(.change("b")), .insert("a", before: "f"), .remove("b"),
    .see(4), .hear, .make, .refuse, .answer, .read, .come,
  ]

  @Test(arguments: [false, true], windows) func `four events of windows and changes`(
    isOrdered: Bool, first: LiveRun.Event
  ) {
    let window = WindowSettings(margin: 1, mostItems: 4, hasPositions: true, findsItems: true)
    LiveRun("abcdefgh", isOrdered: isOrdered, window: window).explore(Self.windows, first, isOrdered ? 3 : 4)
  }

  @Test(arguments: [false, true], windowedEdits) func `four events of windows and edits`(
    isOrdered: Bool, first: LiveRun.Event
  ) {
    let window = WindowSettings(margin: 1, mostItems: 4, hasPositions: true, findsItems: true)
    LiveRun("abcdefgh", isOrdered: isOrdered, window: window).explore(Self.windowedEdits, first, isOrdered ? 4 : 3)
  }

  /// How many days there are in each part: with `NAGARE_DAYS=420` they have a million steps.
  private static let days = ProcessInfo.processInfo.environment["NAGARE_DAYS"].flatMap { Int($0) } ?? 25

  @Test(arguments: 0..<8) func `long days`(part: Int) {
    for seed in part * Self.days..<(part + 1) * Self.days { LiveRun.day(seed: seed, steps: 300) }
  }

  @Test(arguments: 0..<8) func `long days in windows`(part: Int) {
    for seed in part * Self.days..<(part + 1) * Self.days { LiveRun.day(seed: seed, steps: 300, isWindowed: true) }
  }
}

extension LiveRun {
  /// Goes all ways on from here, each to its rest.
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

  /// A day with a list, which rests now and then.
  static func day(seed: Int, steps: Int, isWindowed: Bool = false) {
    var random = SplitMix64(seed: seed)
    let isOrdered = Bool.random(using: &random)
    let saysStates = isOrdered || Int.random(in: 0..<4, using: &random) > 0
    let onRefresh: OnRefresh = [.clear, .keep, .revalidate].randomElement(using: &random) ?? .keep
    // Little is kept of what happens during a load in some, and the list is read again.
    let mostKept = [768, 1200, 2400, 1 << 20].randomElement(using: &random) ?? 768
    let window = WindowSettings(
      margin: Int.random(in: 0...2, using: &random), mostItems: Int.random(in: 2...8, using: &random),
      hasPositions: Bool.random(using: &random), findsItems: true)
    let isWindowed = isWindowed && (saysStates || !window.hasPositions)
    let morning = LiveRun(
      "abcdefgh", isOrdered: isOrdered, saysStates: saysStates, onRefresh: onRefresh, mostKept: mostKept,
      window: isWindowed ? window : nil)
    var run = morning
    for step in 1...steps where !run.hasFailed {
      let event = Event.random(using: &random)
      if run.canPerform(event) { run.perform(event) }
      if step % 40 == 0 {
        if morning.fault(after: run.history) != nil { break }
        if Bool.random(using: &random) { run.settle() }
      }
    }
    morning.tell(
      "seed \(seed), \(isOrdered), \(saysStates), \(onRefresh), \(mostKept), \(isWindowed ? "\(window)" : "")",
      run.history)
  }

  /// What is wrong at rest after some events, of which those count that can be; nil if nothing is.
  private func fault(after events: some Sequence<Event>) -> String? {
    var run = self
    for event in events where run.canPerform(event) && !run.hasFailed { run.perform(event) }
    run.check()
    return run.fault
  }

  /// Records what is wrong after some events, without those that have no part in it.
  private func tell(_ name: String, _ events: [Event]) {
    guard fault(after: events) != nil else { return }
    var (events, size) = (events, events.count / 2)
    while size > 0 {
      var start = 0
      while start < events.count {
        let fewer = events[..<start] + events[min(start + size, events.count)...]
        if fault(after: fewer) != nil { events = Array(fewer) } else { start += size }
      }
      size /= 2
    }
    Issue.record("\(name): \(fault(after: events) ?? "nothing") after \(events)")
  }
}

extension LiveRun.Event {
  fileprivate static func random(using random: inout SplitMix64) -> LiveRun.Event {
    func letter() -> Character { "abcdefghijkl".randomElement(using: &random) ?? "a" }
    switch Int.random(in: 0..<34, using: &random) {
    case 0, 1: return .insert(letter(), before: letter())
    case 2: return .insert(letter(), before: nil)
    case 3, 4: return .change(letter())
    case 5, 6: return .remove(letter())
    case 7: return Int.random(in: 0..<6, using: &random) == 0 ? .shuffle : .hear
    case 8..<13: return .hear
    case 13: return Int.random(in: 0..<4, using: &random) == 0 ? .lose : .hear
    case 14..<16: return .watch
    case 16: return .forget
    case 17: return Int.random(in: 0..<4, using: &random) == 0 ? .first : .next
    case 18, 19: return .next
    case 20: return .previous
    case 21:
      let row = Int.random(in: 0..<12, using: &random)
      return [.see(row), .see(row), .see(row), .jump(row), .around(letter())].randomElement(using: &random) ?? .see(row)
    case 22: return .edit(.insert(letter(), before: letter()))
    case 23: return .edit(.remove(letter()))
    case 24: return .edit(.change(letter()))
    case 25, 26: return .read
    case 27, 28: return .come
    case 29: return .make
    case 30: return .refuse
    case 31, 32: return .answer
    default: return .rest
    }
  }
}
