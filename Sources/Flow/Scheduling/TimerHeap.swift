/// A binary heap of timers, ordered by deadline. Each timer stores its slot, so it can be moved and removed quickly.
struct TimerHeap {
  struct Node {
    /// The deadline in the heap's order. It may be earlier than the timer's current deadline.
    var deadline: TimerQueue.Deadline
    let timer: ScheduledTimer
  }

  private var nodes: [Node] = []

  var first: Node? { nodes.first }
  var isEmpty: Bool { nodes.isEmpty }

  func allSatisfy(_ condition: (ScheduledTimer) -> Bool) -> Bool { nodes.allSatisfy { condition($0.timer) } }

  mutating func insert(_ timer: ScheduledTimer, _ deadline: TimerQueue.Deadline) {
    nodes.append(Node(deadline: deadline, timer: timer))
    rise(from: nodes.count - 1)
  }

  /// Moves a timer forward if its new deadline is earlier than the one it is sorted by.
  mutating func hasten(_ slot: Int, to deadline: TimerQueue.Deadline) {
    if deadline < nodes[slot].deadline {
      nodes[slot].deadline = deadline
      rise(from: slot)
    }
  }

  /// Gives the first timer a later deadline, and sorts it again.
  mutating func putOffFirst(to deadline: TimerQueue.Deadline) {
    nodes[0].deadline = deadline
    sink(from: 0)
  }

  mutating func remove(_ slot: Int) {
    let last = nodes.removeLast()
    guard slot < nodes.count else { return }
    nodes[slot] = last
    rise(from: slot)
    sink(from: last.timer.slot)
  }

  private mutating func rise(from start: Int) {
    var slot = start
    while slot > 0 {
      let parent = (slot - 1) / 2
      guard nodes[slot].deadline < nodes[parent].deadline else { break }
      nodes.swapAt(slot, parent)
      nodes[slot].timer.slot = slot
      slot = parent
    }
    nodes[slot].timer.slot = slot
  }

  private mutating func sink(from start: Int) {
    var slot = start
    while true {
      var least = slot
      for child in 2 * slot + 1...2 * slot + 2
      where child < nodes.count && nodes[child].deadline < nodes[least].deadline {
        least = child
      }
      guard least != slot else { break }
      nodes.swapAt(slot, least)
      nodes[slot].timer.slot = slot
      slot = least
    }
    nodes[slot].timer.slot = slot
  }
}
