internal import Nagare
internal import Synchronization

/// A view's current values and its observers.
///
/// - Any thread may read the current values. Only the loop's thread changes them.
final class ViewState: Sendable {
  /// An update for an observer of an output.
  enum Update: Sendable {
    /// A new value, or an event.
    case value(RawJSON)
    /// The items have changed.
    case items
    /// A view was opened.
    case opened(ViewState)
    /// The last update: the view was closed, or the session ended with an error.
    case ended((any Error)?)
  }

  /// An observer of an output, until it is stopped.
  final class Listener: Sendable {
    let output: String
    /// Called for each update while the values are locked, so updates arrive in order.
    let tell: @Sendable (Update, inout Current) -> Void
    private let stopped = Atomic(false)

    init(_ output: String, _ tell: @escaping @Sendable (Update, inout Current) -> Void) {
      (self.output, self.tell) = (output, tell)
    }

    var isStopped: Bool { stopped.load(ordering: .relaxed) }
    /// Stops the listener. It takes no lock, because it may be called during an update.
    func stop() { stopped.store(true, ordering: .relaxed) }
  }

  /// Returns whether the awaited condition is true. After a call with an `end` it isn't called again.
  typealias Condition = @Sendable (_ end: (any Error)?) -> Bool

  private struct Guarded {
    var current: Current
    var listeners: [Listener] = []
    var conditions: [(number: Int, holds: Condition)] = []
    var lastNumber = 0
    /// The reason why the view is closed.
    var end: (any Error)?
    /// The view that was opened last. `openings` is the number of all opened views.
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
  /// The rows in sight of a list with a window.
  let sight = Sight()
  private let guarded: Mutex<Guarded>

  init(_ name: String, of screen: ScreenDescription, _ outputs: RawJSON) throws {
    self.name = name
    self.screen = screen
    guarded = Mutex(Guarded(current: try Current(of: screen, outputs)))
  }

  /// The reason why the view is closed; nil while it is open.
  var end: (any Error)? { guarded.withLock { $0.end } }

  /// All current values, by name.
  var all: RawJSON {
    read { current in Dictionary(uniqueKeysWithValues: current.names.map { ($0, current.json($0) ?? .null) }).json }
  }

  /// Reads the current values.
  func read<Result: Sendable>(_ body: @Sendable (inout Current) throws -> Result) rethrows -> Result {
    try guarded.withLock { try body(&$0.current) }
  }

  /// The number of views that this view has opened.
  var openings: Int { guarded.withLock { $0.openings } }

  /// Returns and forgets the view that was opened last, unless it was one of the first `openings` views.
  func takeOpened(since openings: Int) -> ViewState? {
    guarded.withLock { guarded in
      defer { guarded.opened = nil }
      return guarded.openings > openings ? guarded.opened : nil
    }
  }

  // MARK: - On the loop's thread

  /// Applies a notification.
  ///
  /// - Returns: false if it builds on a revision that was missed.
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

  /// Replaces all current values by those that the server answered with.
  func synchronize(_ outputs: RawJSON) throws {
    try guarded.withLock { guarded in
      for (output, params) in outputs.members.map({ ($0.key.string, $0.value) })
      where try guarded.current.replace(output, params) {
        if let update = Self.update(output, guarded.current) { guarded.tell(output, update) }
      }
    }
    check()
  }

  /// Ends the view, because it was closed, or because the session ended with an error.
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
  /// Adds a listener. If `replaying` is true and the output has a current value, the listener receives it first.
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

  /// Checks a condition now and after each update, until it is true.
  ///
  /// - Returns: a function that ends the checks.
  func await(_ condition: @escaping Condition) -> @Sendable () -> Void {
    let number = guarded.withLock { guarded in
      let number = guarded.nextNumber()
      guarded.conditions.append((number, condition))
      return number
    }
    // Checks after adding, so that no update is missed in between. The condition may be checked twice for one update.
    let end = end
    if condition(end) || end != nil { removeCondition(number) }
    return { [weak self] in self?.removeCondition(number) }
  }

  private func removeCondition(_ number: Int) {
    guarded.withLock { $0.conditions.removeAll { $0.number == number } }
  }
}
