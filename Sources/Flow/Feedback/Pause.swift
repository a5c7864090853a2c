/// A delay before something happens, such as the time between the last key and the search.
///
/// Starting it again postpones its end, so it is a debounce. Its length and what follows are declared once:
///
/// ```swift
/// state.on(input.search) { $0.text = $1; $0.typing.start() }
/// state.on(\.typing, after: .milliseconds(300)) { $0.results.start() }
/// ```
/// A call that waits also waits for a pause of up to a second. It doesn't wait for a longer one, such as the time in
/// which an action can be undone: see ``Feedback/on(_:after:isAwaited:_:)``.
public struct Pause {
  /// Whether it has started and not ended.
  public private(set) var isRunning = false
  /// The ``UniqueNumber`` of the newest start or cancellation.
  @usableFromInline private(set) var number = 0

  /// Makes a pause that hasn't started.
  public init() {}

  /// Starts the pause. If it is running, it starts again from its beginning.
  public mutating func start() {
    number = UniqueNumber.next()
    isRunning = true
  }

  /// Ends the pause without running the step that follows it.
  public mutating func cancel() {
    guard isRunning else { return }
    number = UniqueNumber.next()
    isRunning = false
  }

  @usableFromInline
  mutating func end() { isRunning = false }
}
