/// The rules for an ``Effect``, and its current runs.
@usableFromInline
final class EffectRunner<State, E: Effect> {
  @usableFromInline
  struct Run {
    @usableFromInline var origin: Origin
    /// Distinguishes runs with the same number: a run that is dropped and begun again keeps its number.
    @usableFromInline let serial: Int
    /// The lifetime of the run's subscription; nil before the subscription begins and after it has ended.
    @usableFromInline var lifetime: Lifetime?

    @inlinable
    init(_ origin: Origin, _ serial: Int) { (self.origin, self.serial) = (origin, serial) }
  }

  @usableFromInline
  enum Answer {
    case response(E.Response)
    case failure(any Error)
  }

  @usableFromInline let field: StoredField<State, E, WritableKeyPath<State, E>>
  /// The effect that owns this.
  @usableFromInline unowned var effect: AnyEffect<State>?
  /// The owner of the state. Runs don't keep it alive, because an edit continues after its list is closed, and some
  /// sources retain a cancelled load.
  @usableFromInline weak var core: FeedbackCore<State>?
  @usableFromInline var perform: ((FeedbackCore<State>, E.Request, _ number: Int) -> Observable<E.Response>)?
  @usableFromInline var onFinish: [(FeedbackCore<State>, E.Response) throws -> Void] = []
  @usableFromInline var onFailure: [(FeedbackCore<State>, E.Request, Failure) -> Void] = []
  /// The effect's revision when the runs were last reconciled.
  @usableFromInline let revision = Box(-1)
  /// The runs by number. There may be very many, for example edits that wait for a source, so removal must be fast.
  @usableFromInline var runs: [Int: Run] = [:]
  @usableFromInline var answers = Queue<(number: Int, serial: Int, answer: Answer)>()
  /// The number of runs begun so far.
  @usableFromInline let begun = Box(0)
  /// The sum over the numbers of `runs`.
  @usableFromInline let sum = Box(RunSum())
  /// The highest number of all runs begun so far.
  @usableFromInline let newest = Box(0)
  /// The number of the last known failure.
  @usableFromInline let failureNumber = Box<Int?>(nil)

  @inlinable
  init(_ path: WritableKeyPath<State, E>) { field = StoredField(path) }

  // MARK: - Beginning and dropping

  @inlinable
  func reconcile(_ core: FeedbackCore<State>, _ origin: Origin) {
    // All are read in one access, because a computed property of the state is expensive to read.
    let revision = revision.value
    let changed = core.read(at: field) { effect in
      effect.revision == revision
        ? nil : (effect.revision, effect.failure?.number, effect.wanted, newRuns(of: effect, core))
    }
    guard let (newRevision, failureNumber, wanted, new) = changed else { return }
    self.revision.value = newRevision
    if failureNumber != self.failureNumber.value {
      self.failureNumber.value = failureNumber
      core.hasNewFailure.value = true
    }
    switch wanted {
    case .none: drop(core) { _ in true }
    case .one(let number):
      drop(core) { $0 != number }
      begin(number, core, origin)
    case .ascending(let numbers):
      drop(core) { !numbers.contains($0) }
      for number in numbers { begin(number, core, origin) }
    case .each(let cancelled, let sum): reconcile(with: sum, cancelled, new, core, origin)
    }
  }

  /// The wanted runs that are newer than all runs begun so far. Empty for an effect that lists its wanted runs.
  @inlinable
  func newRuns(of effect: E, _ core: FeedbackCore<State>) -> [(number: Int, request: E.Request)] {
    var new: [(number: Int, request: E.Request)] = []
    guard core.isActive.value || !runs.isEmpty, case .each = effect.wanted else { return new }
    var last = newest.value
    while let number = effect.wantedNumber(after: last) {
      if let request = effect.request(number) { new.append((number, request)) }
      last = number
    }
    return new
  }

  /// Begins the new runs. The time doesn't depend on the number of current runs, unless the sums show that they would
  /// then differ from the wanted runs. In that case runs were cancelled or the value was replaced, and it compares all
  /// of them.
  @inlinable
  func reconcile(
    with sum: RunSum, _ cancelled: Int, _ new: [(number: Int, request: E.Request)], _ core: FeedbackCore<State>,
    _ origin: Origin
  ) {
    if !core.isActive.value && runs.isEmpty { return }
    var then = self.sum.value
    for (number, _) in new { then.add(number) }
    if then == sum {
      if core.isActive.value { for (number, request) in new { begin(number, request, core, origin) } }
      return
    }
    // A run that outlives its subscribers also outlives its value, unless it was cancelled: its stream continues, and
    // its answer is ignored.
    let outlives = core.read(at: field) { $0.outlivesSubscribers }
    drop(core, upTo: outlives ? cancelled : .max) { number in core.read(at: field) { $0.request(number) } == nil }
    if core.isActive.value { forEachWanted(after: 0, core) { begin($0, core, origin) } }
  }

