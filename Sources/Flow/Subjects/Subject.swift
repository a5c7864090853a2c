/// A stream that is fed by hand.
///
/// The subjects differ in what a late subscriber gets: ``PublishSubject`` nothing, ``BehaviorSubject`` the latest value,
/// ``ReplaySubject`` the last few. All of them give it the end, if there was one, and ignore what is fed after the end.
///
/// An event fed by a subscriber in the middle of another event goes to everybody before that one goes on to the
/// subscribers after it.
public protocol Subject<Element>: AnyObject, ObservableConvertible, ObserverType {
  /// Emits a value, unless the subject has ended.
  ///
  /// - Parameter element: the value.
  func onNext(_ element: Element)

  /// Ends by failure, unless the subject has ended.
  ///
  /// - Parameter error: the failure.
  func onError(_ error: any Error)

  /// Ends well, unless the subject has ended.
  func onCompleted()

  /// Whether anybody listens.
  var hasObservers: Bool { get }
}

extension Subject {
  /// Emits an event, unless the subject has ended.
  ///
  /// - Parameter event: a value or the end.
  @inlinable
  public func on(_ event: Event<Element>) {
    switch event {
    case .next(let element): onNext(element)
    case .error(let error): onError(error)
    case .completed: onCompleted()
    }
  }
}
