extension ObservableConvertible {
  /// Emits the last values, so many of them or fewer, when the source has completed. Of none only the end is told.
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
