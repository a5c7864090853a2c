/// The parts of a ``Feedback``: its state, the queue of steps, and the effects. It runs turns as ``Turn`` describes.
@usableFromInline
final class FeedbackCore<State> {
  /// A queued step.
  @usableFromInline
  enum Step {
    /// A change of the state by an input or an event from elsewhere. The closure returns the refusal, if any.
    case input(Origin, () -> (any Error)?)
    /// The answer to a run of an effect.
    case answer(AnyEffect<State>)
  }

  @usableFromInline let clock: any Scheduler
  @usableFromInline let turn = Turn()
  /// Subscribe to the drivers, signals and streams from elsewhere.
  @usableFromInline var follow: [(FeedbackCore, Lifetime) -> Void] = []
  @usableFromInline let following = SerialDisposable()
  /// The rules for the first subscription, and for the end of the last one.
  @usableFromInline var onOpen: [(inout State) -> Void] = []
  @usableFromInline var onClose: [(inout State) -> Void] = []
  /// Whether the rules of `onClose` have already run, because the input has ended.
  private var isInputEnded = false

  // These properties aren't checked for overlapping accesses at run time, which would cost more than the rest of a
  // turn. `change(_:)` guards the state; the others are changed only by code of the standard library.
  @exclusivity(unchecked) @usableFromInline var stored: State
  /// The effects of the state, in the order in which rules first name them.
  @exclusivity(unchecked) @usableFromInline var effects: [AnyEffect<State>] = []
  /// The number of effects that only prepare a part of the state. They come before the others.
  private var preparations = 0
  @exclusivity(unchecked) @usableFromInline var waiting = Queue<Step>()
  /// Sends values to signals and other inputs, at the end of the turn.
  @exclusivity(unchecked) @usableFromInline var events = Queue<() -> Void>()
  /// The calls that may be over at the end of the turn.
  @exclusivity(unchecked) @usableFromInline var calls: [WaitingCall] = []

  @usableFromInline let isChanging = Box(false)
  @usableFromInline let isInTurn = Box(false)
  /// Whether any output has subscribers. Work begins only then.
  @usableFromInline let isActive = Box(false)
  /// The number of current runs.
  @usableFromInline let runs = Box(0)
  /// The newest failure that hasn't been cleared.
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

  /// Reads the state in place, without a copy.
  @inlinable
  func read<Result, Failed: Error>(_ body: (State) throws(Failed) -> Result) throws(Failed) -> Result {
    expectNoChange()
    return try unsafe body(stored)
  }

  /// Changes the state in place. Nothing else may read or change it meanwhile.
  @inlinable
  func change<Result, Failed: Error>(_ step: (inout State) throws(Failed) -> Result) throws(Failed) -> Result {
    expectNoChange()
    isChanging.value = true
    defer { isChanging.value = false }
    return try unsafe step(&stored)
  }

  /// Changes the state by a step that changes nothing if it throws. A step that can throw works on a copy.
  @inlinable
  func changeOrThrow<Result, Failed: Error>(_ step: (inout State) throws(Failed) -> Result) throws(Failed) -> Result {
    if Failed.self == Never.self { return try change(step) }
    var changed = state
    let result = try step(&changed)
    change { $0 = changed }
    return result
  }

  /// Stops the program if a step reads the state that it is changing other than through its parameter. This is as wrong
  /// as reading an array while it is being sorted, which also stops the program.
  @inlinable
  func expectNoChange() {
    precondition(!isChanging.value, "a step must read the state through its parameter only")
  }
}

// MARK: - Turns

extension FeedbackCore {
  /// The maximum number of steps in a turn. Steps that cause each other without end are the author's mistake.
  @inlinable
  var longestTurn: Int { 1000 }

  /// Runs a step: immediately, or queued if a turn is running. Returns the refusal, if any.
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

  /// Changes the state by a step. Returns the refusal, if any.
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

  /// Sends a value combined with the current state. The state doesn't change, so drivers needn't be compared.
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

  /// Runs a step that isn't an input's: immediately, or queued if a turn is running.
  @inlinable
  func receive(_ step: Step) {
    wait(step)
    guard !isInTurn.value else { return }
    isInTurn.value = true
    endTurn(nil)
  }

  /// Runs everything that follows from a step, and sends what has changed. The origin is nil if no step has run yet.
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

  /// Runs a queued step. Returns its origin; nil if the state can't have changed.
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

  /// Begins the work that is wanted, and drops what is no longer wanted. The origin's call also waits for what follows
  /// this turn.
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

  /// Drops all queued steps of a turn that doesn't end by itself.
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

  /// Records the name of the running rule, for the report of a step that takes long. Only debug builds do.
  @inlinable
  @inline(__always)
  func beginRule(_ name: @autoclosure () -> String) {
    #if DEBUG || CHECK_INVARIANTS
      clock.timers.ruleChanged?("\(name()) of \(String(reflecting: State.self))")
    #endif
  }

  /// Records that no rule is running.
  @inlinable
  @inline(__always)
  func endRule() {
    #if DEBUG || CHECK_INVARIANTS
      clock.timers.ruleChanged?(nil)
    #endif
  }
}

// MARK: - Prepared parts

extension FeedbackCore {
  /// Prepares a part of the state for the rules declared for it: now, and whenever a step has replaced its value. It
  /// runs before any work follows from the part.
  func prepare<Part>(
    _ path: WritableKeyPath<State, Part>, unless isPrepared: @escaping (Part) -> Bool,
    by prepared: @escaping (Part) -> Part
  ) {
    let field = StoredField(path)
    let effect = AnyEffect<State>(path, turn) { core, _ in
      if core.read(at: field, isPrepared) { return }
      // Made before the change, because `prepared` may read the state.
      let part = prepared(core.read(field))
      core.change(at: field) { $0 = part }
    }
    unsafe effects.insert(effect, at: preparations)
    preparations += 1
  }
}

// MARK: - Start and stop

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
        // A separate turn, so that an answer which arrives immediately doesn't interrupt the start of other work.
        receive(closing)
      }
    }
    isActive.value = false
    following.disposable = nil
    for effect in unsafe effects { effect.stop(self) }
    if !isInTurn.value { releaseCalls() }
  }

  /// Whether the rules of `onClose` must run when the view closes.
  private var closes: Bool { isActive.value && !isInputEnded && !onClose.isEmpty }

  /// The step that runs the rules of `onClose`.
  private var closing: Step {
    .input(
      Origin("close"),
      { [self] in
        for step in onClose { change(step) }
        return nil
      })
  }
}
