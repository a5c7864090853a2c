/// A time of rest before something happens, such as that between the last key and the search.
///
/// Starting it again puts its end off, which makes it a debounce. How long it is and what follows is declared once:
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

  /// Starts it; if it runs, from its beginning.
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
  mutating func end() { isRunning = false }
}

/// A rule for a ``Pause``, and the timer of the one that runs.
@usableFromInline
final class RunningPause<State> {
  private let delay: Duration
  private let timer: ScheduledTimer
  private let cause = Box<Cause?>(nil)
  /// That of the pause which was seen last.
  @usableFromInline var number = 0

  @usableFromInline
  init(after delay: Duration, _ core: FeedbackCore<State>, _ step: @escaping (inout State) -> Void) {
    self.delay = delay
    timer = core.clock.timer { [unowned core, cause] in
      guard let last = cause.value else { return }
      cause.value = nil
      last.call?.note(.finished)
      core.take(
        .input(
          last,
          {
            core.change(step)
            return nil
          }))
      last.call?.release()
    }
  }

  deinit { timer.dispose() }

  /// Sets the timer if the pause was started again, and unsets it if it was cancelled.
  @usableFromInline
  func follow(_ pause: Pause, _ core: FeedbackCore<State>, _ cause: Cause) {
    number = pause.number
    drop(core)
    guard pause.isRunning else { return }
    cause.call?.hold()
    self.cause.value = cause
    timer.arm(after: delay)
  }

  /// Unsets the timer.
  @usableFromInline
  func drop(_ core: FeedbackCore<State>) {
    timer.disarm()
    let call = cause.value?.call
    cause.value = nil
    guard let call else { return }
    call.note(.dropped)
    unsafe core.calls.append(call)
  }
}
