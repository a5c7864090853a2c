extension ObservableConvertible {
  /// Makes a stream of each value, and emits the values of the latest stream only. The previous stream is disposed of.
  ///
  /// ```
  /// source   -a----b-----|
  /// of a      -1-2-3-4
  /// of b           -1-2|
  /// result   --1-2--1-2--|
  /// ```
  ///
  /// It completes when the source and the latest stream have completed, and fails when one of them fails.
  @inlinable
  public func flatMapLatest<Result>(_ transform: @escaping (Element) -> Observable<Result>) -> Observable<Result> {
    let source = asObservable()
    return Observable<Result> { sink, lifetime in
      let latest = LatestStream(sink, lifetime.makeChild())
      let outer = latest.group.makeChild()
      source.run(
        Sink { element in
          let number = latest.open()
          latest.follow(transform(element), number)
        } end: { failure in
          latest.group.drop(outer)
          latest.end(failure)
        }, outer)
    }
  }

  /// Emits the values of the latest of the source's streams. The previous stream is disposed of.
  @inlinable
  public func switchLatest() -> Observable<Element.Element> where Element: ObservableConvertible {
    flatMapLatest { $0.asObservable() }
  }
}

/// The latest stream of a `flatMapLatest`.
@usableFromInline
final class LatestStream<Element> {
  @usableFromInline let sink: Sink<Element>
  @usableFromInline let group: Lifetime
  @usableFromInline let inner = Box<Lifetime?>(nil)
  /// The number of streams made so far. Only the stream with the latest number counts.
  @usableFromInline let number = Box(0)
  @usableFromInline let isOpen = Box(false)
  @usableFromInline let sourceIsOpen = Box(true)

  @inlinable
  init(_ sink: Sink<Element>, _ group: Lifetime) {
    self.sink = sink
    self.group = group
  }

  /// Disposes of the previous stream, and returns the number of the next one.
  @inlinable
  func open() -> Int {
    if let last = inner.value {
      inner.value = nil
      group.drop(last)
    }
    isOpen.value = true
    number.value &+= 1
    return number.value
  }

  /// Emits the values of a stream, unless a later one was made meanwhile.
  @inlinable
  func follow(_ stream: Observable<Element>, _ number: Int) {
    guard group.isActive, number == self.number.value else { return }
    switch stream.source {
    case .just(let element):
      sink.next(element)
      close(number)
    case .empty: close(number)
    case .never: break
    case .error(let error): fail(error)
    case .stream, .state, .composed:
      let inner = group.makeChild()
      self.inner.value = inner
      stream.run(
        Sink(next: sink.next) { failure in
          if let failure { return self.fail(failure) }
          self.inner.value = nil
          self.group.drop(inner)
          self.close(number)
        }, inner)
    }
  }

  @inlinable
  func close(_ number: Int) {
    guard number == self.number.value else { return }
    isOpen.value = false
    if !sourceIsOpen.value, group.isActive { sink.end(nil) }
  }

  @inlinable
  func end(_ failure: (any Error)?) {
    if let failure { return fail(failure) }
    sourceIsOpen.value = false
    if !isOpen.value { sink.end(nil) }
  }

  @inlinable
  func fail(_ failure: any Error) {
    group.dispose()
    sink.end(failure)
  }
}
