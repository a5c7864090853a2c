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
  }

  /// Takes an entry off the list. It holds neither, lest the subscriber hold the subject that holds the subscriber.
  final class Removal: Disposable {
    private weak var list: Subscribers?
    private weak var entry: Entry?

    init(_ entry: Entry, from list: Subscribers) {
      self.entry = entry
      self.list = list
    }

    func dispose() {
      if let list, let entry {
        list.remove(entry)
      }
    }
  }

  @usableFromInline var entries: [Entry] = []
  /// Called when the last subscriber has left by itself.
  @usableFromInline var onEmpty: (() -> Void)?
  private var ending: Event<Never>?

  @usableFromInline
  init() {}

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
      entries.append(entry)
      lifetime.add(Removal(entry, from: self))
    }
  }

  /// Delivers a value.
  @inlinable
  func next(_ element: Element) {
    for entry in entries where entry.lifetime.isActive {
      entry.sink.next(element)
    }
  }

  /// Delivers the end, once, and lets everybody go.
  @usableFromInline
  func end(_ failure: (any Error)?) {
    guard ending == nil else { return }
    ending = Event(end: failure)
    let all = entries
    entries = []
    for entry in all where entry.lifetime.isActive {
      entry.sink.end(failure)
    }
  }

  private func remove(_ entry: Entry) {
    guard let index = entries.firstIndex(where: { $0 === entry }) else { return }
    entries.remove(at: index)
    if entries.isEmpty {
      onEmpty?()
    }
  }
}
