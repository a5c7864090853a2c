extension ObservableConvertible {
  /// The stream as a state, with a current value before it has sent one. It is subscribed to once, from the first
  /// subscriber to the last. A failure that ends it makes the last value; an end without a failure leaves the value as
  /// it is.
  @inlinable
  public func asDriver(
    startingWith initial: Element, onFailure: @escaping (any Error) -> Element
  ) -> Driver<Element> where Element: Equatable {
    Driver(asObservable(), current: Box(initial), onFailure: onFailure)
  }

  /// The stream as things that happen. It is subscribed to once, from the first subscriber to the last. A failure that
  /// ends it makes a last value, or nil for none.
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
  /// The subject's value as a state. If the subject fails, the value stays as it is.
  @inlinable
  public func asDriver() -> Driver<Element> {
    Driver(asObservable(), current: latest) { [latest] _ in latest.value }
  }
}

extension Driver where Value: Equatable {
  /// A driver of what a stream has sent last, which is subscribed to as long as somebody listens.
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
