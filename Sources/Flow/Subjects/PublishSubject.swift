/// A subject that sends each value to its current subscribers.
public final class PublishSubject<Element>: Subject<Element> {
  /// Makes a subject without subscribers.
  @inlinable
  public override init() {}
}
