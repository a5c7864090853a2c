extension ObservableConvertible {
  /// Joins the latest value of each of two streams, whenever one of them emits and both have. It completes when both
  /// have, or one without a value has, and fails when one of them fails.
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
      // One that ends without a value leaves nothing to wait for.
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

  /// Joins the latest value of each of two streams, as ``combineLatest(_:_:)`` does, in a tuple.
  @inlinable
  public func combineLatest<Other>(_ other: some ObservableConvertible<Other>) -> Observable<(Element, Other)> {
    combineLatest(other) { ($0, $1) }
  }
}

// Written out for each number of streams, as in Zip.swift: with parameter packs an event costs ten times as much.

extension Observable {
  /// Joins the latest values of two streams, subscribed to in order, whenever one of them emits and both have. It
  /// completes when both have, or one without a value has, and fails when one of them fails.
  @inlinable
  public static func combineLatest<A, B>(
    _ first: some ObservableConvertible<A>, _ second: some ObservableConvertible<B>,
    _ combine: @escaping (A, B) -> Element
  ) -> Observable {
    first.combineLatest(second, combine)
  }

  /// Joins the latest values of two streams in a tuple, whenever one of them emits and both have.
  @inlinable
  public static func combineLatest<A, B>(
    _ first: some ObservableConvertible<A>, _ second: some ObservableConvertible<B>
  ) -> Observable where Element == (A, B) {
    first.combineLatest(second)
  }

  /// Joins the latest values of three streams, subscribed to in order, whenever one of them emits and all have. It ends
  /// as that of two does.
  @inlinable
  public static func combineLatest<A, B, C>(
    _ first: some ObservableConvertible<A>, _ second: some ObservableConvertible<B>,
    _ third: some ObservableConvertible<C>, _ combine: @escaping (A, B, C) -> Element
  ) -> Observable {
    first.combineLatest(second).combineLatest(third) { combine($0.0, $0.1, $1) }
  }

  /// Joins the latest values of three streams in a tuple, whenever one of them emits and all have.
  @inlinable
  public static func combineLatest<A, B, C>(
    _ first: some ObservableConvertible<A>, _ second: some ObservableConvertible<B>,
    _ third: some ObservableConvertible<C>
  ) -> Observable where Element == (A, B, C) {
    combineLatest(first, second, third) { ($0, $1, $2) }
  }

  /// Joins the latest values of four streams, subscribed to in order, whenever one of them emits and all have. It ends
  /// as that of two does.
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

  /// Joins the latest values of four streams in a tuple, whenever one of them emits and all have.
  @inlinable
  public static func combineLatest<A, B, C, D>(
    _ first: some ObservableConvertible<A>, _ second: some ObservableConvertible<B>,
    _ third: some ObservableConvertible<C>, _ fourth: some ObservableConvertible<D>
  ) -> Observable where Element == (A, B, C, D) {
    combineLatest(first, second, third, fourth) { ($0, $1, $2, $3) }
  }

  /// Joins the latest values of several streams, subscribed to in order, whenever one of them emits and all have. It
  /// ends as that of two does; of no streams the result is that of no values.
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

  /// Joins the latest values of several streams in an array, in their order, whenever one of them emits and all have.
  @inlinable
  public static func combineLatest<Source: ObservableConvertible>(
    _ sources: some Collection<Source>
  ) -> Observable where Element == [Source.Element] {
    combineLatest(sources) { $0 }
  }
}
