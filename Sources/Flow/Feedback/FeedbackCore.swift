/// The parts of a ``Feedback``: its state, the queue of steps, and the effects. It runs turns as ``Turn`` describes.
@usableFromInline
final class FeedbackCore<State> {
  /// A step that waits for those before it.
  @usableFromInline
  enum Step {
    /// A change of the state by an input or an event from elsewhere. The closure returns why it is refused.
    case input(Origin, () -> (any Error)?)
    /// The answer to a run of an effect.
    case answer(AnyEffect<State>)
  }

  @usableFromInline let clock: any Scheduler
  @usableFromInline let turn = Turn()
  /// Subscribes to what is followed from elsewhere.
  @usableFromInline var follow: [(FeedbackCore, Lifetime) -> Void] = []
  @usableFromInline let following = SerialDisposable()
  /// The rules for the first subscription, and for the end of the last one.
  @usableFromInline var onOpen: [(inout State) -> Void] = []
  @usableFromInline var onClose: [(inout State) -> Void] = []
  /// Whether the rules of `onClose` were carried out already, because no more input comes.
  private var isInputEnded = false

  // None of these is checked for overlapping accesses at run time, which would cost more than all the rest of a turn: see
  // `change(_:)` for the state; the others are changed by code of the standard library alone.
  @exclusivity(unchecked) @usableFromInline var stored: State
  /// What may follow from the state, in the order in which rules name it first.
  @exclusivity(unchecked) @usableFromInline var effects: [AnyEffect<State>] = []
  /// How many effects only prepare a part of the state. They come before the others.
  private var preparations = 0
  @exclusivity(unchecked) @usableFromInline var waiting = Queue<Step>()
  /// What signals and other inputs are to be sent at the end of the turn.
  @exclusivity(unchecked) @usableFromInline var events = Queue<() -> Void>()
  /// The calls that may be over when the turn is.
  @exclusivity(unchecked) @usableFromInline var calls: [WaitingCall] = []

  @usableFromInline let isChanging = Box(false)
  @usableFromInline let isInTurn = Box(false)
  /// Whether anybody listens: only then is work begun.
  @usableFromInline let isActive = Box(false)
  /// How many runs are under way.
  @usableFromInline let runs = Box(0)
  /// The newest failure that stands.
  @usableFromInline let failure = Box<Failure?>(nil)
  @usableFromInline let hasNewFailure = Box(false)
  @usableFromInline var failures = 0

  @inlinable
  init(_ state: State, on clock: any Scheduler) {
    unsafe stored = state
    self.clock = clock
    turn.owner = self
    turn.start = { [unowned self] in start() }
    turn.stop = { [unowned self] in stop() }
    clock.timers.record(self)
  }
}

// MARK: - The state

extension FeedbackCore {
  @inlinable
  var state: State {
    expectNoChange()
    return unsafe stored
  }

  /// Looks at the state where it lies.
  @inlinable
  func read<Result, Failed: Error>(_ body: (State) throws(Failed) -> Result) throws(Failed) -> Result {
    expectNoChange()
    return try unsafe body(stored)
  }

  /// Changes the state in place. Meanwhile nobody else may read or change it.
  @inlinable
  func change<Result, Failed: Error>(_ step: (inout State) throws(Failed) -> Result) throws(Failed) -> Result {
    expectNoChange()
    isChanging.value = true
    defer { isChanging.value = false }
    return try unsafe step(&stored)
  }

  /// Changes the state by a step that changes nothing if it throws: such a one works on a copy.
  @inlinable
  func changeOrThrow<Result, Failed: Error>(_ step: (inout State) throws(Failed) -> Result) throws(Failed) -> Result {
    if Failed.self == Never.self { return try change(step) }
    var changed = state
    let result = try step(&changed)
    change { $0 = changed }
    return result
  }

  /// A step sees the state that it changes by its parameter alone. To read it another way is as wrong as to read an array
  /// while it is sorted, and ends the program as that does.
  @inlinable
  func expectNoChange() {
    precondition(!isChanging.value, "a step must read the state through its parameter only")
  }
}

// MARK: - Turns

