extension ObservableConvertible {
  /// Combines the latest values of two streams whenever one of them emits, once both have a value. It fails when one of
  /// them fails. It completes when both have completed, or when one has completed without a value.
  @inlinable
  public func combineLatest<Other, Result>(
    _ other: some ObservableConvertible<Other>, _ combine: @escaping (Element, Other) -> Result
  ) -> Observable<Result> {
    let source = asObservable()
    let other = other.asObservable()
    return Observable<Result> { sink, lifetime in
      let group = lifetime.makeChild()
      let left = group.makeChild()
      let right = group.makeChild()
      let latestLeft = Box<Element?>(nil)
      let latestRight = Box<Other?>(nil)
      // After a stream has ended without a value, there can be no more results.
      let end = { (life: Lifetime, hasValue: Bool, failure: (any Error)?) in
        group.drop(life)
        if failure != nil || !hasValue || !left.isActive && !right.isActive {
          group.dispose()
          sink.end(failure)
        }
      }
      source.run(
        Sink { element in
          latestLeft.value = element
          if let other = latestRight.value {
            sink.next(combine(element, other))
          }
        } end: {
          end(left, latestLeft.value != nil, $0)
        }, left)
      other.run(
        Sink { other in
          latestRight.value = other
          if let element = latestLeft.value {
            sink.next(combine(element, other))
          }
        } end: {
          end(right, latestRight.value != nil, $0)
        }, right)
    }
  }

  /// Combines the latest values of two streams into a tuple, like ``combineLatest(_:_:)``.
  @inlinable
  public func combineLatest<Other>(_ other: some ObservableConvertible<Other>) -> Observable<(Element, Other)> {
    combineLatest(other) { ($0, $1) }
  }
}

// Written out for each number of streams, as in Zip.swift: with parameter packs an event costs ten times as much.

extension Observable {
  /// Combines the latest values of two streams whenever one of them emits, once both have a value. It subscribes to
  /// them in order. It fails when one of them fails. It completes when both have completed, or when one has completed
  /// without a value.
  @inlinable
  public static func combineLatest<A, B>(
    _ first: some ObservableConvertible<A>, _ second: some ObservableConvertible<B>,
    _ combine: @escaping (A, B) -> Element
  ) -> Observable {
    first.combineLatest(second, combine)
  }

  /// Combines the latest values of two streams into a tuple whenever one of them emits, once both have a value.
  @inlinable
  public static func combineLatest<A, B>(
    _ first: some ObservableConvertible<A>, _ second: some ObservableConvertible<B>
  ) -> Observable where Element == (A, B) {
    first.combineLatest(second)
  }

  /// Combines the latest values of three streams whenever one of them emits, once all have a value. It subscribes to
  /// them in order, and ends like the version for two streams.
  @inlinable
  public static func combineLatest<A, B, C>(
    _ first: some ObservableConvertible<A>, _ second: some ObservableConvertible<B>,
    _ third: some ObservableConvertible<C>, _ combine: @escaping (A, B, C) -> Element
  ) -> Observable {
    first.combineLatest(second).combineLatest(third) { combine($0.0, $0.1, $1) }
  }

  /// Combines the latest values of three streams into a tuple whenever one of them emits, once all have a value.
  @inlinable
  public static func combineLatest<A, B, C>(
    _ first: some ObservableConvertible<A>, _ second: some ObservableConvertible<B>,
    _ third: some ObservableConvertible<C>
  ) -> Observable where Element == (A, B, C) {
    combineLatest(first, second, third) { ($0, $1, $2) }
  }

  /// Combines the latest values of four streams whenever one of them emits, once all have a value. It subscribes to
  /// them in order, and ends like the version for two streams.
  @inlinable
  public static func combineLatest<A, B, C, D>(
    _ first: some ObservableConvertible<A>, _ second: some ObservableConvertible<B>,
    _ third: some ObservableConvertible<C>, _ fourth: some ObservableConvertible<D>,
    _ combine: @escaping (A, B, C, D) -> Element
  ) -> Observable {
    first.combineLatest(second).combineLatest(third) { ($0.0, $0.1, $1) }.combineLatest(fourth) {
      combine($0.0, $0.1, $0.2, $1)
    }
  }

  /// Combines the latest values of four streams into a tuple whenever one of them emits, once all have a value.
  @inlinable
  public static func combineLatest<A, B, C, D>(
    _ first: some ObservableConvertible<A>, _ second: some ObservableConvertible<B>,
    _ third: some ObservableConvertible<C>, _ fourth: some ObservableConvertible<D>
  ) -> Observable where Element == (A, B, C, D) {
    combineLatest(first, second, third, fourth) { ($0, $1, $2, $3) }
  }

  /// Combines the latest values of several streams whenever one of them emits, once all have a value. It subscribes to
  /// them in order, and ends like the version for two streams. Without streams it combines an empty array, and
  /// completes.
  @inlinable
  public static func combineLatest<Source: ObservableConvertible>(
    _ sources: some Collection<Source>, _ combine: @escaping ([Source.Element]) -> Element
  ) -> Observable {
    Observable { sink, lifetime in
      guard !sources.isEmpty else { return Observable.just(combine([])).run(sink, lifetime) }
      let group = lifetime.makeChild()
      let latest = sources.map { _ in Box<Source.Element?>(nil) }
      let open = Box(latest.count)
      for (source, last) in Swift.zip(sources, latest) where group.isActive {
        let life = group.makeChild()
        source.asObservable().run(
          Sink { element in
            last.value = element
            let elements = latest.compactMap { $0.value }
            if elements.count == latest.count { sink.next(combine(elements)) }
          } end: { failure in
            group.drop(life)
            open.value -= 1
            if failure != nil || last.value == nil || open.value == 0 {
              group.dispose()
              sink.end(failure)
            }
          }, life)
      }
    }
  }

  /// Combines the latest values of several streams into an array in their order, whenever one of them emits and all
  /// have a value.
  @inlinable
  public static func combineLatest<Source: ObservableConvertible>(
    _ sources: some Collection<Source>
  ) -> Observable where Element == [Source.Element] {
    combineLatest(sources) { $0 }
  }
}
