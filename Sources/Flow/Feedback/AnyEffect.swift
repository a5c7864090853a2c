/// A part of the state from which something follows: an ``Effect``, a ``Pause``, a ``Pulse`` or a ``Follower``.
///
/// It consists of closures, because closures of inlinable functions are compiled for the types that they are used with.
/// The methods of a class that is looked up at run time aren't.
@usableFromInline
final class AnyEffect<State> {
  @usableFromInline let path: PartialKeyPath<State>
  /// The rules and the runs, of a type that depends on the kind.
  @usableFromInline let rules: AnyObject
  /// Begins what is wanted, and drops what is no longer wanted.
  @usableFromInline let reconcile: (FeedbackCore<State>, Origin) -> Void
  /// Changes the state by the oldest answer. Returns the origin of its run; nil if that was dropped meanwhile.
  @usableFromInline let carryOutAnswer: (FeedbackCore<State>) -> Origin?
  /// Forgets the last revision, because somebody listens now.
  @usableFromInline let renew: () -> Void
  /// Drops the runs, because nobody listens any more.
  @usableFromInline let stop: (FeedbackCore<State>) -> Void
  /// Forgets the answers that wait, so that their runs are begun again in the next turn.
  @usableFromInline let forget: (FeedbackCore<State>) -> Void
  /// The failure that stands.
  @usableFromInline let failure: (FeedbackCore<State>) -> Failure?

  @inlinable
  init(
    _ path: PartialKeyPath<State>, _ rules: AnyObject,
    reconcile: @escaping (FeedbackCore<State>, Origin) -> Void,
    carryOutAnswer: @escaping (FeedbackCore<State>) -> Origin? = { _ in nil },
    renew: @escaping () -> Void = {},
    stop: @escaping (FeedbackCore<State>) -> Void = { _ in },
    forget: @escaping (FeedbackCore<State>) -> Void = { _ in },
    failure: @escaping (FeedbackCore<State>) -> Failure? = { _ in nil }
  ) {
    self.path = path
    self.rules = rules
    self.reconcile = reconcile
    self.carryOutAnswer = carryOutAnswer
    self.renew = renew
    self.stop = stop
    self.forget = forget
    self.failure = failure
  }
}
