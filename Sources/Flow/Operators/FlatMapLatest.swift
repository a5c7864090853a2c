extension ObservableConvertible {
  /// Makes a stream of each value, and emits what the latest of them emits; the one before is disposed of.
  ///
  /// - Parameter transform: makes a stream of a value.
  /// - Returns: a stream that completes when the source and the latest stream have, and fails when one of them fails.
  @inlinable
  public func flatMapLatest<Result>(_ transform: @escaping (Element) -> Observable<Result>) -> Observable<Result> {
    let source = asObservable()
    return Observable<Result> { sink, lifetime in
      let group = lifetime.makeChild()
      let outer = group.makeChild()
      let sourceIsOpen = Box(true)
      let latest = Box<Lifetime?>(nil)
      let fail = { (failure: any Error) in
        group.dispose()
        sink.end(failure)
      }
      source.run(
        Sink { element in
          if let last = latest.value {
            latest.value = nil
            group.drop(last)
          }
          let stream = transform(element)
          guard outer.isActive else { return }
          switch stream.source {
          case .just(let result): sink.next(result)
          case .empty: break
          case .error(let error): fail(error)
          case .never: latest.value = group.makeChild()
          case .stream(let run):
            let inner = group.makeChild()
            latest.value = inner
            run(
              Sink(next: sink.next) { failure in
                if let failure { return fail(failure) }
                latest.value = nil
                group.drop(inner)
                if !sourceIsOpen.value {
                  sink.end(nil)
                }
              }, inner)
          }
        } end: { failure in
          if let failure { return fail(failure) }
          sourceIsOpen.value = false
          group.drop(outer)
          if latest.value == nil {
            sink.end(nil)
          }
        }, outer)
    }
  }

  /// Emits what the latest of the source's streams emits; the one before is disposed of.
  ///
  /// - Returns: a stream that completes when the source and its latest stream have, and fails when one of them fails.
  @inlinable
  public func switchLatest<Inner>() -> Observable<Inner> where Element == Observable<Inner> {
    flatMapLatest { $0 }
  }
}