extension FeedbackCore {
  /// How many steps a turn may have. What follows from itself without end is an error of the author's.
  @inlinable
  var longestTurn: Int { 1000 }

  /// Carries out a step: immediately, or queued if a turn is running. Returns why it is refused.
  @inlinable
  func receive<Value, Refused: Error, Result>(
    _ value: Value, _ origin: Origin, _ step: @escaping (inout State, Value) throws(Refused) -> Result,
    _ signal: Subscribers<Result>
  ) -> (any Error)? {
    guard !isInTurn.value else {
      wait(.input(origin, { [self] in carryOut(value, step, signal) }))
      return nil
    }
    isInTurn.value = true
    beginRule("on(\(origin.name))")
    let refusal = carryOut(value, step, signal)
    endTurn(origin)
    return refusal
  }

  /// Changes the state by a step, unless that refuses.
  @inlinable
  func carryOut<Value, Refused: Error, Result>(
    _ value: Value, _ step: (inout State, Value) throws(Refused) -> Result, _ signal: Subscribers<Result>
  ) -> (any Error)? {
    do throws(Refused) {
      send(try changeOrThrow { state throws(Refused) in try step(&state, value) }, signal)
      return nil
    } catch {
      return error
    }
  }

  /// Sends what a value comes to in the current state. As that stays as it is, no driver has to look at it.
  @inlinable
  func send<Value, Refused: Error, Result>(
    _ value: Value, _ origin: Origin, _ make: @escaping (State, Value) throws(Refused) -> Result,
    _ signal: Subscribers<Result>
  ) -> (any Error)? {
    let isAlone = !isInTurn.value
    do throws(Refused) {
      if isAlone {
        beginRule("signal(on: \(origin.name))")
        defer { endRule() }
        let result = try read { state throws(Refused) in try make(state, value) }
        isInTurn.value = true
        unsafe turn.call = origin.call
        signal.next(result)
        unsafe turn.call = nil
        if unsafe waiting.isEmpty && events.isEmpty { isInTurn.value = false } else { endTurn(nil) }
      } else {
        wait(.input(origin, { [self] in carryOut(value, { try make($0, $1) }, signal) }))
      }
      return nil
    } catch {
      return error
    }
  }

  /// Sends a signal at the end of the turn.
  @inlinable
  func send<Value>(_ value: Value, _ signal: Subscribers<Value>) {
    if !signal.isEmpty { unsafe events.append { signal.next(value) } }
  }

  @inlinable
  func wait(_ step: Step) {
    if case .input(let origin, _) = step { origin.call?.hold() }
    unsafe waiting.append(step)
  }

  /// Carries out a step that isn't an input's: immediately, or queued if a turn is running.
  @inlinable
  func receive(_ step: Step) {
    wait(step)
    guard !isInTurn.value else { return }
    isInTurn.value = true
    endTurn(nil)
  }

  /// Carries out what follows from a step, and sends what has changed. The origin is nil if no step was carried out yet.
  @inlinable
  func endTurn(_ origin: Origin?) {
    var steps = 0
    if let origin {
      reconcile(origin)
      steps = 1
    }
    repeat {
      while let step = unsafe waiting.popFirst() {
        steps += 1
        guard steps <= longestTurn else {
          if steps == longestTurn + 1 { reportLength() }
          abandon(step)
          break
        }
        if let origin = carryOut(step) { reconcile(origin) }
      }
      beginRule("its outputs")
      turn.end()
      while let event = unsafe events.popFirst() { event() }
    } while unsafe !waiting.isEmpty
    endRule()
    isInTurn.value = false
    unsafe turn.call = nil
    if unsafe !calls.isEmpty { releaseCalls() }
  }

  /// Carries out a queued step. Returns its origin; nil if the state can't have changed.
  @inlinable
  func carryOut(_ step: Step) -> Origin? {
    switch step {
    case .answer(let effect): return effect.carryOutAnswer(self)
    case .input(let origin, let run):
      if let call = origin.call { unsafe calls.append(call) }
      beginRule("on(\(origin.name))")
      if let refusal = run() {
        report(
          "'\(origin.name)' was refused during another input's turn, so its caller doesn't receive the refusal: \(refusal)"
        )
      }
      return origin
    }
  }

