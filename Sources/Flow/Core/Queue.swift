/// A first-in, first-out queue. It grows to the greatest length that it ever has, and allocates nothing after that.
@usableFromInline
struct Queue<Element> {
  @usableFromInline var ring: [Element?] = []
  @usableFromInline var head = 0
  @usableFromInline var count = 0

  @inlinable
  init() {}

  @inlinable
  var isEmpty: Bool { count == 0 }

  @inlinable
  var first: Element? { isEmpty ? nil : ring[head] }

  @inlinable
  mutating func append(_ element: Element) {
    if count == ring.count {
      ring = Array(ring[head...] + ring[..<head]) + Array(repeating: nil, count: max(4, count))
      head = 0
    }
    ring[(head + count) % ring.count] = element
    count += 1
  }

  @inlinable
  mutating func popFirst() -> Element? {
    guard count > 0 else { return nil }
    let element = ring[head]
    ring[head] = nil
    head = (head + 1) % ring.count
    count -= 1
    return element
  }
}
