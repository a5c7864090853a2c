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

  /// Tells a subscriber what is remembered, and what is added meanwhile.
  @inlinable
  func replay(to sink: Sink<Element>, _ lifetime: Lifetime) {
    var number = total - ring.count
    while number < total, lifetime.isActive {
      sink.next(ring[number % capacity])
      number = max(number + 1, total - ring.count)
    }
  }
}
