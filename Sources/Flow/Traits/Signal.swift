/// A stream of things that happen. It has no current value, a late subscriber receives no earlier values, and none is
/// lost.
///
/// A signal never fails and never ends. Signals come from the inputs and the work of a ``Feedback``, or are made of
/// streams by ``ObservableConvertible/asSignal(onFailure:)``.
///
/// ```swift
/// let saved: Signal<Void> = state.finished(\.saving)
/// ```
public struct Signal<Value> {
  /// The turn that the signal belongs to; nil for a signal outside any turn.
  @usableFromInline package let turn: Turn?
  @usableFromInline let run: (_ send: @escaping (Value) -> Void, Lifetime) -> Void

  @inlinable
  init(_ turn: Turn?, _ run: @escaping (_ send: @escaping (Value) -> Void, Lifetime) -> Void) {
    self.turn = turn
    self.run = run
  }

  /// Makes a signal that never sends. Only its turn is used, to find the name of an output.
  package init(withoutValuesIn turn: Turn) { self.init(turn) { _, _ in } }

  /// A signal that never sends anything.
  @inlinable
  public static func never() -> Signal { Signal(nil) { _, _ in } }

  /// The stream of values. It has no end.
  @inlinable
  public func asObservable() -> Observable<Value> {
    Observable { sink, lifetime in run(sink.next, lifetime) }
  }

  /// Subscribes to each value from now on. The result ends the subscription. Releasing it doesn't; a ``DisposeBag``
  /// ends the subscriptions in it when it is deallocated.
  @inlinable
  public func subscribe(onNext: @escaping (Value) -> Void) -> any Disposable {
    asObservable().subscribe(onNext: onNext)
  }

  /// Transforms each value by a function.
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

  /// Transforms each value by a function, and drops those for which it returns nil.
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

/// Sends the values of all the signals.
@inlinable
public func merge<Value>(_ signals: Signal<Value>...) -> Signal<Value> {
  let turns = signals.compactMap(\.turn)
  return Signal(turns.first.map { first in turns.dropFirst().reduce(first) { $0.joined(with: $1) } }) {
    send, lifetime in
    for signal in signals { signal.run(send, lifetime) }
  }
}
