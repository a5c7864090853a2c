import Randomness
import Testing

@testable import Paging

/// A sequence of random events for a list. With a window, there are two clients of one source: one with the window, and
/// one that sees the whole list.
struct LiveDay {
  /// An event at one of the lists. Changes of the source are reported to both.
  typealias Step = (isOther: Bool, event: LiveRun.Event)

  private let name: String
  private let seed: Int
  private var lists: [LiveRun]
  private var history: [Step] = []
  private var fault: String?

  init(seed: Int, isWindowed: Bool) {
    var random = SplitMix64(seed: seed)
    let isOrdered = Bool.random(using: &random)
    let saysStates = isOrdered || Int.random(in: 0..<4, using: &random) > 0
    let onRefresh: OnRefresh = [.clear, .keep, .revalidate].randomElement(using: &random) ?? .keep
    // In some days little is recorded during a load, so the list must reload.
    let mostKept = [768, 1200, 2400, 1 << 20].randomElement(using: &random) ?? 768
    let window = WindowSettings(
      margin: Int.random(in: 0...2, using: &random), mostItems: Int.random(in: 2...8, using: &random),
      hasPositions: Bool.random(using: &random), findsItems: true)
    let isAtOnce = Bool.random(using: &random)
    let isWindowed = isWindowed && (saysStates || !window.hasPositions)
    // A source with positions gives no keys.
    let isByPosition = isWindowed && window.hasPositions
    func list(_ window: WindowSettings?) -> LiveRun {
      LiveRun(
        "abcdefgh", isOrdered: isOrdered, saysStates: saysStates, onRefresh: onRefresh, mostKept: mostKept,
        window: window, pageSize: window == nil && isByPosition ? 20 : 2, isAtOnce: isAtOnce,
        saysPositions: isByPosition)
    }
    lists = isWindowed ? [list(window), list(nil)] : [list(nil)]
    self.seed = seed
    name =
      "seed \(seed), \(isOrdered), \(saysStates), \(onRefresh), \(mostKept), \(isAtOnce), \(isWindowed ? "\(window)" : "")"
  }

  /// Performs random events, and checks the lists now and then.
  func live(steps: Int = 300) {
    var (random, day) = (SplitMix64(seed: seed &+ 1 << 32), self)
    for step in 1...steps where !day.hasFailed {
      day.perform((lists.count > 1 && Bool.random(using: &random), LiveRun.Event.random(using: &random)))
      if step % 40 == 0 {
        if fault(after: day.history) != nil { break }
        if Bool.random(using: &random) { day.settle() }
      }
    }
    tell(day.history)
  }

  private var hasFailed: Bool { fault != nil || lists.contains { $0.hasFailed } }

  private mutating func perform(_ step: Step) {
    let index = step.isOther ? 1 : 0
    guard lists[index].canPerform(step.event), !hasFailed else { return }
    history.append(step)
    lists[index].perform(step.event)
    tellOthers(of: index)
  }

  /// Reports the changes that one client caused at the source to the other one.
  private mutating func tellOthers(of index: Int) {
    for other in lists.indices where other != index { lists[other].follow(lists[index].source) }
  }

  /// Delivers all messages.
  private mutating func settle() {
    for _ in 0..<2 {
      for index in lists.indices {
        lists[index].settle()
        tellOthers(of: index)
      }
    }
  }

  /// Checks, after all messages were delivered, that both lists equal the source, and have the same rows.
  private mutating func check() {
    settle()
    for index in lists.indices {
      lists[index].check()
      tellOthers(of: index)
    }
    settle()
    fault = lists.lazy.compactMap(\.fault).first
    guard fault == nil, let whole = lists.last?.heldRows else { return }
    for (position, text) in lists[0].heldRows
    where text != "-" && position < whole.count && whole[position].text != text {
      fault = "\(text) is at \(position), and in the whole list \(whole[position].text)"
    }
  }

  /// The fault after some steps; nil if there is none. Steps that aren't possible are skipped.
  private func fault(after steps: [Step]) -> String? {
    var day = self
    for step in steps { day.perform(step) }
    day.check()
    return day.fault
  }

  /// Records a fault with the fewest steps that cause it.
  private func tell(_ steps: [Step]) {
    guard fault(after: steps) != nil else { return }
    var (steps, size) = (steps, steps.count / 2)
    while size > 0 {
      var start = 0
      while start < steps.count {
        let fewer = Array(steps[..<start] + steps[min(start + size, steps.count)...])
        if fault(after: fewer) != nil { steps = fewer } else { start += size }
      }
      size /= 2
    }
    let story = steps.map { "\($0.isOther ? "other " : "")\($0.event)" }.joined(separator: ", ")
    Issue.record("\(name): \(fault(after: steps) ?? "nothing") after \(story)")
  }
}

extension LiveRun.Event {
  static func random(using random: inout SplitMix64) -> LiveRun.Event {
    func letter() -> Character { "abcdefghijkl".randomElement(using: &random) ?? "a" }
    switch Int.random(in: 0..<38, using: &random) {
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
    case 33:
      return [.swipe(letter(), Int.random(in: -1...1, using: &random)), .close].randomElement(using: &random) ?? .close
    case 34: return [.mark(letter()), .unmark(letter())].randomElement(using: &random) ?? .none
    case 35: return [.mark(letter()), .all, .none].randomElement(using: &random) ?? .none
    case 36: return Int.random(in: 0..<4, using: &random) == 0 ? .removeMarked : .changeMarked
    default: return .rest
    }
  }
}
