/// A part of a state that follows events from outside while the state has subscribers, such as a list whose source
/// reports changes.
///
/// The part is a value and names only what it wants to follow. A ``Feedback`` subscribes to that, and passes the events
/// to the part. It isn't an ``Effect``: following has no end, so nothing waits for it, and nothing counts as loading
/// meanwhile.
public protocol Follower {
  /// The thing that is followed.
  associatedtype Subject
  /// An event of the thing that is followed.
  associatedtype Event

  /// What to follow, and its ``UniqueNumber``; nil to follow nothing. A new number follows the subject again from the
  /// start.
  var following: (number: Int, subject: Subject)? { get }

  /// Handles an event. If the event is faulty, it throws the error. It may have used the good parts of the event before
  /// that.
  mutating func receive(_ event: Event) throws

  /// Handles the end of the events, with or without an error. It throws an error if the end counts as a failure.
  mutating func endFollowing(_ error: (any Error)?) throws

  /// Records a failure: a faulty event, or the reason why there are no events.
  mutating func record(_ failure: Failure)
}

/// The current subscription of a ``Follower``.
private final class Followed<State, F: Follower> {
  private let field: StoredField<State, F, WritableKeyPath<State, F>>
  private let origin: Origin
  private let perform: (F.Subject) -> Observable<F.Event>
  private var number: Int?
  private var lifetime: Lifetime?

  init(_ path: WritableKeyPath<State, F>, _ name: String, _ perform: @escaping (F.Subject) -> Observable<F.Event>) {
    (field, origin, self.perform) = (StoredField(path), Origin(name), perform)
  }

  func reconcile(_ core: FeedbackCore<State>) {
    guard core.isActive.value else { return }
    let wanted = core.read(at: field) { $0.following }
    guard wanted?.number != number else { return }
    let old = lifetime
    number = wanted?.number
    lifetime = nil
    if let wanted {
      core.beginRule("follow(\(field.path))")
      follow(perform(wanted.subject), core)
    }
    // The old subscription ends last, so that a source of both never has zero subscribers in between.
    old?.dispose()
  }

  private func follow(_ stream: Observable<F.Event>, _ core: FeedbackCore<State>) {
    let lifetime = Lifetime()
    self.lifetime = lifetime
    func change(_ step: @escaping (inout F) throws -> Void) {
      guard lifetime.isActive else { return }
      core.receive(
        .input(
          origin,
          { [weak self] in
            if let self, lifetime === self.lifetime { carryOut(step, core) }
            return nil
          }))
    }
    stream.run(
      Sink { event in
        change { try $0.receive(event) }
      } end: { error in
        change { try $0.endFollowing(error) }
      }, lifetime)
  }

  private func carryOut(_ step: (inout F) throws -> Void, _ core: FeedbackCore<State>) {
    do {
      try core.change(at: field, step)
    } catch {
      core.failures += 1
      let failure = Failure(error, trigger: origin.name, number: core.failures)
      core.change(at: field) { $0.record(failure) }
    }
  }

  func stop() {
    lifetime?.dispose()
    (lifetime, number) = (nil, nil)
  }
}

extension Feedback {
  /// Declares how a part of the state follows events from outside. It follows them while an output has subscribers.
  ///
  /// Failures that follow from it have `name` as their trigger.
  public func follow<F: Follower>(
    _ path: WritableKeyPath<State, F>, as name: String, _ perform: @escaping (F.Subject) -> Observable<F.Event>
  ) {
    let followed = Followed(path, name, perform)
    unsafe core.effects.append(
      AnyEffect(
        path, followed, reconcile: { core, _ in followed.reconcile(core) }, stop: { _ in followed.stop() }))
  }
}
