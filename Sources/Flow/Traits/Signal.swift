/// Things that happen: no current value, none for whoever comes late, and none lost.
///
/// It never fails and never ends. Signals come from the inputs and the work of a ``Feedback``, or are made of streams by
/// ``ObservableConvertible/asSignal(onFailure:)``.
///
/// ```swift
/// let saved: Signal<Void> = state.finished(\.saving)
/// ```
public struct Signal<Value> {
  /// Whose turns it belongs to; nil for a signal that belongs to none.
  @usableFromInline package let turn: Turn?
  @usableFromInline let run: (_ send: @escaping (Value) -> Void, Lifetime) -> Void

  @inlinable
  init(_ turn: Turn?, _ run: @escaping (_ send: @escaping (Value) -> Void, Lifetime) -> Void) {
    self.turn = turn
    self.run = run
  }

  /// One that stands for a signal elsewhere.
  package init(withoutValuesIn turn: Turn) { self.init(turn) { _, _ in } }

  /// A signal that never sends anything.
  @inlinable
  public static func never() -> Signal { Signal(nil) { _, _ in } }

  /// The stream of values, without an end.
  @inlinable
  public func asObservable() -> Observable<Value> {
    Observable { sink, lifetime in run(sink.next, lifetime) }
  }

  /// Subscribes to each value from now on. What is returned ends the subscription. Letting it go does not; a
  /// ``DisposeBag`` does when it goes away.
  @inlinable
  public func subscribe(onNext: @escaping (Value) -> Void) -> any Disposable {
    asObservable().subscribe(onNext: onNext)
  }

  /// Puts each value through a function.
  @inlinable
  public func map<Result>(_ transform: @escaping (Value) -> Result) -> Signal<Result> {
    Signal<Result>(turn) { send, lifetime in run({ send(transform($0)) }, lifetime) }
  }

  /// Sends the values that meet a condition.
  @inlinable
  public func filter(_ isIncluded: @escaping (Value) -> Bool) -> Signal {
    Signal(turn) { send, lifetime in
      run(
        { value in
          if isIncluded(value) { send(value) }
        }, lifetime)
    }
  }

  /// Puts each value through a function, and leaves out those of which it makes nil.
  @inlinable
  public func compactMap<Result>(_ transform: @escaping (Value) -> Result?) -> Signal<Result> {
    Signal<Result>(turn) { send, lifetime in
      run(
        { value in
          if let result = transform(value) { send(result) }
        }, lifetime)
    }
  }
}

/// Sends what any of the signals sends.
@inlinable
public func merge<Value>(_ signals: Signal<Value>...) -> Signal<Value> {
  let turns = signals.compactMap(\.turn)
  return Signal(turns.first.map { first in turns.dropFirst().reduce(first) { $0.joined(with: $1) } }) {
    send, lifetime in
    for signal in signals { signal.run(send, lifetime) }
  }
}
