/// A stream whose events come from calls of its methods.
///
/// The subjects differ in what a late subscriber receives: ``PublishSubject`` sends nothing, ``BehaviorSubject`` the
/// latest value, ``ReplaySubject`` the last few values. All of them also send the end if the subject has ended, and
/// ignore events after the end.
///
/// A subscriber may emit another event while it handles one. All subscribers receive the inner event before the
/// remaining subscribers receive the outer one.
public class Subject<Element>: ObservableConvertible, ObserverType {
  @usableFromInline final let subscribers = Subscribers<Element>()

  @inlinable
  init() {}

  /// Whether there are subscribers.
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
