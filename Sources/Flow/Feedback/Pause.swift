/// A time of rest before something happens, such as that between the last key and the search.
///
/// Starting it again puts its end off, which makes it a debounce. How long it is and what follows is declared once:
///
/// ```swift
/// state.on(input.search) { $0.text = $1; $0.typing.start() }
/// state.on(\.typing, after: .milliseconds(300)) { $0.results.start() }
/// ```
/// A call that waits until all is over waits for a pause of up to a second, and not for a longer one, such as the time in which
/// an action can be undone: see ``Feedback/on(_:after:isAwaited:_:)``.
public struct Pause {
  /// Whether its end is to come.
  public private(set) var isRunning = false
  /// The ``UniqueNumber`` of the newest start or cancellation.
  @usableFromInline private(set) var number = 0

  /// A pause that hasn't begun.
  public init() {}

  /// Starts it; if it runs, from its beginning.
  public mutating func start() {
    number = UniqueNumber.next()
    isRunning = true
  }

  /// Ends it without what follows.
  public mutating func cancel() {
    guard isRunning else { return }
    number = UniqueNumber.next()
    isRunning = false
  }

  @usableFromInline
  mutating func end() { isRunning = false }
}