  @inlinable
  func forEachWanted(after number: Int, _ core: FeedbackCore<State>, _ body: (Int) -> Void) {
    var last = number
    while let next = core.read(at: field, { $0.wantedNumber(after: last) }) {
      body(next)
      last = next
    }
  }

  /// Drops the runs that aren't wanted. The streams of runs with numbers above `last` continue.
  @inlinable
  func drop(_ core: FeedbackCore<State>, upTo last: Int = .max, where isUnwanted: (Int) -> Bool) {
    if runs.isEmpty { return }
    for number in runs.keys.filter(isUnwanted).sorted() { drop(number, core, goesOn: number > last) }
  }

  /// Begins a run, unless it is already running or the state has no subscribers.
  @inlinable
  func begin(_ number: Int, _ core: FeedbackCore<State>, _ origin: Origin) {
    guard core.isActive.value, runs[number] == nil, let request = core.read(at: field, { $0.request(number) }) else {
      return
    }
    begin(number, request, core, origin)
  }

  @inlinable
  func begin(_ number: Int, _ request: E.Request, _ core: FeedbackCore<State>, _ origin: Origin) {
    begun.value += 1
    let serial = begun.value
    var origin = origin
    if !E.isAwaited {
      origin.call?.record(.finished)
      origin = Origin(origin.name)
    }
    runs[number] = Run(origin, serial)
    sum.value.add(number)
    newest.value = max(newest.value, number)
    if E.isAwaited { core.runs.value += 1 }
    origin.call?.hold()
    guard let perform else { return answer(number, serial, .failure(UnexpectedEnd(message: noEffect)), core) }
    core.beginRule("react(to: \(field.path))")
    follow(perform(core, request, number), number, serial, core)
  }

  @usableFromInline
  var noEffect: String { "no rule handles \(field.path); add react(to:)" }

  /// Uses the first value of a stream as the answer of a run.
  @inlinable
  func follow(_ stream: Observable<E.Response>, _ number: Int, _ serial: Int, _ core: FeedbackCore<State>) {
    switch stream.source {
    case .just(let response): answer(number, serial, .response(response), core)
    case .empty: end(number, serial, nil, core)
    case .error(let error): end(number, serial, error, core)
    case .never: break
    case .stream, .state, .composed:
      // The effect's own work may have dropped the run already.
      guard runs[number]?.serial == serial else { return }
      let lifetime = Lifetime()
      runs[number]?.lifetime = lifetime
      stream.run(
        Sink { response in
          if let core = self.awaiting(number, serial) {
            self.answer(number, serial, .response(response), core)
          } else {
            lifetime.dispose()
          }
        } end: { failure in
          if let core = self.awaiting(number, serial) {
            self.end(number, serial, failure, core)
          } else {
            lifetime.dispose()
          }
        }, lifetime)
    }
  }

  /// The state that the answer of a run is for; nil if the run was dropped.
  @inlinable
  func awaiting(_ number: Int, _ serial: Int) -> FeedbackCore<State>? { runs[number]?.serial == serial ? core : nil }

  /// Handles the end of a stream without a value. This is a failure, unless the effect has an empty response.
  @inlinable
  func end(_ number: Int, _ serial: Int, _ failure: (any Error)?, _ core: FeedbackCore<State>) {
    if let failure {
      answer(number, serial, .failure(failure), core)
    } else if let empty = E.emptyResponse {
      answer(number, serial, .response(empty), core)
    } else {
      answer(number, serial, .failure(UnexpectedEnd(message: "the source ended without a value")), core)
    }
  }

  /// Records a run's report in the state, unless the run was dropped.
  @inlinable
  func record(_ report: RunReport, of number: Int, _ core: FeedbackCore<State>) {
    guard let run = runs[number] else { return }
    core.receive(
      .input(
        run.origin,
        { [self] in
          if runs[number] != nil { core.change(at: field) { $0.record(report, of: number) } }
          return nil
        }))
  }

