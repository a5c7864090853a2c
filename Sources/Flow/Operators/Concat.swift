extension ObservableConvertible {
  /// Emits what the streams emit, each subscribed to when the one before has completed. It fails when one of them
  /// fails.
  @inlinable
  public static func concat<Value>(_ sources: [Observable<Value>]) -> Observable<Value>
  where Self == Observable<Value> {
    Observable(source: .composed(Composition(.inTurn, sources) { Concat($0.leaves, $1, $2).proceed() }))
  }
}

/// The streams whose turn has not come.
@usableFromInline
final class Concat<Element> {
  /// The last to come first.
  @usableFromInline var waiting: [Observable<Element>]
  @usableFromInline let sink: Sink<Element>
  @usableFromInline let lifetime: Lifetime
  @usableFromInline var isOpen = false
  @usableFromInline var isStarting = false

  @inlinable
  init(_ sources: [Observable<Element>], _ sink: Sink<Element>, _ lifetime: Lifetime) {
    waiting = sources.reversed()
    self.sink = sink
    self.lifetime = lifetime
  }

  /// Starts whose turn it is. A loop, and no recursion: streams that end at once must not deepen the stack.
  @inlinable
  func proceed() {
    guard !isStarting else { return }
    isStarting = true
    while lifetime.isActive, !isOpen {
      guard let source = waiting.popLast() else { return sink.end(nil) }
      // The last one takes this one's place, so that a stream which goes on with itself stands behind nothing.
      if waiting.isEmpty { return source.run(sink, lifetime) }
      isOpen = true
      let inner = lifetime.makeChild()
      source.run(
        Sink(next: sink.next) { failure in
          self.lifetime.drop(inner)
          if let failure { return self.sink.end(failure) }
          self.isOpen = false
          self.proceed()
        }, inner)
    }
    isStarting = false
  }
}

extension ObservableConvertible {
  /// Emits what the source emits, and when it has completed what another stream emits. It fails when one of them fails.
  @inlinable
  public func concat(_ next: some ObservableConvertible<Element>) -> Observable<Element> {
    .concat([asObservable(), next.asObservable()])
  }

  /// Emits what the source's streams emit, each subscribed to when the one before has completed. It completes when the
  /// source and all of its streams have, and fails when one of them fails.
  @inlinable
  public func concat() -> Observable<Element.Element> where Element: ObservableConvertible {
    concatMap { $0.asObservable() }
  }
}
