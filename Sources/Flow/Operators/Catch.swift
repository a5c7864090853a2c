extension ObservableConvertible {
  /// Goes on with another stream, made of the failure, when the source fails.
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

  /// Emits a value when the source fails, and completes.
  @inlinable
  public func catchAndReturn(_ element: Element) -> Observable<Element> {
    `catch` { _ in .just(element) }
  }
}
