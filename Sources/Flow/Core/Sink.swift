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

extension Sink {
  /// Passes the source's end on. Before it completes, what there is to be emitted at last is.
  @inlinable
  func end(_ failure: (any Error)?, _ lifetime: Lifetime, afterLast emitLast: () -> Void) {
    if failure == nil { emitLast() }
    if lifetime.isActive { end(failure) }
  }
}
