extension ObservableConvertible {
  /// Emits the values of the source's streams, with at most `maxConcurrent` subscriptions at a time. The other streams
  /// wait.
  ///
  /// ```
  /// source   -a-b-c|
  /// of a      -1----|
  /// of b        -2-|
  /// of c           -3|
  /// result   --1-2--3|  two at a time
  /// ```
  ///
  /// It completes when the source and all of its streams have completed, and fails when one of them fails. A limit
  /// below 1 counts as 1.
  @inlinable
  public func merge(maxConcurrent: Int) -> Observable<Element.Element> where Element: ObservableConvertible {
    flatMap(atMost: max(maxConcurrent, 1)) { $0.asObservable() }
  }

  /// Makes a stream of each value, with at most `limit` streams at a time, and emits their values. Values above the
  /// limit wait if `othersWait`; otherwise they are ignored.
  @inlinable
  func flatMap<Result>(
    atMost limit: Int, othersWait: Bool = true, _ transform: @escaping (Element) -> Observable<Result>
  ) -> Observable<Result> {
    let source = asObservable()
    return Observable<Result> { sink, lifetime in
      let merge = LimitedMerge(limit, othersWait, transform, sink, lifetime.makeChild())
      let outer = merge.group.makeChild()
      source.run(
        Sink(next: merge.receive) { failure in
          if let failure { return merge.fail(failure) }
          merge.sourceIsOpen = false
          merge.group.drop(outer)
          merge.proceed()
        }, outer)
    }
  }
}

/// The running streams of a merge with a limit, and the values that wait.
@usableFromInline
final class LimitedMerge<Element, Result> {
  @usableFromInline let limit: Int
  @usableFromInline let othersWait: Bool
  @usableFromInline let transform: (Element) -> Observable<Result>
  @usableFromInline let sink: Sink<Result>
  @usableFromInline let group: Lifetime
  @usableFromInline var waiting = Queue<Element>()
  @usableFromInline var sourceIsOpen = true
  @usableFromInline var open = 0
  @usableFromInline var isProceeding = false

  @inlinable
  init(
    _ limit: Int, _ othersWait: Bool, _ transform: @escaping (Element) -> Observable<Result>, _ sink: Sink<Result>,
    _ group: Lifetime
  ) {
    self.limit = limit
    self.othersWait = othersWait
    self.transform = transform
    self.sink = sink
    self.group = group
  }

  @inlinable
  func receive(_ element: Element) {
    if open < limit, waiting.isEmpty {
      start(element)
    } else if othersWait {
      waiting.append(element)
    }
  }

  @inlinable
  func start(_ element: Element) {
    open += 1
    let stream = transform(element)
    guard group.isActive else { return }
    switch stream.source {
    case .just(let result):
      sink.next(result)
      closeOne()
    case .empty: closeOne()
    case .never: break
    case .error(let error): fail(error)
    case .stream, .state, .composed:
      let inner = group.makeChild()
      stream.run(
        Sink(next: sink.next) { failure in
          if let failure { return self.fail(failure) }
          self.group.drop(inner)
          self.closeOne()
        }, inner)
    }
  }

  @inlinable
  func closeOne() {
    open -= 1
    proceed()
  }

  /// Starts streams for waiting values. It is a loop, because recursion would deepen the stack if streams end
  /// immediately.
  @inlinable
  func proceed() {
    guard !isProceeding else { return }
    isProceeding = true
    while group.isActive, open < limit, let element = waiting.popFirst() {
      start(element)
    }
    isProceeding = false
    if group.isActive, open == 0, !sourceIsOpen {
      group.dispose()
      sink.end(nil)
    }
  }

  @inlinable
  func fail(_ failure: any Error) {
    group.dispose()
    sink.end(failure)
  }
}
