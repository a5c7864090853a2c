/// What a stream says: any number of values, and then at most one end.
///
/// The grammar `next* (error | completed)?` is ReactiveX's, and every source and operator here keeps to it.
@frozen
public enum Event<Element> {
  /// A value.
  case next(Element)
  /// The end, by failure.
  case error(any Error)
  /// The end, by success.
  case completed

  /// The value, if this is one.
  @inlinable
  public var element: Element? {
    if case .next(let element) = self { element } else { nil }
  }

  /// The failure, if this is one.
  @inlinable
  public var error: (any Error)? {
    if case .error(let error) = self { error } else { nil }
  }
}

extension Event: Sendable where Element: Sendable {}

extension Event {
  /// The end that a ``Sink`` is told, as an event.
  @inlinable
  init(end failure: (any Error)?) { self = if let failure { .error(failure) } else { .completed } }
}

/// What takes events: an ``Observer``, a subject, or whatever else something can be fed through.
public protocol ObserverType<Element> {
  /// What its values are.
  associatedtype Element

  /// Takes an event.
  func on(_ event: Event<Element>)
}

extension ObserverType {
  /// Emits a value.
  @inlinable
  public func onNext(_ element: Element) { on(.next(element)) }

  /// Ends by failure.
  @inlinable
  public func onError(_ error: any Error) { on(.error(error)) }

  /// Ends well.
  @inlinable
  public func onCompleted() { on(.completed) }
}

/// What a hand-made stream is fed through, see ``ObservableConvertible/create(_:)``. It drops what comes after the end.
public final class Observer<Element>: ObserverType {
  @usableFromInline let sink: Sink<Element>
  @usableFromInline let lifetime: Lifetime
  @usableFromInline let hasEnded = Box(false)

  @inlinable
  init(_ sink: Sink<Element>, _ lifetime: Lifetime) {
    self.sink = sink
    self.lifetime = lifetime
  }

  /// Whether nobody listens any more: the stream has ended or was disposed of. What emits in a loop stops then.
  @inlinable
  public var isDisposed: Bool { hasEnded.value || !lifetime.isActive }

  /// Emits an event, unless ``isDisposed``.
  @inlinable
  public func on(_ event: Event<Element>) {
    guard !isDisposed else { return }
    if case .next(let element) = event { return sink.next(element) }
    hasEnded.value = true
    sink.end(event.error)
  }
}

extension ObservableConvertible {
  /// Makes a stream by hand.
  ///
  /// ```swift
  /// let ticks = Observable<Int>.create { observer in
  ///   let source = open { observer.onNext($0) }
  ///   return AnyDisposable { source.close() }
  /// }
  /// ```
  ///
  /// - Parameter subscribe: runs for each subscriber. It feeds the observer, now or later, and returns what releases
  ///   the source: disposed of once, after the end or when the subscriber leaves.
  /// - Returns: the stream.
  @inlinable
  public static func create<Value>(
    _ subscribe: @escaping (Observer<Value>) -> any Disposable
  ) -> Observable<Value> where Self == Observable<Value> {
    Observable { sink, lifetime in
      lifetime.add(subscribe(Observer(sink, lifetime)))
    }
  }
}
