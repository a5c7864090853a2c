/// Nothing came in time. See ``ObservableConvertible/timeout(_:on:)``.
public struct TimeoutError: Error, Equatable {
  /// How long nothing came.
  public let interval: Duration

  /// Says that nothing came.
  @inlinable
  public init(interval: Duration) { self.interval = interval }
}

extension ObservableConvertible {
  /// Fails with ``TimeoutError`` when no value came for some time, counted from the subscription and from each value.
  @inlinable
  public func timeout(_ interval: Duration, on scheduler: any Scheduler) -> Observable<Element> {
    timeout(interval, other: .error(TimeoutError(interval: interval)), on: scheduler)
  }

  /// Goes over to another stream when no value came for some time, counted from the subscription and from each value.
  /// Time does not matter to the other.
  @inlinable
  public func timeout(
    _ interval: Duration, other: some ObservableConvertible<Element>, on scheduler: any Scheduler
  ) -> Observable<Element> {
    timeout(interval, other: other, on: scheduler) { _ in }
  }

  /// Goes over to another stream when no value came for some time, as above. The time also begins again whenever the function
  /// is called that `onStart` receives: when there is a sign that a value is to come.
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
