/// No value came in time. See ``ObservableConvertible/timeout(_:on:)``.
public struct TimeoutError: Error, Equatable {
  /// The time without a value.
  public let interval: Duration

  /// Makes an error for a time without a value.
  @inlinable
  public init(interval: Duration) { self.interval = interval }
}

extension ObservableConvertible {
  /// Fails with ``TimeoutError`` if there is no value for some time, counted from the subscription and from each value.
  @inlinable
  public func timeout(_ interval: Duration, on scheduler: any Scheduler) -> Observable<Element> {
    timeout(interval, other: .error(TimeoutError(interval: interval)), on: scheduler)
  }

  /// Switches to another stream if there is no value for some time, counted from the subscription and from each value.
  /// The other stream has no time limit.
  @inlinable
  public func timeout(
    _ interval: Duration, other: some ObservableConvertible<Element>, on scheduler: any Scheduler
  ) -> Observable<Element> {
    timeout(interval, other: other, on: scheduler) { _ in }
  }

  /// Switches to another stream if there is no value for some time, counted from the subscription and from each value.
  /// `onStart` receives a function that restarts the time. Call it at a sign that a value is coming.
  @inlinable
  public func timeout(
    _ interval: Duration, other: some ObservableConvertible<Element>, on scheduler: any Scheduler,
    onStart: @escaping (_ restart: @escaping () -> Void) -> Void
  ) -> Observable<Element> {
    let source = asObservable()
    let other = other.asObservable()
    return Observable { sink, lifetime in
      let upstream = lifetime.makeChild()
      let timer = scheduler.timer {
        lifetime.drop(upstream)
        other.run(sink, lifetime)
      }
      upstream.add(timer)
      timer.arm(after: interval)
      onStart { [weak timer] in if let timer, timer.isArmed { timer.arm(after: interval) } }
      source.run(
        Sink { element in
          timer.arm(after: interval)
          sink.next(element)
        } end: { failure in
          lifetime.drop(upstream)
          sink.end(failure)
        }, upstream)
    }
  }
}
