/// A part of the state that has consequences: an ``Effect``, a ``Pause``, a ``Pulse`` or a ``Follower``.
///
/// It consists of closures, because closures of inlinable functions are compiled for the types that they are used with.
/// The methods of a class that is looked up at run time aren't.
@usableFromInline
final class AnyEffect<State> {
  @usableFromInline let path: PartialKeyPath<State>
  /// The rules and the runs. Their type depends on the kind of part.
  @usableFromInline let rules: AnyObject
  /// Begins the runs that are wanted, and drops those that are no longer wanted.
  @usableFromInline let reconcile: (FeedbackCore<State>, Origin) -> Void
  /// Changes the state by the oldest answer. Returns the origin of its run; nil if the run was dropped meanwhile.
  @usableFromInline let carryOutAnswer: (FeedbackCore<State>) -> Origin?
  /// Resets the last revision, because a first subscriber has arrived. The next turn then compares the part again.
  @usableFromInline let renew: () -> Void
  /// Drops the runs, because the last subscriber has left.
  @usableFromInline let stop: (FeedbackCore<State>) -> Void
  /// Discards the queued answers. The next turn begins their runs again.
  @usableFromInline let forget: (FeedbackCore<State>) -> Void
  /// The current failure of the part; nil if it has none.
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
