/// A stream: values over time that subscribers receive, as in ReactiveX.
///
/// A stream does nothing until it has a subscriber. Each subscriber starts it again, unless the stream comes from a
/// subject or is shared. Streams live on one thread, without locks and without queues: when a call that emits an event
/// returns, all subscribers have received that event.
///
/// ```swift
/// let words = PublishSubject<String>()
/// let bag = DisposeBag()
/// words.map(\.count).scan(0, +).subscribe(onNext: { print($0) }).disposed(by: bag)
/// words.onNext("so")  // prints 2
/// words.onNext("far")  // prints 5
/// ```
public struct Observable<Element> {
  /// The way to subscribe. Some kinds of streams allow shortcuts: `flatMap` and similar operators needn't subscribe to
  /// a stream that is known in advance, such as `just`. `withLatestFrom` needn't subscribe to a state, whose value it
  /// can read. Operators can take a composed stream apart.
  @usableFromInline
  enum Source {
    case just(Element)
    case empty
    case never
    case error(any Error)
    case stream((Sink<Element>, Lifetime) -> Void)
    case state(current: () -> Element, stream: (Sink<Element>, Lifetime) -> Void)
    case composed(Composition<Element>)
  }

  @usableFromInline let source: Source

  @inlinable
  init(source: Source) { self.source = source }

  /// A stream that calls `run` for each subscriber. The closure must follow the rules of ``Lifetime``.
  @inlinable
  init(_ run: @escaping (Sink<Element>, Lifetime) -> Void) { source = .stream(run) }

  /// Subscribes a sink. The caller disposes of the lifetime.
  @inlinable
  func run(_ sink: Sink<Element>, _ lifetime: Lifetime) {
    guard lifetime.isActive else { return }
    switch source {
    case .just(let element):
      sink.next(element)
      if lifetime.isActive { sink.end(nil) }
    case .empty: sink.end(nil)
    case .never: break
    case .error(let error): sink.end(error)
    case .stream(let run), .state(_, let run): run(sink, lifetime)
    case .composed(let composition): composition.subscribe(composition, sink, lifetime)
    }
  }
}

/// Something that can be used as a stream: an ``Observable`` or a subject. Every operator can be called on it.
public protocol ObservableConvertible<Element> {
  /// The type of the values.
  associatedtype Element

  /// The stream.
  func asObservable() -> Observable<Element>
}

extension Observable: ObservableConvertible {
  /// The stream itself.
  @inlinable
  public func asObservable() -> Observable<Element> { self }
}

extension ObservableConvertible {
  /// Subscribes to the stream.
  ///
  /// - Parameters:
  ///   - onNext: receives each value.
  ///   - onError: receives the failure, if the stream ends by one.
  ///   - onCompleted: is called if the stream ends without a failure.
  /// - Returns: a disposable that ends the subscription. Releasing it doesn't end the subscription; a ``DisposeBag``
  ///   ends the subscriptions in it when it is deallocated.
  @inlinable
  public func subscribe(
    onNext: ((Element) -> Void)? = nil, onError: ((any Error) -> Void)? = nil, onCompleted: (() -> Void)? = nil
  ) -> any Disposable {
    let lifetime = Lifetime()
    let onNext = onNext ?? { _ in }
    let sink = Sink<Element> { element in
      if lifetime.isActive { onNext(element) }
    } end: { failure in
      guard lifetime.isActive else { return }
      lifetime.end()
      if let failure {
        onError?(failure)
      } else {
        onCompleted?()
      }
      lifetime.dispose()
    }
    asObservable().run(sink, lifetime)
    return lifetime
  }

  /// Subscribes one closure to both values and the end. Otherwise like ``subscribe(onNext:onError:onCompleted:)``.
  @inlinable
  public func subscribe(_ onEvent: @escaping (Event<Element>) -> Void) -> any Disposable {
    subscribe { element in
      onEvent(.next(element))
    } onError: { error in
      onEvent(.error(error))
    } onCompleted: {
      onEvent(.completed)
    }
  }
}

extension ObservableConvertible {
  /// Makes an operator of the most common kind: values go to a closure, and the end of the source is the end of the
  /// result. The closure is made for each subscriber, so it may keep state, such as a count.
  @inlinable
  func eachValue<Result>(_ receiver: @escaping (Sink<Result>) -> (Element) -> Void) -> Observable<Result> {
    let source = asObservable()
    return Observable<Result> { sink, lifetime in
      source.run(Sink(next: receiver(sink), end: sink.end), lifetime)
    }
  }
}
