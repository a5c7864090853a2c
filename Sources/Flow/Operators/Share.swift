extension ObservableConvertible {
  /// Subscribes to the source once for all who are there: with the first, until the last has left. A new subscriber
  /// takes its place before anything is replayed to it, and receives what is emitted in the meantime after that.
  ///
  /// After the end, or when all have left, the next to come starts the source again.
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
    @usableFromInline let upstream = Lifetime()
    /// How many have not left.
    @usableFromInline let count = Box(0)

    @inlinable
    init(replay count: Int) { buffer = ReplayBuffer(capacity: count) }
  }

  @usableFromInline let source: Observable<Element>
  @usableFromInline let count: Int
  @usableFromInline var current: Connection?

  @inlinable
  init(_ source: Observable<Element>, replay count: Int) {
    self.source = source
    self.count = count
  }

  /// Adds a subscriber. It is counted before it is told anything, so that it may make the others leave.
  @inlinable
  func add(_ sink: Sink<Element>, _ lifetime: Lifetime) {
    guard let current else { return connect(sink, lifetime) }
    enter(current, lifetime)
    current.buffer.add(sink, lifetime, to: current.subscribers)
  }

  @inlinable
  func connect(_ sink: Sink<Element>, _ lifetime: Lifetime) {
    let connection = Connection(replay: count)
    current = connection
    enter(connection, lifetime)
    connection.subscribers.add(sink, lifetime)
    // The source holds its subscriber, so the subscriber must not hold the source.
    source.run(
      Sink { element in
        connection.buffer.append(element)
        connection.subscribers.next(element)
      } end: { [weak self] failure in
        self?.forget(connection)
        connection.upstream.dispose()
        connection.subscribers.end(failure)
      }, connection.upstream)
  }

  /// Counts a subscriber until it leaves. It holds what it takes to leave the source, but not the list that it is in.
  @inlinable
  func enter(_ connection: Connection, _ lifetime: Lifetime) {
    let (count, upstream) = (connection.count, connection.upstream)
    count.value += 1
    lifetime.add(
      AnyDisposable { [weak self, weak connection] in
        count.value -= 1
        guard count.value == 0 else { return }
        upstream.dispose()
        if let connection { self?.forget(connection) }
      })
  }

  @inlinable
  func forget(_ connection: Connection) {
    if current === connection { current = nil }
  }
}
