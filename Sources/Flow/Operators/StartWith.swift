extension ObservableConvertible {
  /// Emits some values first: when somebody subscribes, before the source is subscribed to.
  @inlinable
  public func startWith(_ elements: Element...) -> Observable<Element> {
    let source = asObservable()
    return Observable { sink, lifetime in
      for element in elements where lifetime.isActive { sink.next(element) }
      source.run(sink, lifetime)
    }
  }
}
