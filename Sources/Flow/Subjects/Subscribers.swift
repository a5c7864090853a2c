/// The subscribers of a subject, in the order in which they came.
///
/// An event goes to those there when it is emitted: whoever subscribes meanwhile does not get it, whoever leaves
/// meanwhile does not either. An event emitted while another is on its way is delivered to everybody first, inside.
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

    // Not inlined, because then the compiler retains the closure for the call: that costs more than the call does.
    @inlinable
    @inline(never)
    func next(_ element: Element) {
      if lifetime.isActive { sink.next(element) }
    }
  }

  /// Takes an entry off the list. It holds neither, lest the subscriber hold the subject that holds the subscriber.
  final class Removal: Disposable {
    private weak var list: Subscribers?
    private let number: Int

    init(_ number: Int, from list: Subscribers) {
      self.number = number
      self.list = list
    }

    func dispose() { list?.remove(number) }
  }

  /// Not checked for overlapping accesses, of which there are none: it is read whole, and changed by functions of the
  /// standard library that call nobody else's code. What is removed is let go of afterwards.
  @exclusivity(unchecked)
  @usableFromInline
  var entries: [Entry] = []
  /// The entries' numbers, which rise, so that one is found wherever it stands.
  private var numbers: [Int] = []
  private var lastNumber = 0
  /// Stands in the place of those who have left a long list, and hears nothing. Such gaps are closed when there are more
  /// of them than others, so it costs the same to leave many as to leave few.
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

  /// Adds a subscriber, or tells it the end if there was one. Returns the subscriber's number; nil if it wasn't added.
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

  /// Gives a subscriber's place to another sink.
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

  /// Delivers the end, once, and lets everybody go.
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
