extension ObservableConvertible {
  /// Numbers the values.
  ///
  /// - Returns: the stream of the values with their numbers, which start at 0 for each subscriber.
  @inlinable
  public func enumerated() -> Observable<(index: Int, element: Element)> {
    let source = asObservable()
    return Observable<(index: Int, element: Element)> { sink, lifetime in
      let count = Box(0)
      source.run(
        Sink { element in
          let index = count.value
          count.value = index + 1
          sink.next((index, element))
        } end: {
          sink.end($0)
        }, lifetime)
    }
  }
}
