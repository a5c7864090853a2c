internal import Nagare
internal import Synchronization

/// What is known of a view here: what is current in it, and who wants to hear of it.
///
/// The loop's thread alone changes what is current; everybody may read it.
final class ViewState: Sendable {
  /// What somebody hears who listens to an output.
  enum Update: Sendable {
    /// A value, or an event.
    case value(RawJSON)
    /// The items are others now.
    case items
    /// A view was opened.
    case opened(ViewState)
    /// Nothing comes any more: the view was closed, or the session has ended with an error.
    case ended((any Error)?)
  }

  /// Somebody who listens to an output, until it is stopped.
  final class Listener: Sendable {
    let output: String
    /// Is told while nobody else reads or changes what is current, so what it hears is in order.
    let tell: @Sendable (Update, inout Current) -> Void
    private let stopped = Atomic(false)

    init(_ output: String, _ tell: @escaping @Sendable (Update, inout Current) -> Void) {
      (self.output, self.tell) = (output, tell)
    }

    var isStopped: Bool { stopped.load(ordering: .relaxed) }
    /// Takes no lock, for it may happen while the listener is told something.
    func stop() { stopped.store(true, ordering: .relaxed) }
  }

  /// Says whether what was waited for has come; is told of an end, after which it isn't asked again.
  typealias Condition = @Sendable (_ end: (any Error)?) -> Bool

  private struct Guarded {
    var current: Current
    var listeners: [Listener] = []
    var conditions: [(number: Int, holds: Condition)] = []
    var lastNumber = 0
    /// Why it is closed.
    var end: (any Error)?
    /// The view that was opened last, and how many were.
    var opened: ViewState?
    var openings = 0

    mutating func nextNumber() -> Int {
      lastNumber += 1
      return lastNumber
    }

    mutating func tell(_ output: String, _ update: Update) {
      listeners.removeAll(where: \.isStopped)
      for listener in listeners where listener.output == output { listener.tell(update, &current) }
    }
  }

  let name: String
  let screen: ScreenDescription
  /// What is looked at of a list that is held in part.
  let sight = Sight()
  private let guarded: Mutex<Guarded>

  init(_ name: String, of screen: ScreenDescription, _ outputs: RawJSON) throws {
    self.name = name
    self.screen = screen
    guarded = Mutex(Guarded(current: try Current(of: screen, outputs)))
  }

  /// Why the view is closed; nil while it is open.
  var end: (any Error)? { guarded.withLock { $0.end } }

  /// All that is current, by name.
  var all: RawJSON {
    read { current in Dictionary(uniqueKeysWithValues: current.names.map { ($0, current.json($0) ?? .null) }).json }
  }

  /// Reads what is current.
  func read<Result: Sendable>(_ body: @Sendable (inout Current) throws -> Result) rethrows -> Result {
    try guarded.withLock { try body(&$0.current) }
  }

  /// How many views it has opened.
  var openings: Int { guarded.withLock { $0.openings } }

  /// Takes the view that was opened last, if it wasn't among those that had been opened before.
  func takeOpened(since openings: Int) -> ViewState? {
    guarded.withLock { guarded in
      defer { guarded.opened = nil }
      return guarded.openings > openings ? guarded.opened : nil
    }
  }

  // MARK: - On the loop's thread

  /// Takes a value that was said.
  ///
  /// - Returns: false if it builds on what was never heard.
  func apply(_ output: String, _ params: RawJSON) throws -> Bool {
    let isKnown = try guarded.withLock { guarded in
      if !guarded.current.has(output) {
        guarded.tell(output, .value(RawJSON(copying: params.member("value") ?? .null)))
      } else if try guarded.current.apply(output, params) {
        if let update = Self.update(output, guarded.current) { guarded.tell(output, update) }
      } else {
        return false
      }
      return true
    }
    if isKnown { check() }
    return isKnown
  }

  func receive(opened view: ViewState) {
    guarded.withLock { guarded in
      guarded.opened = view
      guarded.openings += 1
      guarded.tell("navigate", .opened(view))
    }
    check()
  }

  /// Takes all that is current, as the server was asked for it.
  func synchronize(_ outputs: RawJSON) throws {
    try guarded.withLock { guarded in
      for (output, params) in outputs.members.map({ ($0.key.string, $0.value) })
      where try guarded.current.replace(output, params) {
        if let update = Self.update(output, guarded.current) { guarded.tell(output, update) }
      }
    }
    check()
  }

  /// Nothing comes any more: the view was closed, or the session has ended with an error.
  func finish(_ error: (any Error)?) {
    let isNew = guarded.withLock { guarded in
      guard guarded.end == nil else { return false }
      guarded.end = error ?? ViewClosed(view: name)
      for listener in guarded.listeners where !listener.isStopped { listener.tell(.ended(error), &guarded.current) }
      guarded.listeners = []
      return true
    }
    if isNew { check() }
  }

  private static func update(_ output: String, _ current: Current) -> Update? {
    current.lists[output] != nil ? .items : current.values[output].map { .value($0) }
  }

  private func check() {
    let (conditions, end) = guarded.withLock { ($0.conditions, $0.end) }
    for (number, holds) in conditions where holds(end) || end != nil { removeCondition(number) }
  }
}

// MARK: - On any thread

extension ViewState {
  /// Has somebody listen from now on. The first that is heard is the current value, if there is one and `replaying`.
  func add(_ listener: Listener, replaying: Bool) {
    guarded.withLock { guarded in
      if replaying, let update = Self.update(listener.output, guarded.current) {
        listener.tell(update, &guarded.current)
      }
      if let end = guarded.end {
        listener.tell(.ended(end is ViewClosed ? nil : end), &guarded.current)
      } else {
        guarded.listeners.removeAll(where: \.isStopped)
        guarded.listeners.append(listener)
      }
    }
  }

  /// Has a condition asked now and after each thing that is heard, until it holds.
  ///
  /// - Returns: what ends it.
  func await(_ condition: @escaping Condition) -> @Sendable () -> Void {
    let number = guarded.withLock { guarded in
      let number = guarded.nextNumber()
      guarded.conditions.append((number, condition))
      return number
    }
    // Added before it is asked, so that nothing is missed in between; it may be asked twice.
    let end = end
    if condition(end) || end != nil { removeCondition(number) }
    return { [weak self] in self?.removeCondition(number) }
  }

  private func removeCondition(_ number: Int) {
    guarded.withLock { $0.conditions.removeAll { $0.number == number } }
  }
}
