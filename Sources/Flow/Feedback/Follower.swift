/// A part of a state that hears of something as long as anybody listens to the state, such as a list whose source says how
/// it changes.
///
/// The part is a value and says only what it wants to hear of. A ``Feedback`` follows that, and hands in what is heard. It
/// is no ``Effect``: it has no end, so nobody waits for it, and nothing is loading meanwhile.
public protocol Follower {
  /// What is followed.
  associatedtype Subject
  /// What is heard of it.
  associatedtype Event

  /// What is to be followed, and its ``UniqueNumber``, which is another each time that it is to be followed from the start;
  /// nil for nothing.
  var following: (number: Int, subject: Subject)? { get }

  /// Takes what was heard. It throws what is wrong with it, whose good parts may have been taken all the same.
  mutating func receive(_ event: Event) throws

  /// Takes note that nothing more will be heard, after an error or an end without one. It throws what is to be a failure.
  mutating func endFollowing(_ error: (any Error)?) throws

  /// Takes note of what was wrong with what was heard, or why nothing is.
  mutating func record(_ failure: Failure)
}

/// What a ``Follower`` follows at the time.
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
    // Last, so that whoever is told of both sees no time without anybody who listens.
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
  /// Says what is followed for a part of the state that wants to hear of something. It is followed as long as anybody
  /// listens to the outputs.
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
