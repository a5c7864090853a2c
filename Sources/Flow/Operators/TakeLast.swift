extension ObservableConvertible {
  /// Emits the last values, when the source has completed.
  ///
  /// - Parameter count: how many. Of none only the end is told.
  /// - Returns: the stream of those, or of fewer if there are not so many.
  @inlinable
  public func takeLast(_ count: Int) -> Observable<Element> {
    let source = asObservable()
    return Observable { sink, lifetime in
      let buffer = ReplayBuffer<Element>(capacity: count)
      source.run(
        Sink {
          buffer.append($0)
        } end: { failure in
          if failure == nil {
            buffer.replay(to: sink, lifetime)
          }
          if lifetime.isActive {
            sink.end(failure)
          }
        }, lifetime)
    }
  }
}
