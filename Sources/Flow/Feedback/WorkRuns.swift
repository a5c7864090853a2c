/// What is to be done for some ``Work``, and the runs of it that are under way.
@usableFromInline
final class WorkRuns<State, W: Work> {
  @usableFromInline
  struct Run {
    @usableFromInline var cause: Cause
    /// That of the subscription; nil where there is none yet, or none any more.
    @usableFromInline var lifetime: Lifetime?

    @inlinable
    init(_ cause: Cause) { self.cause = cause }
  }

  @usableFromInline
  enum Answer {
    case response(W.Response)
    case failure(any Error)
  }

  @usableFromInline let place: Place<State, W, WritableKeyPath<State, W>>
  /// What this belongs to, and is held by.
  @usableFromInline unowned var slot: WorkSlot<State>?
  /// Whose state it is. What waits for an answer doesn't keep that: an edit goes on when its list is closed, and not every
  /// source lets go of who has called off a load.
  @usableFromInline weak var core: FeedbackCore<State>?
  @usableFromInline var perform: ((FeedbackCore<State>, W.Request, _ number: Int) -> Observable<W.Response>)?
  @usableFromInline var onFinish: [(FeedbackCore<State>, W.Response) throws -> Void] = []
  /// The revision that the runs were reconciled with last.
  @usableFromInline let revision = Box(-1)
  /// By their numbers. There may be very many, as of edits that wait for a source, and one ends as soon as another.
  @usableFromInline var runs: [Int: Run] = [:]
  @usableFromInline var answers = Queue<(number: Int, answer: Answer)>()
  /// The number of the run that was begun last, where each is begun once.
  @usableFromInline let newest = Box(0)
  /// Up to which number runs were dropped, where each is begun once.
  @usableFromInline let oldest = Box(0)
  /// The runs that were dropped although they are wanted, and are to be begun again, where each is begun once otherwise.
  @usableFromInline var interrupted: [Int] = []
  /// The number of the failure that was seen last.
  @usableFromInline let failureNumber = Box<Int?>(nil)

  @inlinable
  init(_ path: WritableKeyPath<State, W>) { place = Place(path) }

  // MARK: - Beginning and dropping

  @inlinable
  func reconcile(_ core: FeedbackCore<State>, _ cause: Cause) {
    let revision = core.read(at: place) { $0.revision }
    guard revision != self.revision.value else { return }
    self.revision.value = revision
    let number = core.read(at: place) { $0.failure?.number }
    if number != failureNumber.value {
      failureNumber.value = number
      core.hasNewFailure.value = true
    }
    let wanted = core.read(at: place) { $0.wanted }
    if case .eachOnce(let first, let last) = wanted {
      if first > oldest.value { dropUnwanted(wanted, core) }
      oldest.value = first
      return beginAll(through: last, core, cause)
    }
    dropUnwanted(wanted, core)
    switch wanted {
    case .none, .eachOnce: break
    case .one(let number): begin(number, core, cause)
    case .ascending(let numbers): for number in numbers { begin(number, core, cause) }
    }
  }

  @inlinable
  func dropUnwanted(_ wanted: WantedNumbers, _ core: FeedbackCore<State>) {
    for number in runs.keys.filter({ !wanted.contains($0) }).sorted() { drop(number, core) }
  }

  /// Begins the runs that have never been, and those that were interrupted, in time that doesn't depend on how many are
  /// under way.
  @inlinable
  func beginAll(through last: Int, _ core: FeedbackCore<State>, _ cause: Cause) {
    if interrupted.count > 1 { interrupted.sort(by: >) }
    while core.isActive.value, let number = interrupted.popLast() {
      if number > oldest.value { begin(number, core, cause) }
    }
    newest.value = max(newest.value, oldest.value)
    while core.isActive.value, newest.value < last {
      newest.value += 1
      begin(newest.value, core, cause)
    }
  }

  /// Begins a run, unless it is under way or nobody listens.
  @inlinable
  func begin(_ number: Int, _ core: FeedbackCore<State>, _ cause: Cause) {
    guard core.isActive.value, runs[number] == nil else { return }
    runs[number] = Run(cause)
    core.runs.value += 1
    cause.call?.hold()
    guard let perform else { return answer(number, .failure(UnexpectedEnd(message: noEffect)), core) }
    let request = core.read(at: place) { $0.request(number) }
    follow(perform(core, request, number), number, core)
  }

  @usableFromInline
  var noEffect: String { "nothing says what is done for \(place.path); say it by react(to:)" }

  /// Takes the first value of a stream as a run's answer.
  @inlinable
  func follow(_ stream: Observable<W.Response>, _ number: Int, _ core: FeedbackCore<State>) {
    switch stream.source {
    case .just(let response): answer(number, .response(response), core)
    case .empty: end(number, nil, core)
    case .error(let error): end(number, error, core)
    case .never: break
    case .stream, .state, .composed:
      // Dropped already, by what the effect itself did.
      guard runs[number] != nil else { return }
      let lifetime = Lifetime()
      runs[number]?.lifetime = lifetime
      stream.run(
        Sink { response in
          if let core = self.core { self.answer(number, .response(response), core) } else { lifetime.dispose() }
        } end: { failure in
          if let core = self.core { self.end(number, failure, core) } else { lifetime.dispose() }
        }, lifetime)
    }
  }

