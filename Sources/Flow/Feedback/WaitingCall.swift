/// A call that is answered when everything that it began is over.
@usableFromInline
package final class WaitingCall {
  private var holds = 0
  private var outcome = Outcome.nothing
  private var answer: ((Outcome) -> Void)?

  package init(_ answer: @escaping (Outcome) -> Void) { self.answer = answer }

  /// Delays the answer until the matching ``release()``.
  @usableFromInline
  package func hold() { holds += 1 }

  /// Records the outcome of some work.
  @usableFromInline
  func record(_ outcome: Outcome) { self.outcome = max(self.outcome, outcome) }

  /// Ends a ``hold()``. The last one sends the answer.
  @usableFromInline
  package func release() {
    holds -= 1
    guard holds == 0, let answer else { return }
    self.answer = nil
    answer(outcome)
  }

  /// Prevents the answer.
  func cancel() { answer = nil }
}
