extension ObservableConvertible {
  /// Emits some values first.
  ///
  /// - Parameter elements: the values, emitted when somebody subscribes, before the source is subscribed to.
  /// - Returns: the stream of those, and then of the source's.
  @inlinable
  public func startWith(_ elements: Element...) -> Observable<Element> {
    let source = asObservable()
    return Observable { sink, lifetime in
      for element in elements where lifetime.isActive {
        sink.next(element)
      }
      source.run(sink, lifetime)
    }
  }
}
