extension ObservableConvertible {
  /// Makes a stream of each value, and emits what any of them emits.
  ///
  /// ```
  /// source   -a-b--|
  /// of a      -1---2|
  /// of b        -3---4|
  /// result   --1-3-2-4|
  /// ```
  ///
  /// - Parameter transform: makes a stream of a value.
  /// - Returns: a stream that completes when the source and all streams made of it have, and fails when the first fails.
  @inlinable
  public func flatMap<Result>(_ transform: @escaping (Element) -> Observable<Result>) -> Observable<Result> {
    let source = asObservable()
    return Observable<Result> { sink, lifetime in
      let group = lifetime.makeChild()
      let outer = group.makeChild()
      let open = Box(1)
      let fail = { (failure: any Error) in
        group.dispose()
        sink.end(failure)
      }
      let closeOne = {
        open.value -= 1
        if open.value == 0, group.isActive {
          sink.end(nil)
        }
      }
      source.run(
        Sink { element in
          open.value += 1
          let stream = transform(element)
          guard group.isActive else { return }
          switch stream.source {
          case .just(let result):
            sink.next(result)
            closeOne()
          case .empty: closeOne()
          case .never: break
          case .error(let error): fail(error)
          case .stream, .state, .composed:
            let inner = group.makeChild()
            stream.run(
              Sink(next: sink.next) { failure in
                if let failure { return fail(failure) }
                group.drop(inner)
                closeOne()
              }, inner)
          }
        } end: { failure in
          if let failure { return fail(failure) }
          group.drop(outer)
          closeOne()
        }, outer)
    }
  }
}
