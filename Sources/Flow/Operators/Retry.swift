extension ObservableConvertible {
  /// Subscribes again when the source fails, at most `count` times. The next failure is forwarded.
  @inlinable
  public func retry(_ count: Int = .max) -> Observable<Element> {
    Observable { sink, lifetime in
      let left = Box(count)
      return self.retry { failures in
        failures.flatMap { failure in
          guard left.value > 0 else { return Observable<Void>.error(failure) }
          left.value -= 1
          return .just(())
        }
      }.run(sink, lifetime)
    }
  }

  /// Subscribes again after failures, controlled by another stream.
  ///
  /// ```swift
  /// load.retry { failures in failures.flatMap { _ in .timer(.seconds(1), on: clock) } }
  /// ```
  ///
  /// - Parameter when: receives the stream of failures, and returns a stream. Each value of that stream subscribes to
  ///   the source again, if no attempt is running. When that stream ends, the result ends in the same way, but a
  ///   running attempt finishes first. So `failures.take(2)` allows two more attempts.
  /// - Returns: the values of all attempts.
  @inlinable
  public func retry<Signal>(
    when: @escaping (Observable<any Error>) -> Observable<Signal>
  ) -> Observable<Element> {
    let source = asObservable()
    return Observable { sink, lifetime in
      let retry = Retry(source, sink, lifetime.makeChild())
      let signals = retry.group.makeChild()
      when(retry.failures.asObservable()).run(
        Sink { _ in
          retry.proceed()
        } end: { failure in
          retry.group.drop(signals)
          retry.end(Event(end: failure))
        }, signals)
      retry.run()
    }
  }
}

/// The attempts of a `retry`, one after the other.
@usableFromInline
final class Retry<Element> {
  @usableFromInline let source: Observable<Element>
  @usableFromInline let sink: Sink<Element>
  @usableFromInline let group: Lifetime
  @usableFromInline let failures = PublishSubject<any Error>()
  /// The current attempt; nil between attempts. The first one exists from the start.
  @usableFromInline let attempt: Box<Lifetime?>
  @usableFromInline let isStarting = Box(false)
  /// The end of the controlling stream; nil before.
  @usableFromInline let ending = Box<Event<Never>?>(nil)

  @inlinable
  init(_ source: Observable<Element>, _ sink: Sink<Element>, _ group: Lifetime) {
    self.source = source
    self.sink = sink
    self.group = group
    attempt = Box(group.makeChild())
  }

  /// Starts an attempt, unless one is running.
  @inlinable
  func proceed() {
    guard attempt.value == nil else { return }
    attempt.value = group.makeChild()
    run()
  }

  /// Runs attempts. It is a loop, because recursion would deepen the stack if attempts fail immediately.
  @inlinable
  func run() {
    guard !isStarting.value else { return }
    isStarting.value = true
    var last: Lifetime?
    while group.isActive, let current = attempt.value, current !== last {
      last = current
      source.run(
        Sink(next: sink.next) { failure in
          self.group.drop(current)
          self.attempt.value = nil
          guard let failure else { return self.end(.completed) }
          if let ending = self.ending.value {
            self.end(ending)
          } else {
            self.failures.onNext(failure)
          }
        }, current)
    }
    isStarting.value = false
  }

  /// Ends now, or after the current attempt.
  @inlinable
  func end(_ event: Event<Never>) {
    ending.value = event
    guard attempt.value == nil else { return }
    group.dispose()
    sink.end(event.error)
  }
}
