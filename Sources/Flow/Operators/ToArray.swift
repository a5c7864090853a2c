extension ObservableConvertible {
  /// Emits all values in one array when the source has completed. Without values the array is empty.
  @inlinable
  public func toArray() -> Observable<[Element]> {
    let source = asObservable()
    return Observable<[Element]> { sink, lifetime in
      var elements: [Element] = []
      source.run(
        Sink {
          elements.append($0)
        } end: { failure in
          sink.end(failure, lifetime) { sink.next(elements) }
        }, lifetime)
    }
  }
}
