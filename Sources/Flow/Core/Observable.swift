/// A stream: values over time to whoever subscribes, with the meaning ReactiveX gives it.
///
/// Nothing happens until somebody subscribes, and each subscriber starts it again, unless the stream comes from a subject
/// or is shared. Streams live on one thread, without locks and without queues: an event has reached everybody when the
/// call that emitted it returns.
///
/// ```swift
/// let words = PublishSubject<String>()
/// let bag = DisposeBag()
/// words.map(\.count).scan(0, +).subscribe(onNext: { print($0) }).disposed(by: bag)
/// words.onNext("so")  // prints 2
/// words.onNext("far")  // prints 5
/// ```
public struct Observable<Element> {
  /// How to subscribe. Streams known by heart let `flatMap` and its kin do without a subscription, a value that can be
  /// asked for lets `withLatestFrom` do without one, and those made of others show what they are made of.
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

  /// A stream that feeds the sink of each subscriber, by the rules of ``Lifetime``.
  @inlinable
  init(_ run: @escaping (Sink<Element>, Lifetime) -> Void) { source = .stream(run) }

  /// Subscribes a sink for a life that somebody else disposes of.
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

/// What can be taken for a stream: an ``Observable``, or a subject. Every operator can be called on it.
public protocol ObservableConvertible<Element> {
  /// What its values are.
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
  /// Subscribes.
  ///
  /// - Parameters:
  ///   - onNext: takes each value.
  ///   - onError: takes the failure that ends the stream, if one does.
  ///   - onCompleted: is told that the stream ended well, if it does.
  /// - Returns: what ends the subscription. Letting it go does not; a ``DisposeBag`` does when it goes away.
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

  /// Subscribes one closure to values and end alike, as ``subscribe(onNext:onError:onCompleted:)`` does.
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
  /// The shape of most operators: the source's end is the result's, and its values go to a closure, which is made for each
  /// subscriber and so may keep what it counts.
  @inlinable
  func eachValue<Result>(_ receiver: @escaping (Sink<Result>) -> (Element) -> Void) -> Observable<Result> {
    let source = asObservable()
    return Observable<Result> { sink, lifetime in
      source.run(Sink(next: receiver(sink), end: sink.end), lifetime)
    }
  }
}
