/// A time of rest before something happens, such as that between the last key and the search.
///
/// Beginning it anew puts the end off, which is what a debounce is. How long it is and what follows is said once:
///
/// ```swift
/// state.on(input.search) { $0.text = $1; $0.typing.start() }
/// state.on(\.typing, after: .milliseconds(300)) { $0.results.start() }
/// ```
public struct Pause {
  /// Whether its end is to come.
  public private(set) var isRunning = false
  /// Counts the beginnings and cancellations.
  @usableFromInline private(set) var number = 0

  /// A pause that hasn't begun.
  public init() {}

  /// Begins it, anew if it runs.
  public mutating func start() {
    number += 1
    isRunning = true
  }

  /// Ends it without what follows.
  public mutating func cancel() {
    guard isRunning else { return }
    number += 1
    isRunning = false
  }

  @usableFromInline
  mutating func end() {
    isRunning = false
  }
}
