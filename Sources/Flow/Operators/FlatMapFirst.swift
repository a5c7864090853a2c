extension ObservableConvertible {
  /// Makes a stream of a value, and emits what it emits; values that come before it has ended are ignored.
  ///
  /// ```
  /// source   -a-b---c-|
  /// of a      -1-2|
  /// of c            -5|
  /// result   --1-2---5|
  /// ```
  ///
  /// - Parameter transform: makes a stream of a value.
  /// - Returns: a stream that completes when the source and the current stream have, and fails when one of them fails.
  @inlinable
  public func flatMapFirst<Result>(_ transform: @escaping (Element) -> Observable<Result>) -> Observable<Result> {
    let source = asObservable()
    return Observable<Result> { sink, lifetime in
      let group = lifetime.makeChild()
      let outer = group.makeChild()
      let sourceIsOpen = Box(true)
      let isBusy = Box(false)
      let finish = { (failure: (any Error)?) in
        if let failure {
          group.dispose()
          return sink.end(failure)
        }
        isBusy.value = false
        if !sourceIsOpen.value {
          sink.end(nil)
        }
      }
      source.run(
        Sink { element in
          guard !isBusy.value else { return }
          isBusy.value = true
          let stream = transform(element)
          let inner = group.makeChild()
          stream.run(
            Sink(next: sink.next) { failure in
              group.drop(inner)
              finish(failure)
            }, inner)
        } end: { failure in
          if let failure { return finish(failure) }
          sourceIsOpen.value = false
          group.drop(outer)
          if !isBusy.value {
            sink.end(nil)
          }
        }, outer)
    }
  }
}
