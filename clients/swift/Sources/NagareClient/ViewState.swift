internal import Nagare
internal import Synchronization

/// What is known of a view here: what is current in it, and who wants to hear of it.
///
/// The loop's thread alone changes what is current; everybody may read it.
final class ViewState: Sendable {
  /// What somebody hears who listens to an output.
  enum Said: Sendable {
    /// A value, or an event.
    case value(RawJSON)
    /// The items are others now.
    case items
    /// A view was opened.
    case opened(ViewState)
    /// Nothing comes any more: the view was closed, or the session has ended with an error.
    case ended((any Error)?)
  }

  typealias Listener = @Sendable (Said) -> Void
  /// Says whether what was waited for has come; is told of an end, after which it isn't asked again.
  typealias Condition = @Sendable (_ end: (any Error)?) -> Bool

  private struct Guarded {
    var current: Current
    var listeners: [(number: Int, output: String, tell: Listener)] = []
    var conditions: [(number: Int, holds: Condition)] = []
    var lastNumber = 0
    /// Why it is closed.
    var end: (any Error)?
    /// The view that the input which is being answered has opened.
    var opened: ViewState?

    mutating func nextNumber() -> Int {
      lastNumber += 1
      return lastNumber
    }
  }

  let name: String
  let screen: ScreenDescription
  private let guarded: Mutex<Guarded>

  init(_ name: String, of screen: ScreenDescription, _ outputs: RawJSON) throws {
    self.name = name
    self.screen = screen
    guarded = Mutex(Guarded(current: try Current(viewModel: screen.viewModel, outputs)))
  }

  /// Why the view is closed; nil while it is open.
  var end: (any Error)? { guarded.withLock { $0.end } }

  /// Reads what is current.
  func read<Result: Sendable>(_ body: @Sendable (inout Current) throws -> Result) rethrows -> Result {
    try guarded.withLock { try body(&$0.current) }
  }

  /// Takes the view that was opened since this was last asked.
  func takeOpened() -> ViewState? {
    guarded.withLock { guarded in
      defer { guarded.opened = nil }
      return guarded.opened
    }
  }

  // MARK: - On the loop's thread

  /// Takes a value that was said.
  ///
  /// - Returns: false if it builds on what was never heard.
  func hear(_ output: String, _ params: RawJSON) throws -> Bool {
    let said: Said? = try guarded.withLock { guarded in
      guard guarded.current.has(output) else { return .value(RawJSON(copying: params.member("value") ?? .null)) }
      guard try guarded.current.take(output, params) else { return nil }
      return Self.said(output, guarded.current)
    }
    guard let said else { return false }
    tell(output, said)
    return true
  }

  func hear(opened view: ViewState) {
    guarded.withLock { $0.opened = view }
    tell("navigate", .opened(view))
  }

  /// Takes all that is current, as the server was asked for it.
  func synchronize(_ outputs: RawJSON) throws {
    let changed = try guarded.withLock { guarded in
      var changed: [(String, Said)] = []
      for (output, params) in outputs.members where try guarded.current.replace(output, params) {
        // No failure is ever left out, so there is none to be heard of late.
        if output != "error", let said = Self.said(output, guarded.current) { changed.append((output, said)) }
      }
      return changed
    }
    for (output, said) in changed { tell(output, said) }
  }

  /// Nothing comes any more: the view was closed, or the session has ended with an error.
  func finish(_ error: (any Error)?) {
    let listeners = guarded.withLock { guarded -> [Listener]? in
      guard guarded.end == nil else { return nil }
      guarded.end = error ?? ViewClosed(view: name)
      defer { guarded.listeners = [] }
      return guarded.listeners.map(\.tell)
    }
    guard let listeners else { return }
    for listener in listeners { listener(.ended(error)) }
    check()
  }

  private static func said(_ output: String, _ current: Current) -> Said? {
    current.lists[output] != nil ? .items : current.values[output].map { .value($0) }
  }

  private func tell(_ output: String, _ said: Said) {
    let listeners = guarded.withLock { guarded in guarded.listeners.filter { $0.output == output }.map(\.tell) }
    for listener in listeners { listener(said) }
    check()
  }

  private func check() {
    let (conditions, end) = guarded.withLock { ($0.conditions, $0.end) }
    for (number, holds) in conditions where holds(end) || end != nil { removeCondition(number) }
  }
}

// MARK: - On any thread

extension ViewState {
  /// Listens to an output from now on. The first that is heard is the current value, if there is one and `replaying`.
  ///
  /// - Returns: what ends it.
  func listen(to output: String, replaying: Bool, _ tell: @escaping Listener) -> @Sendable () -> Void {
    let (number, end) = guarded.withLock { guarded -> (Int, (any Error)?) in
      let number = guarded.nextNumber()
      if replaying, let said = Self.said(output, guarded.current) { tell(said) }
      if guarded.end == nil { guarded.listeners.append((number, output, tell)) }
      return (number, guarded.end)
    }
    if let end { tell(.ended(end is ViewClosed ? nil : end)) }
    return { [weak self] in self?.guarded.withLock { $0.listeners.removeAll { $0.number == number } } }
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
