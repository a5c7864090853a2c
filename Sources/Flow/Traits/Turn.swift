/// Notifies drivers when a turn ends, and starts and stops its owner with the first and the last subscriber.
///
/// A ``Feedback`` has one, and so does a stream that was made a driver.
///
/// # How a turn runs
///
/// A turn is a step and everything that follows from it immediately. `FeedbackCore` runs it in this order:
///
/// 1. **Step.** An input, an event from elsewhere, an answer or the end of a pause changes the state. A step that
///    starts the turn runs immediately, and its caller gets the refusal, if any. A step that arrives during a turn is
///    queued.
/// 2. **Effects.** Each effect compares what the state wants with what it runs. It drops runs that are no longer wanted
///    and begins new ones. It skips this if its revision hasn't changed. An answer that arrives immediately is queued
///    as a step.
/// 3. **Queue.** 1 and 2 repeat until the queue is empty, for at most 1000 steps. The remaining steps are dropped and
///    reported, because steps that cause each other forever are the author's mistake.
/// 4. **Drivers.** The turn ends: each subscriber of a driver reads its part of the state and receives it if it
///    changed.
/// 5. **Signals.** Signals and forwarded pulses are sent, in the order in which they were fired.
/// 6. Steps that were queued during 4 and 5 continue at 3, in the same turn.
/// 7. **Calls.** Calls without running work are answered.
///
/// Subscribers therefore never see a state between two steps, and see the new state before the signals of the same
/// turn.
///
/// Each step carries its ``Origin``: the input's name, and the call that waits for it. Runs and pauses that the step
/// begins keep the call waiting until they end.
@usableFromInline
package final class Turn {
  @usableFromInline let listeners = Subscribers<Void>()
  @usableFromInline var start: () -> Void = {}
  @usableFromInline var stop: () -> Void = {}
  /// The feedback that is started and stopped; nil for a stream. It owns this turn, and stays alive while there are
  /// subscribers.
  @usableFromInline weak var owner: (any AnyFeedback)?
  /// The call that caused the value being sent; nil at other times. Not checked for overlapping accesses, because it is
  /// always read and set as a whole.
  @exclusivity(unchecked) @usableFromInline package var call: WaitingCall?
  private var members = 0
  private var holds = 0
  private var hasStarted = false
  /// The turns that this one joins.
  @usableFromInline var parts: [Turn] = []
  /// Receives the author's errors that no caller can receive. Once set, it doesn't change.
  package private(set) var onModelError: ((String) -> Void)?

  @usableFromInline
  package init() {}

  /// Errors in the rules of the owners of this turn and its parts, for their author.
  package var errors: [String] { (owner?.partsWithoutRules ?? []) + parts.flatMap(\.errors) }

  /// Whether the owner of this turn or of one of its parts has a run in progress.
  package var isWorking: Bool { owner?.hasRuns == true || parts.contains(where: \.isWorking) }

  /// Whether a driver of this turn was turned into something that isn't updated at the end of a turn, such as a stream.
  @usableFromInline private(set) var isObserved = false

  /// Records that a driver of this turn was turned into something that isn't updated at the end of a turn.
  @usableFromInline
  func recordObserver() {
    isObserved = true
    for part in parts { part.recordObserver() }
  }

  /// Sets the receiver of the author's errors, unless there is one.
  package func reportErrors(to take: @escaping (String) -> Void) {
    if onModelError == nil { onModelError = take }
    for part in parts { part.reportErrors(to: take) }
  }

  /// The call that caused the value being sent, in this turn or in a part of it.
  @usableFromInline
  var currentCall: WaitingCall? { unsafe call ?? parts.lazy.compactMap(\.currentCall).first }

  /// Makes each subscriber check for changes.
  @inlinable
  func end() { listeners.next(()) }

  /// Counts a subscriber while its lifetime is active.
  @usableFromInline
  func join(_ lifetime: Lifetime) {
    guard lifetime.isActive else { return }
    members += 1
    lifetime.add(
      AnyDisposable { [self, owner] in
        members -= 1
        update()
        withExtendedLifetime(owner) {}
      })
    update()
  }

  /// Delays the start until ``release()``, so everyone who subscribes meanwhile receives what happens at the start.
  package func hold() {
    holds += 1
    for part in parts { part.hold() }
  }

  /// Ends a ``hold()``.
  package func release() {
    holds -= 1
    update()
    for part in parts { part.release() }
  }

  private func update() {
    if !hasStarted, members > 0, holds == 0 {
      hasStarted = true
      start()
    } else if hasStarted, members == 0 {
      hasStarted = false
      stop()
    }
  }
}

extension Turn {
  /// A turn that ends whenever one of the two ends.
  @usableFromInline
  func joined(with other: Turn) -> Turn {
    if self === other { return self }
    let both = Turn()
    both.parts = [self, other]
    let running = SerialDisposable()
    both.start = { [unowned both] in
      let lifetime = running.renew()
      // Joining comes first, so a part's own subscribers are updated before this turn's subscribers check for changes.
      for turn in both.parts { turn.join(lifetime) }
      for turn in both.parts {
        turn.listeners.add(Sink(next: { [unowned both] in both.end() }, end: { _ in }), lifetime)
      }
    }
    both.stop = { running.disposable = nil }
    return both
  }
}
