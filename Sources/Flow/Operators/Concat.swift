extension ObservableConvertible {
  /// Emits the values of several streams in turn. It subscribes to each when the previous one has completed, and fails
  /// when one of them fails.
  @inlinable
  public static func concat<Value>(_ sources: [Observable<Value>]) -> Observable<Value>
  where Self == Observable<Value> {
    Observable(source: .composed(Composition(.inTurn, sources) { Concat($0.leaves, $1, $2).proceed() }))
  }
}

/// The streams of a `concat` that haven't started yet.
@usableFromInline
final class Concat<Element> {
  /// In reverse order: the next stream is the last element.
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

  /// Starts the next stream. It is a loop, because recursion would deepen the stack if streams end immediately.
  @inlinable
  func proceed() {
    guard !isStarting else { return }
    isStarting = true
    while lifetime.isActive, !isOpen {
      guard let source = waiting.popLast() else { return sink.end(nil) }
      // The last stream gets the sink and lifetime directly. So a stream that continues with itself forever builds up
      // no chain.
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
  /// Emits the values of the source, and after its completion those of another stream. It fails when one of them fails.
  @inlinable
  public func concat(_ next: some ObservableConvertible<Element>) -> Observable<Element> {
    .concat([asObservable(), next.asObservable()])
  }

  /// Emits the values of the source's streams in turn. It subscribes to each when the previous one has completed. It
  /// completes when the source and all of its streams have completed, and fails when one of them fails.
  @inlinable
  public func concat() -> Observable<Element.Element> where Element: ObservableConvertible {
    concatMap { $0.asObservable() }
  }
}
