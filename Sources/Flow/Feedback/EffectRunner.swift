/// What is to be done for some ``Work``, and the runs of it that are under way.
@usableFromInline
final class WorkRuns<State, W: Work> {
  @usableFromInline
  struct Run {
    @usableFromInline var cause: Cause
    /// Which of all runs of this work it is. A run that was dropped and begun again keeps its number.
    @usableFromInline let serial: Int
    /// That of the subscription; nil where there is none yet, or none any more.
    @usableFromInline var lifetime: Lifetime?

    @inlinable
    init(_ cause: Cause, _ serial: Int) { (self.cause, self.serial) = (cause, serial) }
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
  @usableFromInline var answers = Queue<(number: Int, serial: Int, answer: Answer)>()
  /// How many runs were begun.
  @usableFromInline let begun = Box(0)
  /// The sum over `runs`.
  @usableFromInline let sum = Box(RunSum())
  /// The highest number of a run that was begun.
  @usableFromInline let newest = Box(0)
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
    switch core.read(at: place, { $0.wanted }) {
    case .none: drop(core) { _ in true }
    case .one(let number):
      drop(core) { $0 != number }
      begin(number, core, cause)
    case .ascending(let numbers):
      drop(core) { !numbers.contains($0) }
      for number in numbers { begin(number, core, cause) }
    case .each(let cancelled, let sum): reconcile(with: sum, cancelled, core, cause)
    }
  }

  /// Begins the new runs, in time that doesn't depend on how many are under way. Looks at all of them only if the running ones
  /// would not be the wanted ones then: runs were cancelled, or another value has taken the place of the one before.
  @inlinable
  func reconcile(with sum: RunSum, _ cancelled: Int, _ core: FeedbackCore<State>, _ cause: Cause) {
    if !core.isActive.value && runs.isEmpty { return }
    var (firstNew, then) = (Int?.none, self.sum.value)
    forEachWanted(after: newest.value, core) { number in
      firstNew = firstNew ?? number
      then.add(number)
    }
    var first = 0
    if then == sum {
      guard let firstNew else { return }
      begin(firstNew, core, cause)
      first = firstNew
    } else {
      // A run that outlives its subscribers outlives its value as well, unless it was cancelled: its stream goes on, and its
      // answer is ignored.
      let outlives = core.read(at: place) { $0.outlivesSubscribers }
      drop(core, upTo: outlives ? cancelled : .max) { number in core.read(at: place) { $0.request(number) } == nil }
    }
    if core.isActive.value { forEachWanted(after: first, core) { begin($0, core, cause) } }
  }

  @inlinable
  func forEachWanted(after number: Int, _ core: FeedbackCore<State>, _ body: (Int) -> Void) {
    var last = number
    while let next = core.read(at: place, { $0.wantedNumber(after: last) }) {
      body(next)
      last = next
    }
  }

  /// Drops the runs that aren't wanted. The streams of those after a number go on.
  @inlinable
  func drop(_ core: FeedbackCore<State>, upTo last: Int = .max, where isUnwanted: (Int) -> Bool) {
    if runs.isEmpty { return }
    for number in runs.keys.filter(isUnwanted).sorted() { drop(number, core, goesOn: number > last) }
  }

  /// Begins a run, unless it is under way or nobody listens.
  @inlinable
  func begin(_ number: Int, _ core: FeedbackCore<State>, _ cause: Cause) {
    guard core.isActive.value, runs[number] == nil, let request = core.read(at: place, { $0.request(number) }) else {
      return
    }
    begun.value += 1
    let serial = begun.value
    runs[number] = Run(cause, serial)
    sum.value.add(number)
    newest.value = max(newest.value, number)
    core.runs.value += 1
    cause.call?.hold()
    guard let perform else { return answer(number, serial, .failure(UnexpectedEnd(message: noEffect)), core) }
    follow(perform(core, request, number), number, serial, core)
  }

  @usableFromInline
  var noEffect: String { "nothing says what is done for \(place.path); say it by react(to:)" }

  /// Takes the first value of a stream as a run's answer.
  @inlinable
  func follow(_ stream: Observable<W.Response>, _ number: Int, _ serial: Int, _ core: FeedbackCore<State>) {
    switch stream.source {
    case .just(let response): answer(number, serial, .response(response), core)
    case .empty: end(number, serial, nil, core)
    case .error(let error): end(number, serial, error, core)
    case .never: break
    case .stream, .state, .composed:
      // Dropped already, by what the effect itself did.
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

  /// Whose state the answer of a run is for; nil if nobody waits for it any more.
  @inlinable
  func awaiting(_ number: Int, _ serial: Int) -> FeedbackCore<State>? { runs[number]?.serial == serial ? core : nil }

  /// A stream has ended without a value. Where there is none to give, that is an answer as well.
  @inlinable
  func end(_ number: Int, _ serial: Int, _ failure: (any Error)?, _ core: FeedbackCore<State>) {
    if let failure {
      answer(number, serial, .failure(failure), core)
    } else if let nothing = () as? W.Response {
      answer(number, serial, .response(nothing), core)
    } else {
      answer(number, serial, .failure(UnexpectedEnd(message: "the source ended without a value")), core)
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

  /// Drops a run, whose stream may go on.
  @usableFromInline
  func drop(_ number: Int, _ core: FeedbackCore<State>, goesOn: Bool = false) {
    guard let run = remove(number, core) else { return }
    if let call = run.cause.call {
      call.note(.dropped)
      unsafe core.calls.append(call)
    }
    if !goesOn { run.lifetime?.dispose() }
  }

  @inlinable
  func remove(_ number: Int, _ core: FeedbackCore<State>) -> Run? {
    guard let run = runs.removeValue(forKey: number) else { return nil }
    sum.value.remove(number)
    core.runs.value -= 1
    return run
  }

  // MARK: - Answers

  @inlinable
  func answer(_ number: Int, _ serial: Int, _ answer: Answer, _ core: FeedbackCore<State>) {
    guard let run = runs[number], run.serial == serial, let slot else { return }
    if run.lifetime != nil { runs[number]?.lifetime = nil }
    answers.append((number, serial, answer))
    run.lifetime?.dispose()
    core.take(.answer(slot))
  }

  /// Changes the state by the answer that has come first; gives the cause of the run, or nil if it was dropped
  /// meanwhile.
  @inlinable
  func carryOutAnswer(_ core: FeedbackCore<State>) -> Cause? {
    guard let (number, serial, answer) = answers.popFirst(), runs[number]?.serial == serial,
      let cause = remove(number, core)?.cause
    else { return nil }
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
      for number in runs.keys.sorted(by: >) { drop(number, core) }
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
    while let (number, _, _) = answers.popFirst() { drop(number, core) }
    revision.value = -1
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
