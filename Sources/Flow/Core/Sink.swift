/// The receiver that a source or an operator sends its values and its end to.
@usableFromInline
struct Sink<Element> {
  /// Receives a value.
  @usableFromInline let next: (Element) -> Void
  /// Receives the end: the failure, or nil for success.
  @usableFromInline let end: ((any Error)?) -> Void

  @inlinable
  init(next: @escaping (Element) -> Void, end: @escaping ((any Error)?) -> Void) {
    self.next = next
    self.end = end
  }
}

extension Sink {
  /// Forwards the end of the source. Before a success it emits the operator's last values.
  @inlinable
  func end(_ failure: (any Error)?, _ lifetime: Lifetime, afterLast emitLast: () -> Void) {
    if failure == nil { emitLast() }
    if lifetime.isActive { end(failure) }
  }
}
