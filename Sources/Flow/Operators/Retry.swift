extension ObservableConvertible {
  /// Subscribes anew when the source fails.
  ///
  /// - Parameter count: how often at most; the failure after that is passed on.
  /// - Returns: the stream, over again at each failure.
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

  /// Subscribes anew after a failure, when told to.
  ///
  /// ```swift
  /// load.retry { failures in failures.flatMap { _ in .timer(.seconds(1), on: clock) } }
  /// ```
  ///
  /// - Parameter when: gets the stream of failures. Each value of the stream it returns subscribes to the source anew,
  ///   its end ends the result.
  /// - Returns: the stream, over again when told to.
  @inlinable
  public func retry<Signal>(
    when: @escaping (Observable<any Error>) -> Observable<Signal>
  ) -> Observable<Element> {
    let source = asObservable()
    return Observable { sink, lifetime in
      let retry = Retry(source, sink, lifetime.makeChild())
      let end = { (failure: (any Error)?) in
        retry.group.dispose()
        sink.end(failure)
      }
      when(retry.failures.asObservable()).run(
        Sink { _ in
          retry.proceed()
        } end: {
          end($0)
        }, retry.group)
      retry.proceed()
    }
  }
}

/// One attempt after the other.
@usableFromInline
final class Retry<Element> {
  @usableFromInline let source: Observable<Element>
  @usableFromInline let sink: Sink<Element>
  @usableFromInline let group: Lifetime
  @usableFromInline let failures = PublishSubject<any Error>()
  @usableFromInline let attempt = Box<Lifetime?>(nil)
  @usableFromInline let isStarting = Box(false)

  @inlinable
  init(_ source: Observable<Element>, _ sink: Sink<Element>, _ group: Lifetime) {
    self.source = source
    self.sink = sink
    self.group = group
  }

  /// Starts an attempt, unless one is under way. A loop, and no recursion: attempts that fail at once must not deepen
  /// the stack.
  @inlinable
  func proceed() {
    guard attempt.value == nil else { return }
    attempt.value = group.makeChild()
    guard !isStarting.value else { return }
    isStarting.value = true
    var last: Lifetime?
    while group.isActive, let current = attempt.value, current !== last {
      last = current
      source.run(
        Sink(next: sink.next) { failure in
          self.group.drop(current)
          self.attempt.value = nil
          if let failure {
            self.failures.onNext(failure)
          } else {
            self.group.dispose()
            self.sink.end(nil)
          }
        }, current)
    }
    isStarting.value = false
  }
}
