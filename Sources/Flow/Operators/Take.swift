extension ObservableConvertible {
  /// Emits the first `count` values, or fewer if the source ends earlier, and completes. With zero it doesn't subscribe
  /// to the source.
  @inlinable
  public func take(_ count: Int) -> Observable<Element> {
    guard count > 0 else { return .empty() }
    let source = asObservable()
    return Observable { sink, lifetime in
      let upstream = lifetime.makeChild()
      let left = Box(count)
      source.run(
        Sink { element in
          guard left.value > 0 else { return }
          left.value -= 1
          let isLast = left.value == 0
          sink.next(element)
          if isLast, upstream.isActive {
            upstream.dispose()
            sink.end(nil)
          }
        } end: {
          sink.end($0)
        }, upstream)
    }
  }

  /// Emits the first value, if there is one, and completes.
  @inlinable
  public func first() -> Observable<Element> { take(1) }
}
