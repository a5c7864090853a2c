/// A subject that says to those who are there what is said now.
public final class PublishSubject<Element>: Subject<Element> {
  /// A subject that has said nothing yet.
  @inlinable
  public override init() {}
}
