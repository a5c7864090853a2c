/// An action, and the time at which it runs. The time can be set, changed and unset. ``Scheduler/timer(_:)`` makes
/// timers.
///
/// Changing the time to a later one costs two stores, so it is cheap to postpone a timer at every event.
public final class ScheduledTimer: Disposable {
  private let scheduler: any Scheduler
  @usableFromInline let queue: TimerQueue
  var action: (() -> Void)?
  /// The time at which the action runs; nil if the timer isn't set.
  let deadline = Box<TimerQueue.Deadline?>(nil)
  /// The timer's slot in the queue; negative if it isn't in the queue.
  var slot = -1

  @usableFromInline
  init(on scheduler: any Scheduler, _ action: @escaping () -> Void) {
    self.scheduler = scheduler
    self.action = action
    queue = scheduler.timers
  }

  /// Whether a program that ends doesn't wait for this timer, as for a tick that repeats. See ``TimerQueue/isIdle``.
  public var isInBackground = false

  /// Whether the timer is set.
  public var isArmed: Bool { deadline.value != nil }

  /// Sets the timer to a delay from now, and replaces the time that was set before.
  public func arm(after delay: Duration) { arm(at: scheduler.now + delay) }

  /// Sets the timer to a time of the scheduler, and replaces the time that was set before. If the time is over, the
  /// action runs as soon as possible.
  public func arm(at time: Duration) { arm(queue.deadline(at: time)) }

  /// Sets the timer to a deadline that was reserved before.
  @usableFromInline
  func arm(_ deadline: TimerQueue.Deadline) { queue.arm(self, deadline) }

  /// Unsets the timer.
  public func disarm() { deadline.value = nil }

  /// Unsets the timer permanently, and releases the action.
  public func dispose() {
    deadline.value = nil
    queue.remove(self)
    let last = action
    action = nil
    withExtendedLifetime(last) {}
  }
}
