extension ObservableConvertible {
  /// Combines the nth values of two streams as soon as both have one. It fails when one of them fails. It completes
  /// when one of them has completed and all of its values are combined.
  @inlinable
  public func zip<Other, Result>(
    _ other: some ObservableConvertible<Other>, _ combine: @escaping (Element, Other) -> Result
  ) -> Observable<Result> {
    let source = asObservable()
    let other = other.asObservable()
    return Observable<Result> { sink, lifetime in
      let zip = Zip(combine, sink, lifetime.makeChild())
      source.run(
        Sink { element in
          zip.lefts.append(element)
          zip.proceed()
        } end: {
          zip.end(zip.left, $0)
        }, zip.left)
      other.run(
        Sink { other in
          zip.rights.append(other)
          zip.proceed()
        } end: {
          zip.end(zip.right, $0)
        }, zip.right)
    }
  }

  /// Combines the nth values of two streams into a tuple, like ``zip(_:_:)``.
  @inlinable
  public func zip<Other>(_ other: some ObservableConvertible<Other>) -> Observable<(Element, Other)> {
    zip(other) { ($0, $1) }
  }
}

/// The values of two streams that wait for their counterparts.
@usableFromInline
final class Zip<Left, Right, Result> {
  @usableFromInline let combine: (Left, Right) -> Result
  @usableFromInline let sink: Sink<Result>
  @usableFromInline let group: Lifetime
  @usableFromInline let left: Lifetime
  @usableFromInline let right: Lifetime
  @usableFromInline var lefts = Queue<Left>()
  @usableFromInline var rights = Queue<Right>()

  @inlinable
  init(_ combine: @escaping (Left, Right) -> Result, _ sink: Sink<Result>, _ group: Lifetime) {
    self.combine = combine
    self.sink = sink
    self.group = group
    left = group.makeChild()
    right = group.makeChild()
  }

  /// Emits a pair, if there is one.
  @inlinable
  func proceed() {
    guard !lefts.isEmpty, !rights.isEmpty, let first = lefts.popFirst(), let second = rights.popFirst() else { return }
    sink.next(combine(first, second))
    if group.isActive, isUsedUp {
      group.dispose()
      sink.end(nil)
    }
  }

  /// Ends, if there can be no more pairs.
  @inlinable
  func end(_ life: Lifetime, _ failure: (any Error)?) {
    group.drop(life)
    if failure != nil || isUsedUp {
      group.dispose()
      sink.end(failure)
    }
  }

  @inlinable
  var isUsedUp: Bool {
    !left.isActive && lefts.isEmpty || !right.isActive && rights.isEmpty
  }
}

extension Observable {
  /// Combines the nth values of two streams as soon as both have one. It subscribes to them in order. It fails when one
  /// of them fails. It completes when one of them has completed and all of its values are combined.
  @inlinable
  public static func zip<A, B>(
    _ first: some ObservableConvertible<A>, _ second: some ObservableConvertible<B>,
    _ combine: @escaping (A, B) -> Element
  ) -> Observable {
    first.zip(second, combine)
  }

  /// Combines the nth values of two streams into a tuple as soon as both have one.
  @inlinable
  public static func zip<A, B>(
    _ first: some ObservableConvertible<A>, _ second: some ObservableConvertible<B>
  ) -> Observable where Element == (A, B) {
    first.zip(second)
  }

  /// Combines the nth values of three streams as soon as all have one. It subscribes to them in order, and ends like
  /// the version for two streams.
  @inlinable
  public static func zip<A, B, C>(
    _ first: some ObservableConvertible<A>, _ second: some ObservableConvertible<B>,
    _ third: some ObservableConvertible<C>, _ combine: @escaping (A, B, C) -> Element
  ) -> Observable {
    first.zip(second).zip(third) { combine($0.0, $0.1, $1) }
  }

  /// Combines the nth values of three streams into a tuple as soon as all have one.
  @inlinable
  public static func zip<A, B, C>(
    _ first: some ObservableConvertible<A>, _ second: some ObservableConvertible<B>,
    _ third: some ObservableConvertible<C>
  ) -> Observable where Element == (A, B, C) {
    zip(first, second, third) { ($0, $1, $2) }
  }

  /// Combines the nth values of four streams as soon as all have one. It subscribes to them in order, and ends like the
  /// version for two streams.
  @inlinable
  public static func zip<A, B, C, D>(
    _ first: some ObservableConvertible<A>, _ second: some ObservableConvertible<B>,
    _ third: some ObservableConvertible<C>, _ fourth: some ObservableConvertible<D>,
    _ combine: @escaping (A, B, C, D) -> Element
  ) -> Observable {
    first.zip(second).zip(third) { ($0.0, $0.1, $1) }.zip(fourth) { combine($0.0, $0.1, $0.2, $1) }
  }

  /// Combines the nth values of four streams into a tuple as soon as all have one.
  @inlinable
  public static func zip<A, B, C, D>(
    _ first: some ObservableConvertible<A>, _ second: some ObservableConvertible<B>,
    _ third: some ObservableConvertible<C>, _ fourth: some ObservableConvertible<D>
  ) -> Observable where Element == (A, B, C, D) {
    zip(first, second, third, fourth) { ($0, $1, $2, $3) }
  }

  /// Combines the nth values of several streams as soon as all have one. It subscribes to them in order, and ends like
  /// the version for two streams. Without streams the result is empty.
  @inlinable
  public static func zip<Source: ObservableConvertible>(
    _ sources: some Collection<Source>, _ combine: @escaping ([Source.Element]) -> Element
  ) -> Observable {
    Observable { sink, lifetime in
      guard !sources.isEmpty else { return sink.end(nil) }
      let group = lifetime.makeChild()
      let lines = sources.map { _ in ZipLine<Source.Element>(group.makeChild()) }
      let endIfUsedUp = {
        if group.isActive, lines.contains(where: \.isUsedUp) {
          group.dispose()
          sink.end(nil)
        }
      }
      for (source, line) in Swift.zip(sources, lines) where group.isActive {
        source.asObservable().run(
          Sink { element in
            line.elements.append(element)
            guard lines.allSatisfy({ !$0.elements.isEmpty }) else { return }
            sink.next(combine(lines.compactMap { $0.elements.popFirst() }))
            endIfUsedUp()
          } end: { failure in
            group.drop(line.life)
            if let failure {
              group.dispose()
              return sink.end(failure)
            }
            endIfUsedUp()
          }, line.life)
      }
    }
  }

  /// Combines the nth values of several streams into an array in their order, as soon as all have one.
  @inlinable
  public static func zip<Source: ObservableConvertible>(
    _ sources: some Collection<Source>
  ) -> Observable where Element == [Source.Element] {
    zip(sources) { $0 }
  }
}

/// The values of one stream that wait for their counterparts.
@usableFromInline
final class ZipLine<Element> {
  @usableFromInline let life: Lifetime
  @usableFromInline var elements = Queue<Element>()

  @inlinable
  init(_ life: Lifetime) { self.life = life }

  @inlinable
  var isUsedUp: Bool { !life.isActive && elements.isEmpty }
}
