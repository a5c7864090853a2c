/// What a stream says: any number of values, and then at most one end.
///
/// The grammar `next* (error | completed)?` is ReactiveX's, and every source and operator here keeps to it.
@frozen
public enum Event<Element> {
  /// A value.
  case next(Element)
  /// The end, by failure.
  case error(any Error)
  /// The end, by success.
  case completed

  /// The value, if this is one.
  @inlinable
  public var element: Element? {
    if case .next(let element) = self { element } else { nil }
  }

  /// The failure, if this is one.
  @inlinable
  public var error: (any Error)? {
    if case .error(let error) = self { error } else { nil }
  }
}

extension Event: Sendable where Element: Sendable {}

extension Event {
  /// The end that a ``Sink`` is told, as an event.
  @inlinable
  init(end failure: (any Error)?) { self = if let failure { .error(failure) } else { .completed } }
}
