extension ObservableConvertible {
  /// Subscribes to the source once for all who are there: with the first, until the last has left.
  ///
  /// After the end, or when all have left, the next to come starts the source anew.
  ///
  /// - Parameter count: how many of the latest values are told to those who come later, while the source runs.
  /// - Returns: the shared stream. Copies of it share too.
  @inlinable
  public func share(replay count: Int = 0) -> Observable<Element> {
    let shared = Shared(asObservable(), replay: count)
    return Observable { sink, lifetime in
      shared.add(sink, lifetime)
    }
  }
}

/// A source and those who share a subscription to it.
@usableFromInline
final class Shared<Element> {
  /// One run of the source, from its first subscriber to its end or its last one.
  @usableFromInline
  final class Connection {
    @usableFromInline let subscribers = Subscribers<Element>()
    @usableFromInline let buffer: ReplayBuffer<Element>
    @usableFromInline let lifetime = Lifetime()

    @inlinable
    init(replay count: Int) {
      buffer = ReplayBuffer(capacity: count)
    }
  }

  @usableFromInline let source: Observable<Element>
  @usableFromInline let count: Int
  @usableFromInline var current: Connection?

  @inlinable
  init(_ source: Observable<Element>, replay count: Int) {
    self.source = source
    self.count = count
  }

  @inlinable
  func add(_ sink: Sink<Element>, _ lifetime: Lifetime) {
    if let current {
      current.buffer.replay(to: sink, lifetime)
      current.subscribers.add(sink, lifetime)
    } else {
      connect(sink, lifetime)
    }
  }

  @inlinable
  func connect(_ sink: Sink<Element>, _ lifetime: Lifetime) {
    let connection = Connection(replay: count)
    current = connection
    connection.subscribers.onEmpty = { [weak self, weak connection] in
      guard let connection else { return }
      self?.close(connection)
    }
    connection.subscribers.add(sink, lifetime)
    source.run(
      Sink { element in
        connection.buffer.append(element)
        connection.subscribers.next(element)
      } end: { failure in
        self.close(connection)
        connection.subscribers.end(failure)
      }, connection.lifetime)
  }

  @inlinable
  func close(_ connection: Connection) {
    if current === connection {
      current = nil
    }
    connection.lifetime.dispose()
  }
}
