extension ObservableConvertible {
  /// Makes a state of the stream. `initial` is its value until the stream sends one. The stream has a single
  /// subscription, which begins with the first subscriber of the driver and ends with the last. If the stream fails,
  /// `onFailure` makes the last value; if it completes, the value stays.
  @inlinable
  public func asDriver(
    startingWith initial: Element, onFailure: @escaping (any Error) -> Element
  ) -> Driver<Element> where Element: Equatable {
    Driver(asObservable(), current: Box(initial), onFailure: onFailure)
  }

  /// Makes a signal of the stream. The stream has a single subscription, which begins with the first subscriber of the
  /// signal and ends with the last. If the stream fails, `onFailure` makes a last value; if it returns nil, there is
  /// none.
  @inlinable
  public func asSignal(onFailure: @escaping (any Error) -> Element?) -> Signal<Element> {
    let shared = asObservable().share()
    return Signal(nil) { send, lifetime in
      shared.run(
        Sink(next: send) { failure in
          if let failure, let last = onFailure(failure), lifetime.isActive { send(last) }
        }, lifetime)
    }
  }
}

extension BehaviorSubject where Element: Equatable {
  /// The subject's value as a state. If the subject fails, the value stays.
  @inlinable
  public func asDriver() -> Driver<Element> {
    Driver(asObservable(), current: latest) { [latest] _ in latest.value }
  }
}

extension Driver where Value: Equatable {
  /// Makes a driver of the latest value of a stream. The stream is subscribed to while the driver has subscribers.
  @inlinable
  init(_ source: Observable<Value>, current: Box<Value>, onFailure: @escaping (any Error) -> Value) {
    let turn = Turn()
    let running = SerialDisposable()
    let take = { [unowned turn] value in
      current.value = value
      turn.end()
    }
    turn.start = {
      source.run(
        Sink(next: take) { failure in
          running.disposable = nil
          if let failure { take(onFailure(failure)) }
        }, running.renew())
    }
    turn.stop = { running.disposable = nil }
    self.init(turn) { current.value }
  }
}
