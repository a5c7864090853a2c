/// An event of a stream: any number of values, and then at most one end.
///
/// ReactiveX has the same grammar, `next* (error | completed)?`. Every source and operator of this module follows it.
@frozen
public enum Event<Element> {
  /// A value.
  case next(Element)
  /// The end of the stream by a failure.
  case error(any Error)
  /// The end of the stream by success.
  case completed

  /// The value; nil if the event is an end.
  @inlinable
  public var element: Element? {
    if case .next(let element) = self { element } else { nil }
  }

  /// The failure; nil if the event is something else.
  @inlinable
  public var error: (any Error)? {
    if case .error(let error) = self { error } else { nil }
  }
}

extension Event: Sendable where Element: Sendable {}

extension Event {
  /// Makes an event of the end that a ``Sink`` receives.
  @inlinable
  init(end failure: (any Error)?) { self = if let failure { .error(failure) } else { .completed } }
}
