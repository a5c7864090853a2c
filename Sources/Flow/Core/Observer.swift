/// What takes events: an ``Observer``, a subject, or whatever else something can be fed through.
public protocol ObserverType<Element> {
  /// What its values are.
  associatedtype Element

  /// Takes an event.
  ///
  /// - Parameter event: a value or the end.
  func on(_ event: Event<Element>)
}

/// What a hand-made stream is fed through, see ``ObservableConvertible/create(_:)``.
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

  /// Emits a value, unless ``isDisposed``.
  ///
  /// - Parameter element: the value.
  @inlinable
  public func onNext(_ element: Element) {
    if !isDisposed {
      sink.next(element)
    }
  }

  /// Ends the stream by failure, unless ``isDisposed``.
  ///
  /// - Parameter error: the failure.
  @inlinable
  public func onError(_ error: any Error) {
    end(error)
  }

  /// Ends the stream well, unless ``isDisposed``.
  @inlinable
  public func onCompleted() {
    end(nil)
  }

  /// Emits an event, unless ``isDisposed``.
  ///
  /// - Parameter event: a value or the end.
  @inlinable
  public func on(_ event: Event<Element>) {
    switch event {
    case .next(let element): onNext(element)
    case .error(let error): end(error)
    case .completed: end(nil)
    }
  }

  @inlinable
  func end(_ failure: (any Error)?) {
    guard !isDisposed else { return }
    hasEnded.value = true
    sink.end(failure)
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
