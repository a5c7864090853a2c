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
