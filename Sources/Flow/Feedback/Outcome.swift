/// What has become of all the work that a call of an input has begun.
public enum Outcome: String, Sendable, Comparable, CaseIterable {
  /// It has begun no work.
  case nothing
  /// All of its work has finished.
  case finished
  /// Something newer has taken the place of some of its work, or nobody wants it any more.
  case dropped
  /// Some of its work has failed.
  case failed

  /// Whether another outcome counts more, where a call has both.
  public static func < (left: Outcome, right: Outcome) -> Bool { left.rank < right.rank }

  private var rank: Int {
    switch self {
    case .nothing: 0
    case .finished: 1
    case .dropped: 2
    case .failed: 3
    }
  }
}

/// What a step follows from, and so all the work that the step begins.
@usableFromInline
package struct Cause {
  /// The name of the input.
  @usableFromInline let name: String
  /// The call, if it waits until all is over.
  @usableFromInline let call: WaitingCall?

  @inlinable
  init(_ name: String, _ call: WaitingCall? = nil) {
    self.name = name
    self.call = call
  }

  /// The same cause under another name.
  @inlinable
  func named(_ name: String) -> Cause { name.isEmpty ? self : Cause(name, call) }
}

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

  /// Notes what has become of some work.
  @usableFromInline
  func note(_ outcome: Outcome) { self.outcome = max(self.outcome, outcome) }

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
