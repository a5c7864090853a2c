/// A state: a value over time of which there always is a current one.
///
/// A subscriber gets the current value first, and from then on each that differs from the one before. It never fails and
/// never ends. Drivers are parts of the state of a ``Feedback``, or are made of streams by
/// ``ObservableConvertible/asDriver(startingWith:onFailure:)``.
///
/// ```swift
/// let issue: Driver<Issue?> = state.issue.value
/// let title = issue.map { $0?.title ?? "" }
/// ```
/// Nothing is computed between turns: at the end of a turn each subscriber reads its part and compares it.
@dynamicMemberLookup
public struct Driver<Value> {
  /// What it is read from.
  @usableFromInline package let turn: Turn
  @usableFromInline let read: () -> Value
  /// Makes what is to be called at the end of each turn: it sends the value the first time, and then if it is another.
  @usableFromInline package let follow: (_ send: @escaping (Value) -> Void) -> () -> Void

  @inlinable
  init(
    _ turn: Turn, read: @escaping () -> Value, follow: @escaping (_ send: @escaping (Value) -> Void) -> () -> Void
  ) {
    self.turn = turn
    self.read = read
    self.follow = follow
  }

  /// One that stands for a driver elsewhere: of those its place among the outputs is asked alone.
  package init(withoutValueIn turn: Turn) {
    // Only a mistake in this library reads its value. A throwing `read` would make every driver's value throw.
    self.init(turn, read: { fatalError("a driver without a value was read") }, follow: { _ in {} })
  }

  /// Reads something at the end of each turn.
  @inlinable
  init(_ turn: Turn, read: @escaping () -> Value) where Value: Equatable {
    self.init(turn, read: read, areSame: ==)
  }

  /// Reads something at the end of each turn, and compares versions of it.
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

  /// The stream of values, from the current one on, without an end.
  @inlinable
  public func asObservable() -> Observable<Value> {
    turn.recordObserver()
    return observable
  }

  /// The stream of values of an output.
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

  /// Subscribes to the current value, and then each that differs from the one before. What is returned ends the
  /// subscription. Letting it go does not; a ``DisposeBag`` does when it goes away.
  @inlinable
  public func subscribe(onNext: @escaping (Value) -> Void) -> any Disposable {
    asObservable().subscribe(onNext: onNext)
  }
}

extension Driver {
  /// A driver of something made of the value, which is made when the value has changed.
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

  /// A driver of a part of the value.
  @inlinable
  public subscript<Part: Equatable>(dynamicMember path: KeyPath<Value, Part>) -> Driver<Part> {
    map { $0[keyPath: path] }
  }
}

extension Driver {
  /// A driver always has a current value, so none can be left out.
  @available(*, unavailable, message: "a driver always has a value: map it to an optional, or asObservable().filter(…)")
  public func filter(_ isIncluded: (Value) -> Bool) -> Driver { self }
}

extension Driver where Value: Equatable {
  /// A driver that never changes.
  @inlinable
  public static func just(_ value: Value) -> Driver { Driver(Turn()) { value } }
}
