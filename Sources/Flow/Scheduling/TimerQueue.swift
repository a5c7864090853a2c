/// The timers of a scheduler, ordered by the time at which they are due. Timers due at the same time run in the order
/// in which they were set.
///
/// A scheduler sleeps until ``nextDue`` and then calls ``runDue(at:_:)``.
///
/// The queue is a binary heap. A timer that is unset or set to a later time stays in its slot. When it reaches the top,
/// the queue removes it or moves it down. Unsetting and postponing are therefore cheap; `debounce` and `timeout` do
/// both at each event.
public final class TimerQueue {
  /// The time at which a timer is due, and a number that orders timers due at the same time.
  @usableFromInline
  struct Deadline: Comparable {
    /// In attoseconds. Comparing two numbers is faster than comparing two durations, which is a function call.
    @usableFromInline let time: Int128
    @usableFromInline let number: Int

    @usableFromInline
    init(time: Int128, number: Int) {
      self.time = time
      self.number = number
    }

    @usableFromInline
    static func < (left: Deadline, right: Deadline) -> Bool {
      left.time < right.time || left.time == right.time && left.number < right.number
    }
  }

  /// Not checked for overlapping accesses. There are none: the heap's functions call no foreign code, and the heap
  /// releases a timer only while the caller retains it.
  @exclusivity(unchecked)
  private var heap = TimerHeap()
  private let lastNumber = Box(0)
  /// The feedbacks that a view model makes while its view opens; nil at other times.
  var madeFeedbacks: [MadeFeedback]?

  #if DEBUG || CHECK_INVARIANTS
    /// Called with a rule's name when a feedback begins to run the rule, and with nil when its turn has ended.
    @usableFromInline package var ruleChanged: ((String?) -> Void)?
  #endif

  /// An empty queue.
  public init() {}

  /// Whether the queue holds no timer. False doesn't mean that one is set, because unset timers may remain in the
  /// queue. It costs less than ``nextDue``.
  public var isEmpty: Bool { unsafe heap.isEmpty }

  /// Whether every timer that is set is in the background. If so, everything that needs time has ended.
  public var isIdle: Bool { unsafe heap.allSatisfy { $0.isInBackground || !$0.isArmed } }

  /// When the first timer is due; nil if no timer is set.
  public var nextDue: Duration? {
    first.map { Duration(attoseconds: $0.deadline.time) }
  }

  /// Runs the first timer if it is due. Returns whether it ran.
  public func runNext(at time: Duration) -> Bool {
    guard let first, first.deadline.time <= time.attoseconds else { return false }
    run(first.timer)
    return true
  }

  /// Runs the timers that are due. Timers set meanwhile wait for the next call, so a timer that sets itself to now
  /// can't block its scheduler. After each timer it calls `goesOn`; false leaves the remaining timers for the next
  /// call.
  public func runDue(at time: Duration, _ goesOn: () -> Bool = { true }) {
    let last = Deadline(time: time.attoseconds, number: lastNumber.value)
    while let first, first.deadline.time <= last.time, first.deadline.number <= last.number {
      run(first.timer)
      guard goesOn() else { return }
    }
  }

  /// The first timer by current deadlines. It removes unset timers and sorts postponed ones first.
  private var first: TimerHeap.Node? {
    while let first = unsafe heap.first {
      guard let deadline = first.timer.deadline.value else {
        remove(first.timer)
        continue
      }
      if deadline.number == first.deadline.number { return first }
      unsafe heap.putOffFirst(to: deadline)
    }
    return nil
  }

  private func run(_ timer: ScheduledTimer) {
    timer.deadline.value = nil
    timer.action?()
  }

  /// Makes a deadline at a time, ordered after all deadlines made before.
  @usableFromInline
  func deadline(at time: Duration) -> Deadline {
    lastNumber.value += 1
    return Deadline(time: time.attoseconds, number: lastNumber.value)
  }

  func arm(_ timer: ScheduledTimer, _ deadline: Deadline) {
    guard timer.action != nil else { return }
    timer.deadline.value = deadline
    if timer.slot < 0 {
      unsafe heap.insert(timer, deadline)
    } else {
      unsafe heap.hasten(timer.slot, to: deadline)
    }
  }

  func remove(_ timer: ScheduledTimer) {
    let slot = timer.slot
    guard slot >= 0 else { return }
    timer.slot = -1
    unsafe heap.remove(slot)
  }
}
