/// An action and the time to run it at, which can be set, set again and unset. Made by ``Scheduler/timer(_:)``.
///
/// Setting it later than it was set costs two stores, so an event that puts it off is cheap.
public final class ScheduledTimer: Disposable {
  private let scheduler: any Scheduler
  @usableFromInline let queue: TimerQueue
  var action: (() -> Void)?
  /// The time it is set to; nil when it is not set.
  let deadline = Box<TimerQueue.Deadline?>(nil)
  /// Where it is in the queue; negative when it is not there.
  var slot = -1

  @usableFromInline
  init(on scheduler: any Scheduler, _ action: @escaping () -> Void) {
    self.scheduler = scheduler
    self.action = action
    queue = scheduler.timers
  }

  /// Whether what it does is no reason to wait for it, as a tick isn't that comes again and again: see
  /// ``TimerQueue/isIdle``.
  public var isInBackground = false

  /// Whether it will run.
  public var isArmed: Bool { deadline.value != nil }

  /// Sets it to so long from now, in place of the time it may be set to.
  public func arm(after delay: Duration) { arm(at: scheduler.now + delay) }

  /// Sets it to a time as the scheduler counts it, in place of the one it may be set to. One that has passed means as
  /// soon as possible.
  public func arm(at time: Duration) { arm(queue.deadline(at: time)) }

  /// Sets it to a place in time that was taken before.
  @usableFromInline
  func arm(_ deadline: TimerQueue.Deadline) { queue.arm(self, deadline) }

  /// Unsets it.
  public func disarm() { deadline.value = nil }

  /// Unsets it for good, and lets the action go.
  public func dispose() {
    deadline.value = nil
    queue.remove(self)
    let last = action
    action = nil
    withExtendedLifetime(last) {}
  }
}
