/// The timers of a scheduler, ordered by due time, and those due at the same time by when they were set.
///
/// A scheduler sleeps until ``nextDue`` and then calls ``runDue(at:_:)``.
///
/// It is a binary heap. A timer that is unset, or set later, stays where it is until it comes to the top, and is dropped
/// or sunk then: that makes the two cheap, and both are what `debounce` and `timeout` do at each event.
public final class TimerQueue {
  /// A due time, and a number that tells apart those due at the same time.
  @usableFromInline
  struct Deadline: Comparable {
    /// In attoseconds, because the comparison of durations is a call and that of numbers is not.
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

  /// Not checked for overlapping accesses, of which there are none: the heap's functions call nobody else's code. It lets
  /// go of a timer only while the caller holds it.
  @exclusivity(unchecked)
  private var heap = TimerHeap()
  private let lastNumber = Box(0)
  /// The feedbacks that a view model makes while its view is opened; nil while none is opened.
  var madeFeedbacks: [MadeFeedback]?

  #if DEBUG || CHECK_INVARIANTS
    /// Called when a feedback begins to carry out a rule, with the rule's name; nil when its turn has ended.
    @usableFromInline package var ruleChanged: ((String?) -> Void)?
  #endif

  /// An empty queue.
  public init() {}

  /// Whether no timer is set; for sure only if it says so. It costs less to ask than ``nextDue``.
  public var isEmpty: Bool { unsafe heap.isEmpty }

  /// Whether no timer is set but such as are in the background: whatever began and needs time is over.
  public var isIdle: Bool { unsafe heap.allSatisfy { $0.isInBackground || !$0.isArmed } }

  /// When the first timer is due; nil if none is set.
  public var nextDue: Duration? {
    first.map { Duration(attoseconds: $0.deadline.time) }
  }

  /// Runs the first timer, if it is due now; says whether it was.
  public func runNext(at time: Duration) -> Bool {
    guard let first, first.deadline.time <= time.attoseconds else { return false }
    run(first.timer)
    return true
  }

  /// Runs the timers that are due. Those set meanwhile wait for the next call, so that a timer which sets itself to now
  /// cannot keep its scheduler from everything else. `goesOn` is asked after each timer; false leaves the rest for the
  /// next call.
  public func runDue(at time: Duration, _ goesOn: () -> Bool = { true }) {
    let last = Deadline(time: time.attoseconds, number: lastNumber.value)
    while let first, first.deadline.time <= last.time, first.deadline.number <= last.number {
      run(first.timer)
      guard goesOn() else { return }
    }
  }

  /// The timer that is first by what it is set to now.
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

  /// The place in time of something decided now.
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
