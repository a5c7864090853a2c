extension ObservableConvertible {
  /// Makes a stream of each value, and emits what they emit, each subscribed to when the one before has completed.
  ///
  /// ```
  /// source   -a-b-|
  /// of a      1--2|
  /// of b          3--4|
  /// result   -1--23--4|
  /// ```
  ///
  /// - Parameter transform: makes a stream of a value, when its turn has come.
  /// - Returns: a stream that completes when the source and all streams made of it have, and fails when the first fails.
  @inlinable
  public func concatMap<Result>(_ transform: @escaping (Element) -> Observable<Result>) -> Observable<Result> {
    let source = asObservable()
    return Observable<Result> { sink, lifetime in
      let line = ConcatMap(transform, sink, lifetime.makeChild())
      let outer = line.group.makeChild()
      source.run(
        Sink { element in
          line.waiting.append(element)
          line.proceed()
        } end: { failure in
          if let failure { return line.fail(failure) }
          line.sourceIsOpen = false
          line.group.drop(outer)
          line.proceed()
        }, outer)
    }
  }
}

/// The streams whose turn has not come, and whether it is somebody's turn.
@usableFromInline
final class ConcatMap<Element, Result> {
  @usableFromInline let transform: (Element) -> Observable<Result>
  @usableFromInline let sink: Sink<Result>
  @usableFromInline let group: Lifetime
  @usableFromInline var waiting = Queue<Element>()
  @usableFromInline var sourceIsOpen = true
  @usableFromInline var innerIsOpen = false
  @usableFromInline var isStarting = false

  @inlinable
  init(_ transform: @escaping (Element) -> Observable<Result>, _ sink: Sink<Result>, _ group: Lifetime) {
    self.transform = transform
    self.sink = sink
    self.group = group
  }

  @inlinable
  func fail(_ failure: any Error) {
    group.dispose()
    sink.end(failure)
  }

  /// Starts whose turn it is. A loop, and no recursion: streams that end at once must not deepen the stack.
  @inlinable
  func proceed() {
    guard !isStarting else { return }
    isStarting = true
    while group.isActive, !innerIsOpen, let element = waiting.popFirst() {
      innerIsOpen = true
      let inner = group.makeChild()
      transform(element).run(
        Sink(next: sink.next) { failure in
          if let failure { return self.fail(failure) }
          self.group.drop(inner)
          self.innerIsOpen = false
          self.proceed()
        }, inner)
    }
    isStarting = false
    if group.isActive, !innerIsOpen, !sourceIsOpen {
      group.dispose()
      sink.end(nil)
    }
  }
}
