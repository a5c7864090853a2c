/// Where time comes from: the event loop's clock in a program, a virtual one in a test.
///
/// Nothing else in this package reads a clock, so the same inputs at the same times give the same outputs.
public protocol Scheduler: AnyObject {
  /// The time since the scheduler's start.
  var now: Duration { get }

  /// What is to run later. The scheduler runs it when its time has come.
  var timers: TimerQueue { get }
}

extension Scheduler {
  /// Runs an action once, later.
  ///
  /// - Parameters:
  ///   - delay: how long from now; zero or less runs it as soon as the scheduler gets to run anything.
  ///   - action: what to run.
  /// - Returns: what calls it off.
  @inlinable
  public func schedule(after delay: Duration, _ action: @escaping () -> Void) -> any Disposable {
    let timer = timer(action)
    timer.arm(after: delay)
    return timer
  }

  /// Makes a timer that can be set again and again, without an allocation.
  ///
  /// - Parameter action: what runs whenever the time it is set to has come.
  /// - Returns: a timer that is not set.
  @inlinable
  public func timer(_ action: @escaping () -> Void) -> ScheduledTimer {
    ScheduledTimer(on: self, action)
  }
}
