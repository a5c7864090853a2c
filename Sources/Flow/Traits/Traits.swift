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
  @usableFromInline package let turns: Turns
  @usableFromInline let read: () -> Value
  /// Makes what is to be called at the end of each turn: it sends the value the first time, and then if it is another.
  @usableFromInline let follow: (_ send: @escaping (Value) -> Void) -> () -> Void

  @inlinable
  init(
    _ turns: Turns, read: @escaping () -> Value, follow: @escaping (_ send: @escaping (Value) -> Void) -> () -> Void
  ) {
    self.turns = turns
    self.read = read
    self.follow = follow
  }

  /// One that stands for a driver elsewhere: of those its place among the outputs is asked alone.
  package init(withoutValueIn turns: Turns) {
    // It has no value to give, and who asks for one is a mistake of this library's.
    self.init(turns, read: { fatalError("a driver without a value was read") }, follow: { _ in {} })
  }

  /// Reads something at the end of each turn.
  @inlinable
  init(_ turns: Turns, read: @escaping () -> Value) where Value: Equatable {
    self.init(turns, read: read, areSame: ==)
  }

  /// Reads something at the end of each turn, and compares versions of it.
  @inlinable
  init(_ turns: Turns, read: @escaping () -> Value) where Value: Versioned {
    self.init(turns, read: read) { $0.isSameVersion(as: $1) }
  }

  @inlinable
  init(_ turns: Turns, read: @escaping () -> Value, areSame: @escaping (Value, Value) -> Bool) {
    self.init(
      turns, read: read,
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
    Observable(
      source: .state(
        current: read,
        stream: { sink, lifetime in
          turns.join(lifetime)
          guard lifetime.isActive else { return }
          let check = follow(sink.next)
          turns.listeners.add(Sink(next: check, end: { _ in }), lifetime)
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
      turns, read: { transform(read()) },
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

extension Driver where Value: Equatable {
  /// A driver that never changes.
  @inlinable
  public static func just(_ value: Value) -> Driver { Driver(Turns()) { value } }
}

/// A value that has versions which are compared faster than what they hold, such as a long list.
public protocol Versioned: Equatable {
  /// Whether nothing has changed between two values, as far as can be told at once: false leaves it open.
  func isSameVersion(as other: Self) -> Bool
}

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
  @usableFromInline package let turns: Turns?
  @usableFromInline let run: (_ send: @escaping (Value) -> Void, Lifetime) -> Void

  @inlinable
  init(_ turns: Turns?, _ run: @escaping (_ send: @escaping (Value) -> Void, Lifetime) -> Void) {
    self.turns = turns
    self.run = run
  }

  /// One that stands for a signal elsewhere.
  package init(withoutValuesIn turns: Turns) { self.init(turns) { _, _ in } }

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
    Signal<Result>(turns) { send, lifetime in run({ send(transform($0)) }, lifetime) }
  }

  /// Puts each value through a function, and leaves out those of which it makes nil.
  @inlinable
  public func compactMap<Result>(_ transform: @escaping (Value) -> Result?) -> Signal<Result> {
    Signal<Result>(turns) { send, lifetime in
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
  let turns = signals.compactMap(\.turns)
  return Signal(turns.first.map { first in turns.dropFirst().reduce(first) { $0.joined(with: $1) } }) {
    send, lifetime in
    for signal in signals { signal.run(send, lifetime) }
  }
}

/// When what drivers and signals come from has changed, and whether anybody listens.
///
/// A ``Feedback`` has one, and so has a stream that was made a driver. What it announces is the end of a turn: then each
/// driver's subscriber looks whether its value is another one. What has to run while somebody listens is started with the
/// first subscriber and stopped with the last.
@usableFromInline
package final class Turns {
  @usableFromInline let listeners = Subscribers<Void>()
  @usableFromInline var start: () -> Void = {}
  @usableFromInline var stop: () -> Void = {}
  /// What starts and stops, which has this and is kept while anybody listens.
  @usableFromInline weak var owner: AnyObject?
  /// The call that a value is sent for, while it is sent. Not checked for overlapping accesses, of which there are none: it
  /// is read and set as a whole.
  @exclusivity(unchecked) @usableFromInline package var call: WaitingCall?
  private var members = 0
  private var holds = 0
  private var hasStarted = false
  /// Those that are announced together here.
  @usableFromInline var parts: [Turns] = []
  /// Takes what an author has to know and no caller can be told. The first one that is set stays.
  package private(set) var onModelError: ((String) -> Void)?

  @usableFromInline
  package init() {}

  /// What its owner finds wrong with the rules.
  @usableFromInline var findModelErrors: () -> [String] = { [] }
  /// What is wrong with the rules of what it comes from, for who wrote them.
  package var errors: [String] { findModelErrors() + parts.flatMap(\.errors) }

  /// Whether its owner has a run under way.
  @usableFromInline var hasRuns: () -> Bool = { false }
  /// Whether a run of any work is under way that it comes from.
  package var isWorking: Bool { hasRuns() || parts.contains(where: \.isWorking) }

  /// Sets who is told of the author's errors, where nobody is.
  package func reportErrors(to take: @escaping (String) -> Void) {
    if onModelError == nil { onModelError = take }
    for part in parts { part.reportErrors(to: take) }
  }

  /// The call that a value is sent for, here or in what is announced here.
  @usableFromInline
  var currentCall: WaitingCall? { unsafe call ?? parts.lazy.compactMap(\.currentCall).first }

  /// Announces the end of a turn.
  @inlinable
  func end() { listeners.next(()) }

  /// Counts a subscriber for as long as it lives.
  @usableFromInline
  func join(_ lifetime: Lifetime) {
    guard lifetime.isActive else { return }
    members += 1
    lifetime.add(
      AnyDisposable { [self, owner] in
        members -= 1
        update()
        withExtendedLifetime(owner) {}
      })
    update()
  }

  /// Doesn't start before ``release()``, however many subscribe meanwhile: what happens at the start reaches them all.
  package func hold() {
    holds += 1
    for part in parts { part.hold() }
  }

  /// Ends a ``hold()``.
  package func release() {
    holds -= 1
    update()
    for part in parts { part.release() }
  }

  private func update() {
    if !hasStarted, members > 0, holds == 0 {
      hasStarted = true
      start()
    } else if hasStarted, members == 0 {
      hasStarted = false
      stop()
    }
  }
}
