/// A subject that passes on each value to those who are subscribed at the time.
public final class PublishSubject<Element>: Subject<Element> {
  /// A subject without subscribers.
  @inlinable
  public override init() {}
}
