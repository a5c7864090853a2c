/// The last values of a stream, numbered from its start.
@usableFromInline
final class ReplayBuffer<Element> {
  @usableFromInline let capacity: Int
  /// The value numbered `n` is at `n % capacity`.
  @usableFromInline var ring: [Element] = []
  /// The number of values since the start.
  @usableFromInline var total = 0

  @inlinable
  init(capacity: Int) { self.capacity = max(capacity, 0) }

  @inlinable
  func append(_ element: Element) {
    guard capacity > 0 else { return }
    if ring.count < capacity {
      ring.append(element)
    } else {
      ring[total % capacity] = element
    }
    total += 1
  }

  /// The remembered values, oldest first.
  @inlinable
  var values: [Element] { (total - ring.count..<total).map { ring[$0 % capacity] } }

  /// Adds a subscriber to `subscribers`, and sends it the remembered values. It is added before it receives them, so
  /// subscribers added because of these values come after it. Values emitted meanwhile follow the remembered ones.
  @inlinable
  func add(_ sink: Sink<Element>, _ lifetime: Lifetime, to subscribers: Subscribers<Element>) {
    guard !ring.isEmpty else {
      subscribers.add(sink, lifetime)
      return
    }
    let replay = Replay(sink, values)
    let number = subscribers.add(replay.entry, lifetime)
    replay.run(lifetime)
    // From now on, values can go to the subscriber directly.
    if let number { subscribers.replace(number, by: sink, lifetime) }
  }
}

/// A subscriber that is receiving remembered values. Newer values wait in its queue.
@usableFromInline
final class Replay<Element> {
  @usableFromInline let sink: Sink<Element>
  @usableFromInline var queue: [Element]
  @usableFromInline var isOver = false
  /// The end, if the subject ended before all remembered values were sent.
  @usableFromInline var ending: Event<Never>?

  @inlinable
  init(_ sink: Sink<Element>, _ values: [Element]) { (self.sink, queue) = (sink, values) }

  /// The sink that represents the subscriber in the subject's list during the replay.
  @inlinable
  var entry: Sink<Element> {
    Sink { [self] element in
      if isOver { sink.next(element) } else { queue.append(element) }
    } end: { [self] failure in
      if isOver { sink.end(failure) } else { ending = Event(end: failure) }
    }
  }

  @inlinable
  func run(_ lifetime: Lifetime) {
    var index = 0
    while index < queue.count, lifetime.isActive {
      sink.next(queue[index])
      index += 1
    }
    (isOver, queue) = (true, [])
    if let ending, lifetime.isActive { sink.end(ending.error) }
  }
}
