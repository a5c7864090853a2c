extension ObservableConvertible {
  /// Emits some values first. Each subscriber receives them before the source is subscribed to.
  @inlinable
  public func startWith(_ elements: Element...) -> Observable<Element> {
    let source = asObservable()
    return Observable { sink, lifetime in
      for element in elements where lifetime.isActive { sink.next(element) }
      source.run(sink, lifetime)
    }
  }
}
