/// The source of time: the event loop's clock in a program, a virtual clock in a test.
///
/// Nothing else in this package reads a clock, so the same inputs at the same times produce the same outputs.
public protocol Scheduler: AnyObject {
  /// The time since the scheduler's start.
  var now: Duration { get }

  /// The timers that are set. The scheduler runs each one when it is due.
  var timers: TimerQueue { get }

  /// Runs asynchronous work in a separate task. The observer receives the value and completion, or the failure.
  /// ``ObservableConvertible/async(on:_:)`` makes a stream of it.
  ///
  /// The scheduler runs the observer, on its own thread. Disposing of the returned value cancels the task; the observer
  /// then receives nothing more.
  func run<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value, for observer: Observer<Value>)
    -> any Disposable

  /// Runs asynchronous work as ``run(_:for:)`` does, but a program whose input has ended doesn't wait for it. It is for
  /// feeds, which may be endless.
  func runInBackground<Value: Sendable>(
    _ work: @escaping @Sendable () async throws -> Value, for observer: Observer<Value>
  ) -> any Disposable

  /// Suspends asynchronous work for a duration of this scheduler's time. On a virtual clock it waits until a test moves
  /// the clock.
  ///
  /// ```swift
  /// let sleep = clock.sleep
  /// state.react(to: \.price) { _ in
  ///   try await sleep(.seconds(1))
  ///   return try await market.price()
  /// }
  /// ```
  /// It throws a `CancellationError` if its task is cancelled.
  var sleep: @Sendable (Duration) async throws -> Void { get }
}

extension Scheduler {
  /// Runs the work as ``run(_:for:)`` does. This default is for schedulers that never wait for work at the end.
  public func runInBackground<Value: Sendable>(
    _ work: @escaping @Sendable () async throws -> Value, for observer: Observer<Value>
  ) -> any Disposable {
    run(work, for: observer)
  }

  /// Waits by the system's clock, as an event loop does.
  public var sleep: @Sendable (Duration) async throws -> Void { { try await Task.sleep(for: $0) } }
}

extension Scheduler {
  /// Runs an action once, after a delay. With a delay of zero or less it runs as soon as the scheduler runs timers.
  @inlinable
  public func schedule(after delay: Duration, _ action: @escaping () -> Void) -> any Disposable {
    let timer = timer(action)
    timer.arm(after: delay)
    return timer
  }

  /// Makes a timer that isn't set. It can be set many times without an allocation.
  @inlinable
  public func timer(_ action: @escaping () -> Void) -> ScheduledTimer {
    ScheduledTimer(on: self, action)
  }
}
