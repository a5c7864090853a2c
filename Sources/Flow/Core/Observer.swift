/// A receiver of events: an ``Observer`` or a subject.
public protocol ObserverType<Element> {
  /// The type of the values.
  associatedtype Element

  /// Receives an event.
  func on(_ event: Event<Element>)
}

extension ObserverType {
  /// Emits a value.
  @inlinable
  public func onNext(_ element: Element) { on(.next(element)) }

  /// Ends the stream by a failure.
  @inlinable
  public func onError(_ error: any Error) { on(.error(error)) }

  /// Ends the stream by success.
  @inlinable
  public func onCompleted() { on(.completed) }
}

/// Emits the events of a stream made by ``ObservableConvertible/create(_:)``. It ignores events after the end.
public final class Observer<Element>: ObserverType {
  @usableFromInline let sink: Sink<Element>
  @usableFromInline let lifetime: Lifetime
  @usableFromInline let hasEnded = Box(false)

  @inlinable
  init(_ sink: Sink<Element>, _ lifetime: Lifetime) {
    self.sink = sink
    self.lifetime = lifetime
  }

  /// Whether the subscription is over, because the stream has ended or was disposed of. A loop that emits values checks
  /// this to know when to stop.
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
  /// Makes a stream whose events come from a closure.
  ///
  /// ```swift
  /// let ticks = Observable<Int>.create { observer in
  ///   let source = open { observer.onNext($0) }
  ///   return AnyDisposable { source.close() }
  /// }
  /// ```
  ///
  /// - Parameter subscribe: runs for each subscriber. It emits events through the observer, immediately or later. It
  ///   returns a disposable that releases the source. That is disposed of once: after the end, or when the subscriber
  ///   is disposed of.
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
