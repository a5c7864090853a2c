/// The last values of a stream, numbered from its start.
@usableFromInline
final class ReplayBuffer<Element> {
  @usableFromInline let capacity: Int
  /// The value numbered `n` is at `n % capacity`.
  @usableFromInline var ring: [Element] = []
  /// How many values there were in all.
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

  /// The remembered values, in their order.
  @inlinable
  var values: [Element] { (total - ring.count..<total).map { ring[$0 % capacity] } }

  /// Adds a subscriber to others, and sends it the remembered values. It takes its place first: whoever subscribes because of
  /// these values comes after it. What is emitted in the meantime follows them.
  @inlinable
  func add(_ sink: Sink<Element>, _ lifetime: Lifetime, to subscribers: Subscribers<Element>) {
    guard !ring.isEmpty else {
      subscribers.add(sink, lifetime)
      return
    }
    let replay = Replay(sink, values)
    let number = subscribers.add(replay.entry, lifetime)
    replay.run(lifetime)
    // Whatever is emitted from now on needn't go through the replay.
    if let number { subscribers.replace(number, by: sink, lifetime) }
  }
}

/// A subscriber that receives remembered values. Others that come in the meantime wait behind them.
@usableFromInline
final class Replay<Element> {
  @usableFromInline let sink: Sink<Element>
  @usableFromInline var queue: [Element]
  @usableFromInline var isOver = false
  /// The end, if it came before all values were sent.
  @usableFromInline var ending: Event<Never>?

  @inlinable
  init(_ sink: Sink<Element>, _ values: [Element]) { (self.sink, queue) = (sink, values) }

  /// What takes the subscriber's place among the others.
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
