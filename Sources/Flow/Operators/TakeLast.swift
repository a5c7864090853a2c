extension ObservableConvertible {
  /// Emits the last `count` values, or fewer if there are fewer, when the source has completed. With zero it emits only
  /// the end.
  @inlinable
  public func takeLast(_ count: Int) -> Observable<Element> {
    let source = asObservable()
    return Observable { sink, lifetime in
      let buffer = ReplayBuffer<Element>(capacity: count)
      source.run(
        Sink(next: buffer.append) { failure in
          sink.end(failure, lifetime) {
            for value in buffer.values where lifetime.isActive { sink.next(value) }
          }
        }, lifetime)
    }
  }
}