  /// Drops a run. If `goesOn`, its stream continues.
  @usableFromInline
  func drop(_ number: Int, _ core: FeedbackCore<State>, goesOn: Bool = false) {
    guard let run = remove(number, core) else { return }
    if let call = run.origin.call {
      call.record(.dropped)
      unsafe core.calls.append(call)
    }
    if !goesOn { run.lifetime?.dispose() }
  }

  @inlinable
  func remove(_ number: Int, _ core: FeedbackCore<State>) -> Run? {
    guard let run = runs.removeValue(forKey: number) else { return nil }
    sum.value.remove(number)
    if E.isAwaited { core.runs.value -= 1 }
    return run
  }

  // MARK: - Answers

  @inlinable
  func answer(_ number: Int, _ serial: Int, _ answer: Answer, _ core: FeedbackCore<State>) {
    guard let run = runs[number], run.serial == serial, let effect else { return }
    if run.lifetime != nil { runs[number]?.lifetime = nil }
    answers.append((number, serial, answer))
    run.lifetime?.dispose()
    core.receive(.answer(effect))
  }

  /// Changes the state by the oldest answer. Returns the origin of its run; nil if the run was dropped meanwhile.
  @inlinable
  func carryOutAnswer(_ core: FeedbackCore<State>) -> Origin? {
    guard let (number, serial, answer) = answers.popFirst(), runs[number]?.serial == serial,
      let origin = remove(number, core)?.origin
    else { return nil }
    // Read before the change, because the effect then forgets the request together with the run.
    let request = onFailure.isEmpty ? nil : core.read(at: field) { $0.request(number) }
    var outcome = Outcome.finished
    do {
      switch answer {
      case .failure(let error): throw error
      case .response(let response):
        try core.change(at: field) { try $0.receive(response, of: number) }
        if !onFinish.isEmpty { core.beginRule("on(finished: \(field.path))") }
        for finish in onFinish { try finish(core, response) }
      }
    } catch is CancellationError {
      outcome = .nothing
      core.change(at: field) { $0.end(number, failure: nil) }
    } catch {
      outcome = .failed
      core.failures += 1
      let failure = Failure(error, trigger: origin.name, number: core.failures)
      core.change(at: field) { $0.end(number, failure: failure) }
      if let request {
        core.beginRule("on(failed: \(field.path))")
        for rule in onFailure { rule(core, request, failure) }
      }
    }
    if let call = origin.call {
      call.record(outcome)
      unsafe core.calls.append(call)
    }
    return origin
  }

  // MARK: - Stop

  @usableFromInline
  func stop(_ core: FeedbackCore<State>) {
    if runs.isEmpty { return }
    if core.read(at: field, { $0.outlivesSubscribers }) {
      for (number, run) in runs.sorted(by: { $0.key < $1.key }) {
        guard let call = run.origin.call else { continue }
        runs[number]?.origin = Origin(run.origin.name)
        call.record(.dropped)
        unsafe core.calls.append(call)
      }
    } else {
      for number in runs.keys.sorted(by: >) { drop(number, core) }
    }
  }

  /// Discards the queued answers of a turn that was stopped. Answers of work that outlives its subscribers are applied
  /// instead, because such work must not be done twice.
  @usableFromInline
  func forgetAnswered(_ core: FeedbackCore<State>) {
    if core.read(at: field, { $0.outlivesSubscribers }) {
      while !answers.isEmpty { _ = carryOutAnswer(core) }
      revision.value = -1
      return
    }
    while let (number, _, _) = answers.popFirst() { drop(number, core) }
    revision.value = -1
  }
}

extension FeedbackCore {
  /// The rules for a part of the state; nil if there are none yet.
  @inlinable
  func rules<Rules: AnyObject>(for path: PartialKeyPath<State>) -> Rules? {
    for effect in unsafe effects where effect.path == path {
      if let rules = effect.rules as? Rules { return rules }
    }
    return nil
  }

  /// The runner of an effect. It is made at the first use.
  @inlinable
  func runner<E: Effect>(_ path: WritableKeyPath<State, E>) -> EffectRunner<State, E> {
    if let runner: EffectRunner<State, E> = rules(for: path) { return runner }
    let runner = EffectRunner(path)
    let effect = AnyEffect(
      path, runner,
      reconcile: { core, origin in runner.reconcile(core, origin) },
      carryOutAnswer: { core in runner.carryOutAnswer(core) },
      renew: { runner.revision.value = -1 },
      stop: { core in runner.stop(core) },
      forget: { core in runner.forgetAnswered(core) },
      failure: { core in core.read(at: runner.field) { $0.failure } })
    runner.effect = effect
    runner.core = self
    unsafe effects.append(effect)
    return runner
  }
}
