/// A call that is answered when all that it has begun is over.
@usableFromInline
package final class WaitingCall {
  private var holds = 0
  private var outcome = Outcome.nothing
  private var answer: ((Outcome) -> Void)?

  package init(_ answer: @escaping (Outcome) -> Void) { self.answer = answer }

  /// Keeps the answer back until a ``release()``.
  @usableFromInline
  package func hold() { holds += 1 }

  /// Records the outcome of some work.
  @usableFromInline
  func record(_ outcome: Outcome) { self.outcome = max(self.outcome, outcome) }

  /// Answers, if nothing keeps the answer back any more.
  @usableFromInline
  package func release() {
    holds -= 1
    guard holds == 0, let answer else { return }
    self.answer = nil
    answer(outcome)
  }

  /// Never answers.
  func cancel() { answer = nil }
}
