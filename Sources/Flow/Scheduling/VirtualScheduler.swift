/// A clock that stands still until it is told to go on: the time of tests and of replays.
///
/// ```swift
/// let clock = VirtualScheduler()
/// let late = clock.schedule(after: .seconds(2)) { print("two seconds") }
/// clock.advance(by: .seconds(1))
/// clock.advance(by: .seconds(1))  // prints
/// ```
public final class VirtualScheduler: Scheduler {
  /// The time since the start. While a timer runs it is the time at which that timer was due.
  public var now: Duration { time.value }
  /// What is to run later.
  public let timers = TimerQueue()
  private let time = Box(Duration.zero)

  /// A clock at zero.
  public init() {}

  /// Lets time pass, running what is due on the way, in order.
  ///
  /// - Parameter duration: how much time.
  public func advance(by duration: Duration) {
    run(until: now + duration)
  }

  /// Lets time pass until a time, running what is due on the way and at that time, in order.
  ///
  /// - Parameters:
  ///   - time: the time it will be; one that has passed changes nothing.
  ///   - step: called after each timer that ran.
  public func run(until time: Duration, afterEach step: () -> Void = {}) {
    while let due = timers.nextDue, due <= time {
      self.time.value = max(now, due)
      _ = timers.runNext(at: now)
      step()
    }
    self.time.value = max(now, time)
  }

  /// Lets time pass until nothing is left to run. With a timer that sets itself again this does not return.
  public func run() {
    while let due = timers.nextDue {
      self.time.value = max(now, due)
      _ = timers.runNext(at: now)
    }
  }
}
