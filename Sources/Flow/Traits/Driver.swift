/// A state: a value over time that always has a current value.
///
/// A subscriber receives the current value first, and then each value that differs from the previous one. A driver
/// never fails and never ends. Drivers are parts of the state of a ``Feedback``, or are made of streams by
/// ``ObservableConvertible/asDriver(startingWith:onFailure:)``.
///
/// ```swift
/// let issue: Driver<Issue?> = state.issue.value
/// let title = issue.map { $0?.title ?? "" }
/// ```
/// Nothing is computed between turns. At the end of a turn, each subscriber reads its part of the state and compares
/// it.
@dynamicMemberLookup
public struct Driver<Value> {
  /// The turn at whose end the value may change.
  @usableFromInline package let turn: Turn
  @usableFromInline let read: () -> Value
  /// Makes a closure that is called at the end of each turn. The closure sends the value the first time, and later
  /// whenever it has changed.
  @usableFromInline package let follow: (_ send: @escaping (Value) -> Void) -> () -> Void

  @inlinable
  init(
    _ turn: Turn, read: @escaping () -> Value, follow: @escaping (_ send: @escaping (Value) -> Void) -> () -> Void
  ) {
    self.turn = turn
    self.read = read
    self.follow = follow
  }

  /// Makes a driver without a value. Only its turn is used, to find the name of an output.
  package init(withoutValueIn turn: Turn) {
    // Only a bug in this library reads its value. A throwing `read` would make the value of every driver throw.
    self.init(turn, read: { fatalError("a driver without a value was read") }, follow: { _ in {} })
  }

  /// Calls `read` at the end of each turn, and compares the results.
  @inlinable
  init(_ turn: Turn, read: @escaping () -> Value) where Value: Equatable {
    self.init(turn, read: read, areSame: ==)
  }

  /// Calls `read` at the end of each turn, and compares the versions of the results.
  @inlinable
  init(_ turn: Turn, read: @escaping () -> Value) where Value: Versioned {
    self.init(turn, read: read) { $0.isSameVersion(as: $1) }
  }

  @inlinable
  init(_ turn: Turn, read: @escaping () -> Value, areSame: @escaping (Value, Value) -> Bool) {
    self.init(
      turn, read: read,
      follow: { send in
        let last = Box<Value?>(nil)
        return {
          let value = read()
          if let last = last.value, areSame(last, value) { return }
          last.value = value
          send(value)
        }
      })
  }

  /// The current value.
  @inlinable
  public var value: Value { read() }

  /// The stream of values. It starts with the current value and has no end.
  @inlinable
  public func asObservable() -> Observable<Value> {
    turn.recordObserver()
    return observable
  }

  /// The stream of an output's values.
  @inlinable
  package var observable: Observable<Value> {
    Observable(
      source: .state(
        current: read,
        stream: { sink, lifetime in
          turn.join(lifetime)
          guard lifetime.isActive else { return }
          let check = follow(sink.next)
          turn.listeners.add(Sink(next: check, end: { _ in }), lifetime)
          check()
        }))
  }

  /// Subscribes to the current value, and then to each value that differs from the previous one. The result ends the
  /// subscription. Releasing it doesn't; a ``DisposeBag`` ends the subscriptions in it when it is deallocated.
  @inlinable
  public func subscribe(onNext: @escaping (Value) -> Void) -> any Disposable {
    asObservable().subscribe(onNext: onNext)
  }
}

extension Driver {
  /// A driver of a value computed from this one. `transform` runs only if this value has changed.
  @inlinable
  public func map<Result: Equatable>(_ transform: @escaping (Value) -> Result) -> Driver<Result> {
    Driver<Result>(
      turn, read: { transform(read()) },
      follow: { send in
        let last = Box<Result?>(nil)
        return follow { value in
          let result = transform(value)
          if let last = last.value, last == result { return }
          last.value = result
          send(result)
        }
      })
  }

  /// A driver of one property of the value.
  @inlinable
  public subscript<Part: Equatable>(dynamicMember path: KeyPath<Value, Part>) -> Driver<Part> {
    map { $0[keyPath: path] }
  }
}

extension Driver {
  /// Unavailable: a driver always has a current value, so its values can't be left out.
  @available(*, unavailable, message: "a driver always has a value: map it to an optional, or asObservable().filter(…)")
  public func filter(_ isIncluded: (Value) -> Bool) -> Driver { self }
}

extension Driver where Value: Equatable {
  /// A driver that never changes.
  @inlinable
  public static func just(_ value: Value) -> Driver { Driver(Turn()) { value } }
}
