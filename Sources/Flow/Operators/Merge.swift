extension ObservableConvertible {
  /// Emits the values of all the streams.
  ///
  /// ```
  /// one      -a---c-|
  /// another  ---b----d|
  /// result   -a-b-c--d|
  /// ```
  ///
  /// It subscribes to them in order. It completes when all have completed, and fails when one of them fails.
  @inlinable
  public static func merge<Value>(_ sources: [Observable<Value>]) -> Observable<Value> where Self == Observable<Value> {
    let composition = Composition(.together, sources) { composition, sink, lifetime in
      let sources = composition.leaves
      guard !sources.isEmpty else { return sink.end(nil) }
      let group = lifetime.makeChild()
      let open = Box(sources.count)
      for source in sources where group.isActive {
        let inner = group.makeChild()
        source.run(
          Sink(next: sink.next) { failure in
            if let failure {
              group.dispose()
              return sink.end(failure)
            }
            group.drop(inner)
            open.value -= 1
            if open.value == 0 { sink.end(nil) }
          }, inner)
      }
    }
    return Observable(source: .composed(composition))
  }
}

/// Emits the values of all the streams. It subscribes to them in order. It completes when all have completed, and fails
/// when one of them fails.
@inlinable
public func merge<Element>(_ sources: Observable<Element>...) -> Observable<Element> {
  .merge(sources)
}

/// Emits the values of all the streams, subjects or ports. It completes when all have completed, and fails when one of
/// them fails.
@inlinable
public func merge<Element>(_ sources: any ObservableConvertible<Element>...) -> Observable<Element> {
  .merge(sources.map { $0.asObservable() })
}

extension ObservableConvertible {
  /// Emits the values of all of the source's streams. It completes when the source and all of its streams have
  /// completed, and fails when one of them fails.
  @inlinable
  public func merge() -> Observable<Element.Element> where Element: ObservableConvertible {
    flatMap { $0.asObservable() }
  }
}
