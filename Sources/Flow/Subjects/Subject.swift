/// A stream that is fed by hand.
///
/// The subjects differ in what a late subscriber gets: ``PublishSubject`` nothing, ``BehaviorSubject`` the latest value,
/// ``ReplaySubject`` the last few. All of them give it the end, if there was one, and ignore what is fed after the end.
///
/// An event fed by a subscriber in the middle of another event goes to everybody before that one goes on to the
/// subscribers after it.
public class Subject<Element>: ObservableConvertible, ObserverType {
  @usableFromInline final let subscribers = Subscribers<Element>()

  @inlinable
  init() {}

  /// Whether anybody listens.
  @inlinable
  public final var hasObservers: Bool { !subscribers.isEmpty }

  /// Emits a value, unless the subject has ended.
  @inlinable
  public func onNext(_ element: Element) { subscribers.next(element) }

  /// Emits an event, unless the subject has ended.
  @inlinable
  public final func on(_ event: Event<Element>) {
    if case .next(let element) = event { onNext(element) } else { subscribers.end(event.error) }
  }

  /// The stream that the subject feeds.
  @inlinable
  public func asObservable() -> Observable<Element> {
    Observable { [subscribers] sink, lifetime in
      subscribers.add(sink, lifetime)
    }
  }
}
