extension ObservableConvertible {
  /// Leaves out the first values.
  ///
  /// - Parameter count: how many.
  /// - Returns: the stream of the values after those.
  @inlinable
  public func skip(_ count: Int) -> Observable<Element> {
    let source = asObservable()
    return Observable { sink, lifetime in
      let left = Box(count)
      source.run(
        Sink { element in
          if left.value > 0 {
            left.value -= 1
          } else {
            sink.next(element)
          }
        } end: {
          sink.end($0)
        }, lifetime)
    }
  }
}
