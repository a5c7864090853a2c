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
      if lifetime.isActive {
        sink.next(element)
      }
    }
  }

  /// Takes an entry off the list. It holds neither, lest the subscriber hold the subject that holds the subscriber.
  final class Removal: Disposable {
    private weak var list: Subscribers?
    private let entry: ObjectIdentifier

    init(_ entry: Entry, from list: Subscribers) {
      self.entry = ObjectIdentifier(entry)
      self.list = list
    }

    func dispose() {
      list?.remove(entry)
    }
  }

  /// Not checked for overlapping accesses, of which there are none: it is read whole, and changed by functions of the
  /// standard library that call nobody else's code. What is removed is let go of afterwards.
  @exclusivity(unchecked)
  @usableFromInline
  var entries: [Entry] = []
  private var ending: Event<Never>?

  @usableFromInline
  init() {}

  @inlinable
  var isEmpty: Bool { unsafe entries.isEmpty }

  /// Whether the end was emitted.
  @usableFromInline
  var hasEnded: Bool { ending != nil }

  /// Adds a subscriber, or tells it the end if there was one.
  @usableFromInline
  func add(_ sink: Sink<Element>, _ lifetime: Lifetime) {
    guard lifetime.isActive else { return }
    if let ending {
      sink.end(ending.error)
    } else {
      let entry = Entry(sink, lifetime)
      unsafe entries.append(entry)
      lifetime.add(Removal(entry, from: self))
    }
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
    for entry in all where entry.lifetime.isActive {
      entry.sink.end(failure)
    }
  }

  private func remove(_ entry: ObjectIdentifier) {
    guard let index = unsafe entries.firstIndex(where: { ObjectIdentifier($0) == entry }) else { return }
    let removed = unsafe entries.remove(at: index)
    withExtendedLifetime(removed) {}
  }
}
