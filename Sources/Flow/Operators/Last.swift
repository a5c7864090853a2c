extension ObservableConvertible {
  /// Emits the last value, when the source has completed.
  ///
  /// - Returns: the stream of the last value, if there is one.
  @inlinable
  public func last() -> Observable<Element> {
    let source = asObservable()
    return Observable { sink, lifetime in
      let last = Box<Element?>(nil)
      source.run(
        Sink {
          last.value = $0
        } end: { failure in
          if failure == nil, let element = last.value {
            sink.next(element)
          }
          if lifetime.isActive {
            sink.end(failure)
          }
        }, lifetime)
    }
  }
}
