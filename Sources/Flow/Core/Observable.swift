/// What a source or an operator feeds: where values go, and where the end goes.
@usableFromInline
struct Sink<Element> {
  /// Takes a value.
  @usableFromInline let next: (Element) -> Void
  /// Takes the end: nil when it is success.
  @usableFromInline let end: ((any Error)?) -> Void

  @inlinable
  init(next: @escaping (Element) -> Void, end: @escaping ((any Error)?) -> Void) {
    self.next = next
    self.end = end
  }
}

/// A stream: values over time to whoever subscribes, with the meaning ReactiveX gives it.
///
/// Nothing happens until somebody subscribes, and then for each subscriber anew, unless the stream comes from a subject
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
  init(source: Source) {
    self.source = source
  }

  /// A stream that feeds the sink of each subscriber, by the rules of ``Lifetime``.
  @inlinable
  init(_ run: @escaping (Sink<Element>, Lifetime) -> Void) {
    source = .stream(run)
  }

  /// Subscribes a sink for a life that somebody else disposes of.
  @inlinable
  func run(_ sink: Sink<Element>, _ lifetime: Lifetime) {
    guard lifetime.isActive else { return }
    switch source {
    case .just(let element):
      sink.next(element)
      if lifetime.isActive {
        sink.end(nil)
      }
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
