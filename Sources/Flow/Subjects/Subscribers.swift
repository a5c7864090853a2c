/// The subscribers of a subject, in the order in which they subscribed.
///
/// An event goes to those who are subscribed when it is emitted. Subscribers that are added meanwhile don't receive it,
/// nor do those that leave meanwhile. An event emitted during the delivery of another one is delivered to all of them
/// first.
@usableFromInline
final class Subscribers<Element> {
  @usableFromInline
  final class Entry {
    @usableFromInline let sink: Sink<Element>
    @usableFromInline let lifetime: Lifetime

    @usableFromInline
    init(_ sink: Sink<Element>, _ lifetime: Lifetime) {
      self.sink = sink
      self.lifetime = lifetime
    }

    // Not inlined. Otherwise the compiler retains the closure for the call, which costs more than the call itself.
    @inlinable
    @inline(never)
    func next(_ element: Element) {
      if lifetime.isActive { sink.next(element) }
    }
  }

  /// Removes an entry from the list. It refers to the list weakly and to the entry by number; otherwise subscriber and
  /// subject would retain each other.
  final class Removal: Disposable {
    private weak var list: Subscribers?
    private let number: Int

    init(_ number: Int, from list: Subscribers) {
      self.number = number
      self.list = list
    }

    func dispose() { list?.remove(number) }
  }

  /// Not checked for overlapping accesses. There are none: the array is read as a whole, and changed only by functions
  /// of the standard library that call no foreign code. Removed entries are released afterwards.
  @exclusivity(unchecked)
  @usableFromInline
  var entries: [Entry] = []
  /// The numbers of the entries, in ascending order, so that an entry can be found by binary search.
  private var numbers: [Int] = []
  private var lastNumber = 0
  /// Replaces removed entries in a long list, and ignores events. When more than half of the list are gaps, they are
  /// removed together, so removing many entries costs no more per entry than removing a few.
  private lazy var gap = Entry(Sink(next: { _ in }, end: { _ in }), .disposed)
  @usableFromInline var gaps = 0
  private var ending: Event<Never>?

  @usableFromInline
  init() {}

  @inlinable
  var isEmpty: Bool { unsafe entries.count == gaps }

  /// Whether the end was emitted.
  @usableFromInline
  var hasEnded: Bool { ending != nil }

  /// Adds a subscriber. If the subject has ended, sends the subscriber the end instead. Returns the subscriber's
  /// number; nil if it wasn't added.
  @usableFromInline
  @discardableResult
  func add(_ sink: Sink<Element>, _ lifetime: Lifetime) -> Int? {
    guard lifetime.isActive else { return nil }
    if let ending {
      sink.end(ending.error)
      return nil
    }
    lastNumber += 1
    numbers.append(lastNumber)
    unsafe entries.append(Entry(sink, lifetime))
    lifetime.add(Removal(lastNumber, from: self))
    return lastNumber
  }

  /// Replaces the sink of a subscriber.
  @usableFromInline
  func replace(_ number: Int, by sink: Sink<Element>, _ lifetime: Lifetime) {
    if let index = index(of: number) { unsafe entries[index] = Entry(sink, lifetime) }
  }

  /// Delivers a value.
  @inlinable
  func next(_ element: Element) {
    for entry in unsafe entries {
      entry.next(element)
    }
  }

  /// Delivers the end and removes all subscribers. Further calls do nothing.
  @usableFromInline
  func end(_ failure: (any Error)?) {
    guard ending == nil else { return }
    ending = Event(end: failure)
    let all = unsafe entries
    unsafe entries = []
    (numbers, gaps) = ([], 0)
    for entry in all where entry.lifetime.isActive {
      entry.sink.end(failure)
    }
  }

  private func index(of number: Int) -> Int? {
    var (index, end) = (0, numbers.count)
    while index < end {
      let middle = (index + end) / 2
      if numbers[middle] < number { index = middle + 1 } else { end = middle }
    }
    return index < numbers.count && numbers[index] == number ? index : nil
  }

  private func remove(_ number: Int) {
    guard let index = index(of: number) else { return }
    let removed = unsafe entries[index]
    if numbers.count <= 32 {
      numbers.remove(at: index)
      unsafe entries.remove(at: index)
    } else {
      unsafe entries[index] = gap
      gaps += 1
      if gaps > numbers.count / 2 { closeGaps() }
    }
    withExtendedLifetime(removed) {}
  }

  private func closeGaps() {
    let kept = unsafe entries.indices.filter { unsafe entries[$0] !== gap }
    unsafe entries = kept.map { unsafe entries[$0] }
    (numbers, gaps) = (kept.map { numbers[$0] }, 0)
  }
}
