/// The rule for a ``Pause``, and the timer of the current pause.
@usableFromInline
final class RunningPause<State> {
  private let delay: Duration
  /// Whether the call that started the pause waits for its end.
  private let isAwaited: Bool
  private let timer: ScheduledTimer
  /// The origin of the current pause; nil if no pause is running.
  private let origin = Box<Origin?>(nil)
  /// Whether the pause has ended, and the step that follows is queued.
  private let isEnding = Box(false)
  /// The number of the last pause seen.
  @usableFromInline var number = 0

  @usableFromInline
  init(
    _ path: PartialKeyPath<State>, after delay: Duration, isAwaited: Bool, _ core: FeedbackCore<State>,
    _ step: @escaping (FeedbackCore<State>) -> Void
  ) {
    (self.delay, self.isAwaited) = (delay, isAwaited)
    timer = core.clock.timer { [unowned core, origin, isEnding] in
      guard let last = origin.value else { return }
      (origin.value, isEnding.value) = (nil, true)
      last.call?.record(.finished)
      core.receive(
        .input(
          last,
          {
            if isEnding.value {
              isEnding.value = false
              core.beginRule("on(\(path), after:)")
              step(core)
            }
            return nil
          }))
      last.call?.release()
    }
  }

  deinit { timer.dispose() }

  /// Sets the timer if the pause was restarted, or if a step restored a copy from before its end. Unsets the timer if
  /// the pause was cancelled.
  @usableFromInline
  func follow(_ pause: Pause, _ core: FeedbackCore<State>, _ origin: Origin) {
    let isTimed = self.origin.value != nil || isEnding.value
    guard pause.number != number || pause.isRunning && !isTimed else { return }
    number = pause.number
    isEnding.value = false
    drop(core)
    guard pause.isRunning else { return }
    let origin = isAwaited ? origin : Origin(origin.name)
    origin.call?.hold()
    self.origin.value = origin
    timer.arm(after: delay)
  }

  /// Unsets the timer.
  @usableFromInline
  func drop(_ core: FeedbackCore<State>) {
    timer.disarm()
    let call = origin.value?.call
    origin.value = nil
    guard let call else { return }
    call.record(.dropped)
    unsafe core.calls.append(call)
  }
}
