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

  /// Leaves out values as long as they satisfy a condition.
  ///
  /// - Parameter condition: the condition. It is not asked again after the first value that does not satisfy it.
  /// - Returns: the stream of that value and all after it.
  @inlinable
  public func skip(while condition: @escaping (Element) -> Bool) -> Observable<Element> {
    let source = asObservable()
    return Observable { sink, lifetime in
      let isSkipping = Box(true)
      source.run(
        Sink { element in
          if isSkipping.value {
            if condition(element) { return }
            isSkipping.value = false
          }
          sink.next(element)
        } end: {
          sink.end($0)
        }, lifetime)
    }
  }
}
