/// The timers of a scheduler, ordered by due time, and those due at the same time by when they were set.
///
/// A scheduler sleeps until ``nextDue`` and then calls ``runDue(at:)``:
///
/// ```swift
/// final class Loop: Scheduler {
///   let timers = TimerQueue()
///   var now: Duration { elapsed() }
///   func turn() {
///     sleep(until: timers.nextDue)
///     timers.runDue(at: now)
///   }
/// }
/// ```
///
/// It is a binary heap. A timer that is unset, or set later, stays where it is until it comes to the top, and is dropped
/// or sunk then: that makes the two cheap, and both are what `debounce` and `timeout` do at each event.
public final class TimerQueue {
  /// A due time, and a number that tells apart those due at the same time.
  @usableFromInline
  struct Deadline: Comparable {
    @usableFromInline var time: Duration
    @usableFromInline var number: Int

    @usableFromInline
    static func < (left: Deadline, right: Deadline) -> Bool {
      left.time < right.time || left.time == right.time && left.number < right.number
    }
  }

  private struct Node {
    var deadline: Deadline
    let timer: ScheduledTimer
  }

  private var heap: [Node] = []
  private var lastNumber = 0

  /// An empty queue.
  public init() {}

  /// When the first timer is due; nil if none is set.
  public var nextDue: Duration? {
    settle()
    return heap.first?.deadline.time
  }

  /// Runs the first timer, if it is due.
  ///
  /// - Parameter time: now.
  /// - Returns: whether a timer ran.
  public func runNext(at time: Duration) -> Bool {
    runFirst { $0.time <= time }
  }

  /// Runs the timers that are due. Those set meanwhile wait for the next call, so that a timer which sets itself to now
  /// cannot keep its scheduler from everything else.
  ///
  /// - Parameter time: now.
  public func runDue(at time: Duration) {
    let last = lastNumber
    while runFirst({ $0.time <= time && $0.number <= last }) {}
  }

  private func runFirst(_ condition: (Deadline) -> Bool) -> Bool {
    settle()
    guard let first = heap.first, condition(first.deadline) else { return false }
    first.timer.deadline = nil
    first.timer.action?()
    return true
  }

  /// The place in time of something decided now.
  @usableFromInline
  func deadline(at time: Duration) -> Deadline {
    lastNumber += 1
    return Deadline(time: time, number: lastNumber)
  }

  @usableFromInline
  func arm(_ timer: ScheduledTimer, _ deadline: Deadline) {
    guard timer.action != nil else { return }
    timer.deadline = deadline
    if timer.slot < 0 {
      timer.slot = heap.count
      heap.append(Node(deadline: deadline, timer: timer))
      rise(from: timer.slot)
    } else if deadline < heap[timer.slot].deadline {
      heap[timer.slot].deadline = deadline
      rise(from: timer.slot)
    }
  }

  func remove(_ timer: ScheduledTimer) {
    let slot = timer.slot
    guard slot >= 0 else { return }
    timer.slot = -1
    let last = heap.removeLast()
    guard slot < heap.count else { return }
    heap[slot] = last
    last.timer.slot = slot
    rise(from: slot)
    sink(from: slot)
  }

  /// Brings the timer that is first by what it is set to now to the top.
  private func settle() {
    while let first = heap.first {
      guard let deadline = first.timer.deadline else {
        remove(first.timer)
        continue
      }
      if deadline == first.deadline { return }
      heap[0].deadline = deadline
      sink(from: 0)
    }
  }

  private func rise(from start: Int) {
    var slot = start
    while slot > 0 {
      let parent = (slot - 1) / 2
      guard heap[slot].deadline < heap[parent].deadline else { return }
      exchange(slot, parent)
      slot = parent
    }
  }

  private func sink(from start: Int) {
    var slot = start
    while true {
      var least = slot
      for child in 2 * slot + 1...2 * slot + 2 where child < heap.count && heap[child].deadline < heap[least].deadline {
        least = child
      }
      guard least != slot else { return }
      exchange(slot, least)
      slot = least
    }
  }

  private func exchange(_ left: Int, _ right: Int) {
    heap.swapAt(left, right)
    heap[left].timer.slot = left
    heap[right].timer.slot = right
  }
}