  /// A stream has ended without a value. Where there is none to give, that is an answer as well.
  @inlinable
  func end(_ number: Int, _ failure: (any Error)?, _ core: FeedbackCore<State>) {
    if let failure {
      answer(number, .failure(failure), core)
    } else if let nothing = () as? W.Response {
      answer(number, .response(nothing), core)
    } else {
      answer(number, .failure(UnexpectedEnd(message: "the source ended without a value")), core)
    }
  }

  /// Passes on to the state what a run reports, unless it was dropped.
  @inlinable
  func note(_ report: RunReport, of number: Int, _ core: FeedbackCore<State>) {
    guard let run = runs[number] else { return }
    core.take(
      .input(
        run.cause,
        { [self] in
          if runs[number] != nil { core.change(at: place) { $0.note(report, of: number) } }
          return nil
        }))
  }

  @usableFromInline
  func drop(_ number: Int, _ core: FeedbackCore<State>) {
    guard let run = runs.removeValue(forKey: number) else { return }
    core.runs.value -= 1
    if let call = run.cause.call {
      call.note(.dropped)
      unsafe core.calls.append(call)
    }
    run.lifetime?.dispose()
  }

  // MARK: - Answers

  @inlinable
  func answer(_ number: Int, _ answer: Answer, _ core: FeedbackCore<State>) {
    guard let lifetime = runs[number].map(\.lifetime), let slot else { return }
    if lifetime != nil { runs[number]?.lifetime = nil }
    answers.append((number, answer))
    lifetime?.dispose()
    core.take(.answer(slot))
  }

  /// Changes the state by the answer that has come first; gives the cause of the run, or nil if it was dropped
  /// meanwhile.
  @inlinable
  func carryOutAnswer(_ core: FeedbackCore<State>) -> Cause? {
    guard let (number, answer) = answers.popFirst(), let cause = runs.removeValue(forKey: number)?.cause else {
      return nil
    }
    core.runs.value -= 1
    var outcome = Outcome.finished
    do {
      switch answer {
      case .failure(let error): throw error
      case .response(let response):
        try core.change(at: place) { try $0.take(response, of: number) }
        for finish in onFinish { try finish(core, response) }
      }
    } catch is CancellationError {
      outcome = .nothing
      core.change(at: place) { $0.end(number, failure: nil) }
    } catch {
      outcome = .failed
      core.failures += 1
      let failure = Failure(error, trigger: cause.name, number: core.failures)
      core.change(at: place) { $0.end(number, failure: failure) }
    }
    if let call = cause.call {
      call.note(outcome)
      unsafe core.calls.append(call)
    }
    return cause
  }

  // MARK: - From the first subscriber to the last

  @usableFromInline
  func stop(_ core: FeedbackCore<State>) {
    if core.read(at: place, { $0.outlivesSubscribers }) {
      for (number, run) in runs.sorted(by: { $0.key < $1.key }) {
        guard let call = run.cause.call else { continue }
        runs[number]?.cause = Cause(run.cause.name)
        call.note(.dropped)
        unsafe core.calls.append(call)
      }
    } else {
      for number in runs.keys.sorted(by: >) { interrupt(number, core) }
    }
  }

  /// Forgets the answers of a turn that is broken off. Those of work that isn't done twice are carried out.
  @usableFromInline
  func forgetAnswered(_ core: FeedbackCore<State>) {
    if core.read(at: place, { $0.outlivesSubscribers }) {
      while !answers.isEmpty { _ = carryOutAnswer(core) }
      revision.value = -1
      return
    }
    while let (number, _) = answers.popFirst() { interrupt(number, core) }
    revision.value = -1
  }

  /// Drops a run that is to be begun again.
  private func interrupt(_ number: Int, _ core: FeedbackCore<State>) {
    if newest.value > 0 { interrupted.append(number) }
    drop(number, core)
  }
}

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

extension FeedbackCore {
  /// The rules for a part of the state, if there are any yet.
  @inlinable
  func rules<Rules: AnyObject>(for path: PartialKeyPath<State>) -> Rules? {
    for slot in unsafe slots where slot.path == path {
      if let rules = slot.rules as? Rules { return rules }
    }
    return nil
  }

  /// The rules for some work, made when they are first asked for.
  @inlinable
  func work<W: Work>(_ path: WritableKeyPath<State, W>) -> WorkRuns<State, W> {
    if let runs: WorkRuns<State, W> = rules(for: path) { return runs }
    let runs = WorkRuns(path)
    let slot = WorkSlot(
      path, runs,
      reconcile: { core, cause in runs.reconcile(core, cause) },
      carryOutAnswer: { core in runs.carryOutAnswer(core) },
      renew: { runs.revision.value = -1 },
      stop: { core in runs.stop(core) },
      forget: { core in runs.forgetAnswered(core) },
      failure: { core in core.read(at: runs.place) { $0.failure } })
    runs.slot = slot
    runs.core = self
    unsafe slots.append(slot)
    return runs
  }
}
