extension ObservableConvertible {
  /// When the source fails, continues with a stream that `handler` makes of the failure.
  @inlinable
  public func `catch`(_ handler: @escaping (any Error) -> Observable<Element>) -> Observable<Element> {
    let source = asObservable()
    return Observable { sink, lifetime in
      let upstream = lifetime.makeChild()
      source.run(
        Sink(next: sink.next) { failure in
          lifetime.drop(upstream)
          if let failure { handler(failure).run(sink, lifetime) } else { sink.end(nil) }
        }, upstream)
    }
  }

  /// When the source fails, emits a value and completes.
  @inlinable
  public func catchAndReturn(_ element: Element) -> Observable<Element> {
    `catch` { _ in .just(element) }
  }
}
