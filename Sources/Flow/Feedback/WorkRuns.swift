/// What is to be done for some ``Work``, and the runs of it that are under way.
@usableFromInline
final class WorkRuns<State, W: Work> {
  @usableFromInline
  struct Run {
    @usableFromInline let number: Int
    @usableFromInline var cause: Cause
    /// That of the subscription; nil where there is none yet, or none any more.
    @usableFromInline var lifetime: Lifetime?
    /// Whether its answer waits to be carried out.
    @usableFromInline var isAnswered = false

    @inlinable
    init(_ number: Int, _ cause: Cause) {
      self.number = number
      self.cause = cause
    }
  }

  @usableFromInline
  enum Answer {
    case response(W.Response)
    case failure(any Error)
  }

  @usableFromInline let path: WritableKeyPath<State, W>
  /// What this belongs to, and is held by.
  @usableFromInline unowned var slot: WorkSlot<State>?
  @usableFromInline var perform: ((State, W.Request) -> Observable<W.Response>)?
  @usableFromInline var onFinish: [(FeedbackCore<State>, W.Response) -> Void] = []
  /// The revision that the runs were reconciled with last.
  @usableFromInline var revision = -1
  /// By their numbers.
  @usableFromInline var runs: [Run] = []
  @usableFromInline var answers = Queue<(number: Int, answer: Answer)>()
  /// The number of the failure that was seen last.
  @usableFromInline var failureNumber: Int?

  @inlinable
  init(_ path: WritableKeyPath<State, W>) {
    self.path = path
  }

  // MARK: - Beginning and dropping

  @inlinable
  func reconcile(_ core: FeedbackCore<State>, _ cause: Cause) {
    let revision = core.state[keyPath: path].revision
    guard revision != self.revision else { return }
    self.revision = revision
    let number = core.state[keyPath: path].failure?.number
    if number != failureNumber {
      failureNumber = number
      core.hasNewFailure = true
    }
    let wanted = core.state[keyPath: path].wanted
    var place = 0
    while place < runs.count {
      if wanted.contains(runs[place].number) { place += 1 } else { drop(at: place, core) }
    }
    switch wanted {
    case .none: break
    case .one(let number): begin(number, core, cause)
    case .ascending(let numbers): for number in numbers { begin(number, core, cause) }
    }
  }

  /// Begins a run, unless it is under way or nobody listens.
  @inlinable
  func begin(_ number: Int, _ core: FeedbackCore<State>, _ cause: Cause) {
    let place = runs.firstIndex(notBefore: number) { $0.number } ?? runs.count
    guard core.isActive, place == runs.count || runs[place].number != number else { return }
    runs.insert(Run(number, cause), at: place)
    core.runs += 1
    cause.call?.hold()
    guard let perform else { return answer(number, .failure(UnexpectedEnd(message: noEffect)), core) }
    let request = core.state[keyPath: path].request(number)
    follow(perform(core.state, request), number, core)
  }

  @usableFromInline
  var noEffect: String { "nothing says what is done for \(path); react(to:) does" }

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
      guard let place = openRun(number) else { return }
      let lifetime = Lifetime()
      runs[place].lifetime = lifetime
      stream.run(
        Sink { response in
          self.answer(number, .response(response), core)
        } end: { failure in
          self.end(number, failure, core)
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

  @usableFromInline
  func drop(at place: Int, _ core: FeedbackCore<State>) {
    let run = runs.remove(at: place)
    core.runs -= 1
    if let call = run.cause.call {
      call.note(.dropped)
      core.calls.append(call)
    }
    run.lifetime?.dispose()
  }

  // MARK: - Answers

  /// The place of a run that isn't answered.
  @inlinable
  func openRun(_ number: Int) -> Int? {
    guard let place = runs.firstIndex(notBefore: number, { $0.number }), runs[place].number == number else {
      return nil
    }
    return runs[place].isAnswered ? nil : place
  }

  @inlinable
  func answer(_ number: Int, _ answer: Answer, _ core: FeedbackCore<State>) {
    guard let place = openRun(number), let slot else { return }
    runs[place].isAnswered = true
    let lifetime = runs[place].lifetime
    runs[place].lifetime = nil
    answers.append((number, answer))
    lifetime?.dispose()
    core.take(.answer(slot))
  }

  /// Changes the state by the answer that has come first.
  ///
  /// - Returns: the cause of the run; nil if it was dropped meanwhile.
  @inlinable
  func carryOutAnswer(_ core: FeedbackCore<State>) -> Cause? {
    guard let (number, answer) = answers.popFirst(),
      let place = runs.firstIndex(notBefore: number, { $0.number }), runs[place].number == number
    else { return nil }
    let cause = runs.remove(at: place).cause
    core.runs -= 1
    var outcome = Outcome.finished
    do {
      switch answer {
      case .failure(let error): throw error
      case .response(let response):
        try core.state[keyPath: path].take(response, of: number)
        for finish in onFinish { finish(core, response) }
      }
    } catch is CancellationError {
      outcome = .nothing
      core.state[keyPath: path].end(number, failure: nil)
    } catch {
      outcome = .failed
      core.failures += 1
      core.state[keyPath: path].end(number, failure: Failure(error, trigger: cause.name, number: core.failures))
    }
    if let call = cause.call {
      call.note(outcome)
      core.calls.append(call)
    }
    return cause
  }

  // MARK: - From the first subscriber to the last

  @usableFromInline
  func stop(_ core: FeedbackCore<State>) {
    if core.state[keyPath: path].outlivesSubscribers {
      for place in runs.indices {
        guard let call = runs[place].cause.call else { continue }
        runs[place].cause = Cause(runs[place].cause.name)
        call.note(.dropped)
        core.calls.append(call)
      }
    } else {
      answers = Queue()
      while !runs.isEmpty { drop(at: runs.count - 1, core) }
    }
  }

  @usableFromInline
  func forgetAnswered(_ core: FeedbackCore<State>) {
    answers = Queue()
    for place in runs.indices.reversed() where runs[place].isAnswered { drop(at: place, core) }
    revision = -1
  }
}
