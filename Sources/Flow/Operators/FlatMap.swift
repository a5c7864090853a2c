extension ObservableConvertible {
  /// Makes a stream of each value, and emits what any of them emits.
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
      let finish = { (life: Lifetime, failure: (any Error)?) in
        if let failure {
          group.dispose()
          return sink.end(failure)
        }
        group.drop(life)
        open.value -= 1
        if open.value == 0 {
          sink.end(nil)
        }
      }
      source.run(
        Sink { element in
          let stream = transform(element)
          guard group.isActive else { return }
          switch stream.source {
          case .just(let result): sink.next(result)
          case .empty: break
          case .never: open.value += 1
          case .error(let error): finish(outer, error)
          case .stream(let run):
            open.value += 1
            let inner = group.makeChild()
            run(Sink(next: sink.next) { finish(inner, $0) }, inner)
          }
        } end: {
          finish(outer, $0)
        }, outer)
    }
  }
}
