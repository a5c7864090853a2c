extension ObservableConvertible {
  /// Emits all values at once, when the source has completed.
  ///
  /// - Returns: the stream of one array, which is empty if there were no values.
  @inlinable
  public func toArray() -> Observable<[Element]> {
    let source = asObservable()
    return Observable<[Element]> { sink, lifetime in
      var elements: [Element] = []
      source.run(
        Sink {
          elements.append($0)
        } end: { failure in
          if failure == nil {
            sink.next(elements)
          }
          if lifetime.isActive {
            sink.end(failure)
          }
        }, lifetime)
    }
  }
}