  /// Begins the work that is wanted, and drops what is no longer wanted. The origin's call waits for what follows this
  /// turn, too.
  @inlinable
  func reconcile(_ origin: Origin) {
    if let call = origin.call { unsafe turn.call = call }
    for effect in unsafe effects { effect.reconcile(self, origin) }
    if hasNewFailure.value { findFailure() }
  }

  @usableFromInline
  func findFailure() {
    hasNewFailure.value = false
    failure.value = unsafe effects.compactMap { $0.failure(self) }.max { $0.number < $1.number }
  }

  @usableFromInline
  func releaseCalls() {
    let calls = unsafe calls
    unsafe self.calls = []
    for call in calls { call.release() }
  }

  /// Lets go of all steps of a turn that doesn't end by itself.
  @usableFromInline
  func abandon(_ first: Step) {
    var next: Step? = first
    while let step = next {
      switch step {
      case .answer(let effect): effect.forget(self)
      case .input(let origin, _):
        guard let call = origin.call else { break }
        call.record(.dropped)
        unsafe calls.append(call)
      }
      next = unsafe waiting.popFirst()
    }
  }

  @usableFromInline
  func reportLength() {
    report("a turn was stopped after \(longestTurn) steps, because each step caused another one")
  }

  @usableFromInline
  func report(_ error: String) { turn.onModelError?(error) }

  /// Records the name of the rule that is carried out, for the report of a step that runs for long. Only debug builds do.
  @inlinable
  @inline(__always)
  func beginRule(_ name: @autoclosure () -> String) {
    #if DEBUG || CHECK_INVARIANTS
      clock.timers.ruleChanged?("\(name()) of \(String(reflecting: State.self))")
    #endif
  }

  /// Records that no rule is carried out.
  @inlinable
  @inline(__always)
  func endRule() {
    #if DEBUG || CHECK_INVARIANTS
      clock.timers.ruleChanged?(nil)
    #endif
  }
}

// MARK: - Parts that rules prepare

extension FeedbackCore {
  /// Prepares a part of the state for what is declared of it: now, and whenever a step has put a fresh value in its place.
  /// It is done before any work follows from the part.
  func prepare<Part>(
    _ path: WritableKeyPath<State, Part>, unless isPrepared: @escaping (Part) -> Bool,
    by prepared: @escaping (Part) -> Part
  ) {
    let field = StoredField(path)
    let effect = AnyEffect<State>(path, turn) { core, _ in
      if core.read(at: field, isPrepared) { return }
      // Made before the change, as it may read the state.
      let part = prepared(core.read(field))
      core.change(at: field) { $0 = part }
    }
    unsafe effects.insert(effect, at: preparations)
    preparations += 1
  }
}

// MARK: - From the first subscriber to the last

extension FeedbackCore {
  @usableFromInline
  func start() {
    isActive.value = true
    let lifetime = following.renew()
    receive(
      .input(
        Origin("open"),
        { [self] in
          for effect in unsafe effects { effect.renew() }
          for step in onOpen { change(step) }
          for follow in follow where lifetime.isActive { follow(self, lifetime) }
          return nil
        }))
  }

  @usableFromInline
  package func endInput() {
    guard closes else { return }
    isInputEnded = true
    receive(closing)
  }

  @usableFromInline
  func stop() {
    if closes {
      if isInTurn.value {
        for step in onClose { change(step) }
        reconcile(Origin("close"))
      } else {
        // In a turn of its own: an answer that comes at once must not interrupt the beginning of other work.
        receive(closing)
      }
    }
    isActive.value = false
    following.disposable = nil
    for effect in unsafe effects { effect.stop(self) }
    if !isInTurn.value { releaseCalls() }
  }

  /// Whether the rules of `onClose` are due when the view closes.
  private var closes: Bool { isActive.value && !isInputEnded && !onClose.isEmpty }

  /// The step that carries them out.
  private var closing: Step {
    .input(
      Origin("close"),
      { [self] in
        for step in onClose { change(step) }
        return nil
      })
  }
}
