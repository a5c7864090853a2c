/// A part of the state from which work follows, whatever kind of work it is.
///
/// It is made of closures because those of inlinable functions are compiled for the types they are used with, and the
/// methods of a class that is looked up at run time are not.
@usableFromInline
final class WorkSlot<State> {
  @usableFromInline let path: PartialKeyPath<State>
  /// The rules and the runs, of the type that the kind of work has.
  @usableFromInline let rules: AnyObject
  /// Begins what is wanted, and drops what isn't any more.
  @usableFromInline let reconcile: (FeedbackCore<State>, Cause) -> Void
  /// Changes the state by the answer that has come first; gives the cause of the run, or nil if it was dropped meanwhile.
  @usableFromInline let carryOutAnswer: (FeedbackCore<State>) -> Cause?
  /// Has the work be looked at again: somebody listens now.
  @usableFromInline let renew: () -> Void
  /// Drops what runs: nobody listens any more.
  @usableFromInline let stop: (FeedbackCore<State>) -> Void
  /// Forgets the runs that have been answered, so that they are begun again in the next turn.
  @usableFromInline let forget: (FeedbackCore<State>) -> Void
  /// The failure that stands.
  @usableFromInline let failure: (FeedbackCore<State>) -> Failure?

  @inlinable
  init(
    _ path: PartialKeyPath<State>, _ rules: AnyObject,
    reconcile: @escaping (FeedbackCore<State>, Cause) -> Void,
    carryOutAnswer: @escaping (FeedbackCore<State>) -> Cause? = { _ in nil },
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
