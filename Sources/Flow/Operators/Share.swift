extension ObservableConvertible {
  /// Shares one subscription to the source among all subscribers. It begins with the first subscriber and ends with the
  /// last. A new subscriber is added before it receives replayed values. Values emitted meanwhile follow the replayed
  /// ones.
  ///
  /// After the end, or when all have left, the next subscriber starts the source again.
  ///
  /// - Parameter count: the maximum number of latest values that a later subscriber receives while the source runs.
  /// - Returns: the shared stream. Copies of it share the same subscription.
  @inlinable
  public func share(replay count: Int = 0) -> Observable<Element> {
    let shared = Shared(asObservable(), replay: count)
    return Observable { sink, lifetime in
      shared.add(sink, lifetime)
    }
  }
}

/// A source, and the current connection to it.
@usableFromInline
final class Shared<Element> {
  /// One subscription to the source, from its first subscriber to its end or the leaving of its last subscriber.
  @usableFromInline
  final class Connection {
    @usableFromInline let subscribers = Subscribers<Element>()
    @usableFromInline let buffer: ReplayBuffer<Element>
    @usableFromInline let upstream = Lifetime()
    /// The number of current subscribers.
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

  /// Adds a subscriber. It is counted before it receives anything, so it may cause the others to leave.
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
    // The source retains its subscriber, so the subscriber must refer to the source weakly.
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

  /// Counts a subscriber until it leaves. The subscriber retains the lifetime of the source, but not the list that it
  /// is in.
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
