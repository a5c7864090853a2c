/// When what drivers and signals come from has changed, and whether anybody listens.
///
/// A ``Feedback`` has one, and so has a stream that was made a driver. What it announces is the end of a turn: then each
/// driver's subscriber looks whether its value is another one. What has to run while somebody listens is started with the
/// first subscriber and stopped with the last.
@usableFromInline
package final class Turns {
  @usableFromInline let listeners = Subscribers<Void>()
  @usableFromInline var start: () -> Void = {}
  @usableFromInline var stop: () -> Void = {}
  /// What starts and stops, which has this and is kept while anybody listens.
  @usableFromInline weak var owner: AnyObject?
  /// The call that a value is sent for, while it is sent. Not checked for overlapping accesses, of which there are none: it
  /// is read and set as a whole.
  @exclusivity(unchecked) @usableFromInline package var call: WaitingCall?
  private var members = 0
  private var holds = 0
  private var hasStarted = false
  /// Those that are announced together here.
  @usableFromInline var parts: [Turns] = []
  /// Takes what an author has to know and no caller can be told. The first one that is set stays.
  package private(set) var onModelError: ((String) -> Void)?

  @usableFromInline
  package init() {}

  /// What its owner finds wrong with the rules.
  @usableFromInline var findModelErrors: () -> [String] = { [] }
  /// What is wrong with the rules of what it comes from, for who wrote them.
  package var errors: [String] { findModelErrors() + parts.flatMap(\.errors) }

  /// Whether its owner has a run under way.
  @usableFromInline var hasRuns: () -> Bool = { false }
  /// Whether a run of any work is under way that it comes from.
  package var isWorking: Bool { hasRuns() || parts.contains(where: \.isWorking) }

  /// Sets who is told of the author's errors, where nobody is.
  package func reportErrors(to take: @escaping (String) -> Void) {
    if onModelError == nil { onModelError = take }
    for part in parts { part.reportErrors(to: take) }
  }

  /// The call that a value is sent for, here or in what is announced here.
  @usableFromInline
  var currentCall: WaitingCall? { unsafe call ?? parts.lazy.compactMap(\.currentCall).first }

  /// Announces the end of a turn.
  @inlinable
  func end() { listeners.next(()) }

  /// Counts a subscriber for as long as it lives.
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

  /// Doesn't start before ``release()``, however many subscribe meanwhile: what happens at the start reaches them all.
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

extension Turns {
  /// The turns of both.
  @usableFromInline
  func joined(with other: Turns) -> Turns {
    if self === other { return self }
    let both = Turns()
    both.parts = [self, other]
    let running = SerialDisposable()
    both.start = { [unowned both] in
      let lifetime = running.renew()
      // What each of them follows comes first among its listeners, so that it has changed by the time of a look.
      for turns in both.parts { turns.join(lifetime) }
      for turns in both.parts {
        turns.listeners.add(Sink(next: { [unowned both] in both.end() }, end: { _ in }), lifetime)
      }
    }
    both.stop = { running.disposable = nil }
    return both
  }
}
