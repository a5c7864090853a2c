/// A state, the steps that change it, and the work that follows from it.
///
/// A view model declares rules: how an input changes the state, how to do the work that the state requests, and what
/// follows when the work has finished. Outputs are parts of the state.
///
/// ```swift
/// let state = Feedback(State(), on: clock)
/// state.on(input.refresh) { $0.issue.start() }
/// state.react(to: \.issue) { _ in api.issue() }
/// return Output(issue: state.issue.value, loading: state.isLoading, error: state.failure)
/// ```
/// Work runs once, however many subscribers there are. It begins when an output gets its first subscriber, and is
/// dropped when the last one leaves. Steps run even without subscribers, so a test may read ``state`` after each input.
///
/// An input that arrives during the turn of another one is queued in that turn.
@dynamicMemberLookup
public final class Feedback<State> {
  @usableFromInline let core: FeedbackCore<State>

  /// Makes a feedback with an initial state and no rules.
  @inlinable
  public init(_ state: State, on clock: any Scheduler) { core = FeedbackCore(state, on: clock) }

  @inlinable
  init(_ core: FeedbackCore<State>) { self.core = core }

  /// The current state.
  @inlinable public var state: State { core.state }
  package var clock: any Scheduler { core.clock }

  /// Changes the state directly, before anything follows from it.
  package func change(_ step: (inout State) -> Void) { core.change(step) }

  /// Prepares a part of the state for the rules declared for it. It does so again whenever a step has replaced the
  /// part's value.
  ///
  /// - Parameters:
  ///   - path: the part.
  ///   - isPrepared: whether a value was already prepared.
  ///   - prepared: makes a prepared value of a new one. No work has followed from the new value yet.
  package func prepare<Part>(
    _ path: WritableKeyPath<State, Part>, unless isPrepared: @escaping (Part) -> Bool,
    by prepared: @escaping (Part) -> Part
  ) {
    core.prepare(path, unless: isPrepared, by: prepared)
  }

  // MARK: - Changes of the state

  /// Declares how an input changes the state.
  ///
  /// The rules of one input run in the order of declaration, each in a separate turn. After a refusal the remaining
  /// rules don't run, so only the first rule should refuse.
  ///
  /// - Parameters:
  ///   - port: the input.
  ///   - interval: the shortest time between two accepted calls; calls in between change nothing. Nil accepts all
  ///     calls.
  ///   - step: changes the state by a value. If it throws, for example a ``Refusal``, the state stays as it was, and
  ///     the caller of the input receives the error.
  /// - Returns: a signal that sends the step's results.
  @inlinable
  @discardableResult
  public func on<Value, Refused: Error, Result>(
    _ port: Port<Value>, atMostEvery interval: Duration? = nil,
    _ step: @escaping (inout State, Value) throws(Refused) -> Result
  ) -> Signal<Result> {
    let (core, sent) = (core, Subscribers<Result>())
    guard let interval else {
      unsafe port.rules.append { value, origin in core.receive(value, origin, step, sent) }
      return core.signal(sent)
    }
    let next = Box<Duration?>(nil)
    unsafe port.rules.append { value, origin in
      let (now, last) = (core.clock.now, next.value)
      if let last, now < last { return nil }
      next.value = now + interval
      let refusal = core.receive(value, origin, step, sent)
      if refusal != nil { next.value = last }
      return refusal
    }
    return core.signal(sent)
  }

  /// Declares how an input without a value changes the state. Otherwise like the rule for an input with a value.
  @inlinable
  @discardableResult
  public func on<Refused: Error, Result>(
    _ trigger: Trigger, atMostEvery interval: Duration? = nil,
    _ step: @escaping (inout State) throws(Refused) -> Result
  ) -> Signal<Result> {
    on(trigger, atMostEvery: interval) { state, _ throws(Refused) in try step(&state) }
  }

  /// Unavailable: the rule of an input with a value must receive the value.
  @available(*, unavailable, message: "the step also receives the input's value: { state, value in … }")
  @_disfavoredOverload
  public func on<Value, Result>(
    _ port: Port<Value>, atMostEvery interval: Duration? = nil, _ step: (inout State) throws -> Result
  ) -> Signal<Result> { .never() }

  /// Declares how a value from elsewhere changes the state, such as a store's or another view model's. The rule runs
  /// for the current value first, and then for each change, while an output has subscribers.
  ///
  /// Failures of work that follows from it have `name` as their trigger. If the step throws, such as a ``Refusal``, it
  /// changes nothing. No call waits for it, so the error is reported to the author, by the service's `onModelError`.
  @inlinable
  public func on<Value, Refused: Error>(
    _ driver: Driver<Value>, as name: String = "elsewhere",
    _ step: @escaping (inout State, Value) throws(Refused) -> Void
  ) {
    follow(driver.asObservable(), of: driver.turn, name, step)
  }

  /// Adds a step for each event of a signal, as for a driver. The signal is followed while an output has subscribers.
  @inlinable
  public func on<Value, Refused: Error>(
    _ signal: Signal<Value>, as name: String = "elsewhere",
    _ step: @escaping (inout State, Value) throws(Refused) -> Void
  ) {
    follow(signal.asObservable(), of: signal.turn, name, step)
  }

  /// Adds a step for each value of a stream, such as a subject or a relay. The stream is subscribed to while an output has
  /// subscribers.
  ///
  /// A failure ends the stream and is reported to the author. To handle failures, turn them into values with `materialize()` or
  /// `catch`.
  ///
  /// - Parameters:
  ///   - stream: the stream.
  ///   - name: the trigger of failures of work that follows from the step.
  ///   - step: changes the state. If it throws, it changes nothing, and the error is reported to the author.
  @inlinable
  @_disfavoredOverload
  public func on<Stream: ObservableConvertible, Refused: Error>(
    _ stream: Stream, as name: String = "elsewhere",
    _ step: @escaping (inout State, Stream.Element) throws(Refused) -> Void
  ) {
    follow(stream.asObservable(), of: nil, name, step)
  }

  @inlinable
  package func follow<Value, Refused: Error>(
    _ stream: Observable<Value>, of turn: Turn?, _ name: String,
    _ step: @escaping (inout State, Value) throws(Refused) -> Void
  ) {
    let nobody = Subscribers<Void>()
    core.follow.append { core, lifetime in
      // No call waits for what follows from the initial value.
      var hasStarted = false
      let sink = Sink<Value>(
        next: {
          let refusal = core.receive($0, Origin(name, hasStarted ? turn?.currentCall : nil), step, nobody)
          if let refusal { core.report("a value of '\(name)' was refused: \(refusal)") }
        },
        end: { failure in
          if let failure { core.report("'\(name)' failed, and isn't followed any more: \(failure)") }
        })
      stream.run(sink, lifetime)
      hasStarted = true
    }
  }

  /// Makes a signal from an input: each value is combined with the current state, which doesn't change. If `make`
  /// throws, for example a ``Refusal``, nothing is sent, and the caller of the input receives the error.
  @inlinable
  public func signal<Value, Refused: Error, Result>(
    on port: Port<Value>, _ make: @escaping (State, Value) throws(Refused) -> Result
  ) -> Signal<Result> {
    let (core, sent) = (core, Subscribers<Result>())
    unsafe port.rules.append { value, origin in core.send(value, origin, make, sent) }
    return core.signal(sent)
  }

  /// Makes an input of this state for another view model. Values that the other view model forwards to it belong to the
  /// same call.
  ///
  /// ```swift
  /// People(assign: state.port(String.self) { $0.assignee = $1 })
  /// ```
  @inlinable
  public func port<Value, Refused: Error>(
    _ type: Value.Type, _ step: @escaping (inout State, Value) throws(Refused) -> Void
  ) -> Port<Value> {
    let port = Port<Value>(attachment: nil)
    on(port, step)
    return port
  }

  /// Adds a step for the opening of the view: the first subscription to an output. It runs before any load begins and before
  /// anything is followed.
  @inlinable
  public func onOpen(_ step: @escaping (inout State) -> Void) { core.onOpen.append(step) }

  /// Adds a step for the closing of the view: the end of the last subscription, or the end of the input. It runs once. It may
  /// begin jobs that outlive their subscribers, such as one that saves a draft.
  ///
  /// At the end of the input the session waits for these jobs, up to a minute. After `exit` or a signal it waits
  /// for a second.
  ///
  /// ```swift
  /// struct State {
  ///   var draft = ""
  ///   var saving = Jobs<String, Void>(.queued, outlivesSubscribers: true)
  /// }
  /// // …
  /// state.onClose { $0.saving.add($0.draft) }
  /// ```
  @inlinable
  public func onClose(_ step: @escaping (inout State) -> Void) { core.onClose.append(step) }

  // MARK: - Consequences of the state

  /// Declares what a load loads. The first value of the stream is the result. A stream that ends without a value is a
  /// failure; a stream that fails with a `CancellationError` ends the load without a failure. The closure receives the
  /// state in which the load began.
  @inlinable
  public func react<Value>(
    to path: WritableKeyPath<State, Load<Value>>, _ perform: @escaping (State) -> Observable<Value>
  ) {
    core.runner(path).perform = { core, _, _ in perform(core.state) }
  }

  /// Declares how some work is done for a request, such as a job or a page of a list. The first value of the stream is
  /// the response. A stream that ends without a value is a failure, unless the response type is `Void`.
  @inlinable
  @_disfavoredOverload
  public func react<E: Effect>(
    to path: WritableKeyPath<State, E>, _ perform: @escaping (E.Request) -> Observable<E.Response>
  ) {
    core.runner(path).perform = { _, request, _ in perform(request) }
  }

  /// Declares asynchronous code for some work. The code runs outside the scheduler. It is cancelled when the run is
  /// dropped. An error that it throws is the failure.
  ///
  /// - Parameters:
  ///   - path: the work.
  ///   - perform: returns the response to a request. A load's request is empty: see ``react(to:reading:_:)``.
  @_disfavoredOverload
  public func react<E: Effect>(
    to path: WritableKeyPath<State, E>, _ perform: @escaping @Sendable (E.Request) async throws -> E.Response
  ) where E.Request: Sendable, E.Response: Sendable {
    let clock = core.clock
    core.runner(path).perform = { _, request, _ in .async(on: clock) { try await perform(request) } }
  }

  /// Declares asynchronous code for a load that needs a part of the state: `\.id`, or several parts as `{ ($0.id,
  /// $0.page) }`. The part is read when the load begins.
  ///
  /// ```swift
  /// state.react(to: \.issue, reading: \.id) { id in try await client.issue(id) }
  /// ```
  public func react<Value, Part>(
    to path: WritableKeyPath<State, Load<Value>>, reading read: @escaping (State) -> Part,
    _ perform: @escaping @Sendable (Part) async throws -> Value
  ) where Value: Sendable, Part: Sendable {
    let clock = core.clock
    react(to: path) { state in
      let part = read(state)
      return .async(on: clock) { try await perform(part) }
    }
  }

  /// Declares a load that needs the value of another load. It begins each time the other one has finished. If a step
  /// begins it while the other load has no value, it ends immediately, without a value and without a failure.
  ///
  /// ```swift
  /// state.react(to: \.order) { _ in try await shop.order(id) }
  /// state.react(to: \.customer, after: \.order) { order in try await shop.customer(order.customer) }
  /// ```
  public func react<First, Value>(
    to path: WritableKeyPath<State, Load<Value>>, after first: WritableKeyPath<State, Load<First>>,
    _ perform: @escaping (First) -> Observable<Value>
  ) {
    on(finished: first) { state, _ in state[keyPath: path].start() }
    react(to: path) { state in state[keyPath: first].value.map(perform) ?? .error(CancellationError()) }
  }

  /// Declares asynchronous code for a load that needs the value of another load. It begins each time the other one has
  /// finished.
  @_disfavoredOverload
  public func react<First, Value>(
    to path: WritableKeyPath<State, Load<Value>>, after first: WritableKeyPath<State, Load<First>>,
    _ perform: @escaping @Sendable (First) async throws -> Value
  ) where First: Sendable, Value: Sendable {
    let clock = core.clock
    react(to: path, after: first) { value in .async(on: clock) { try await perform(value) } }
  }

  /// Unavailable: asynchronous code runs outside the scheduler, so it can't access the state.
  @available(
    *, unavailable,
    message:
      "asynchronous code can't read the state; read the part that it needs: react(to: \\.load, reading: \\.part) { part in … }"
  )
  @_disfavoredOverload
  public func react<Value>(
    to path: WritableKeyPath<State, Load<Value>>, _ perform: @escaping (State) async throws -> Value
  ) {}

  /// Declares how some work is done whose runs send reports before they end: progress, or that they are retried.
  ///
  /// - Parameters:
  ///   - path: the work.
  ///   - perform: makes the stream. It calls `report` just before each retry, and at most ten times a second with the
  ///     progress.
  @inlinable
  public func react<E: Effect>(
    to path: WritableKeyPath<State, E>,
    _ perform: @escaping (_ request: E.Request, _ report: @escaping (RunReport) -> Void) -> Observable<E.Response>
  ) {
    core.runner(path).perform = { core, request, number in
      perform(request) { [weak core] report in
        if let core { core.runner(path).record(report, of: number, core) }
      }
    }
  }

  /// Adds a step for the success of some work, which runs in the same step. If it throws, it changes nothing, the rules
  /// after it don't run, and the work fails with the error.
  @inlinable
  public func on<E: Effect, Failed: Error>(
    finished path: WritableKeyPath<State, E>, _ step: @escaping (inout State, E.Response) throws(Failed) -> Void
  ) {
    core.runner(path).onFinish.append { core, response in try core.changeOrThrow { try step(&$0, response) } }
  }

  /// Adds a step for the failure of some work, with the request that failed. It runs in the same step as the failure, which
  /// the work already has.
  ///
  /// ```swift
  /// state.on(failed: \.sent) { state, message, failure in state.unsent.append(message) }
  /// ```
  /// Cancelled work doesn't run it.
  ///
  /// - Parameters:
  ///   - path: the work. The request of a form is its draft, that of a list is a page request.
  ///   - step: changes the state by the request and the failure.
  @inlinable
  @_disfavoredOverload
  public func on<E: Effect>(
    failed path: WritableKeyPath<State, E>, _ step: @escaping (inout State, E.Request, Failure) -> Void
  ) {
    core.runner(path).onFailure.append { core, request, failure in core.change { step(&$0, request, failure) } }
  }

  /// Adds a step for the failure of a load. It runs in the same step as the failure, which the load already has.
  @inlinable
  public func on<Value>(
    failed path: WritableKeyPath<State, Load<Value>>, _ step: @escaping (inout State, Failure) -> Void
  ) {
    core.runner(path).onFailure.append { core, _, failure in core.change { step(&$0, failure) } }
  }

  /// Adds a step for the end of a pause that was neither restarted nor cancelled.
  ///
  /// - Parameters:
  ///   - path: the pause.
  ///   - delay: the length of the pause.
  ///   - isAwaited: whether a call that waits (`"wait":true`) waits for the end of the pause, and for what follows from
  ///     it. Nil waits for a pause of up to a second, such as a debounce, and not for a longer one, such as the time in
  ///     which an action can be undone.
  ///   - step: changes the state when the pause is over. If it throws, the pause still ends, but the rest of the state
  ///     stays as it was, and the error is reported to the author.
  @inlinable
  public func on<Refused: Error>(
    _ path: WritableKeyPath<State, Pause>, after delay: Duration, isAwaited: Bool? = nil,
    _ step: @escaping (inout State) throws(Refused) -> Void
  ) {
    let pause = RunningPause(path, after: delay, isAwaited: isAwaited ?? (delay <= .seconds(1)), core) { core in
      core.change { $0[keyPath: path].end() }
      do throws(Refused) {
        try core.changeOrThrow(step)
      } catch {
        core.report("the step after \(path) was refused: \(error)")
      }
    }
    let field = StoredField(path)
    unsafe core.effects.append(
      AnyEffect(
        path, pause,
        reconcile: { core, origin in if core.isActive.value { pause.follow(core.read(field), core, origin) } },
        renew: { pause.number = 0 },
        stop: { core in pause.drop(core) }))
  }

  /// Forwards the values that a pulse fires to an input of another view model.
  @inlinable
  public func forward<Value>(_ path: WritableKeyPath<State, Pulse<Value>>, to port: Port<Value>) {
    core.pulse(path).ports.append { core, value, origin in
      if let refusal = port.receive(value, origin.named(port.name)) {
        core.report("a value of \(path) was refused by '\(port.name)': \(refusal)")
      }
    }
  }

  // MARK: - Outputs

  /// Whether any work is running.
  @inlinable
  public var isLoading: Driver<Bool> { Driver(core.turn) { [core] in core.runs.value > 0 } }

  /// The newest failure of all work that hasn't begun again since it failed; nil if there is none.
  @inlinable
  public var failure: Driver<Failure?> { Driver(core.turn) { [core] in core.failure.value } }

  /// A signal of the responses of finished work.
  @inlinable
  public func finished<E: Effect>(_ path: WritableKeyPath<State, E>) -> Signal<E.Response> {
    let sent = Subscribers<E.Response>()
    core.runner(path).onFinish.append { core, response in core.send(response, sent) }
    return core.signal(sent)
  }

  /// A signal that is sent when some work has finished.
  @inlinable
  @_disfavoredOverload
  public func finished<E: Effect>(_ path: WritableKeyPath<State, E>) -> Signal<Void> {
    let sent = Subscribers<Void>()
    core.runner(path).onFinish.append { core, _ in core.send((), sent) }
    return core.signal(sent)
  }

  /// A signal that is sent once for each turn that has changed a part of the state.
  @inlinable
  public func changes<Part: Equatable>(of path: KeyPath<State, Part>) -> Signal<Void> {
    let part = core.driver(path)
    core.turn.recordObserver()
    return Signal(core.turn) { [core] send, lifetime in
      let isFirst = Box(true)
      let check = part.follow { _ in
        if !isFirst.value { unsafe core.events.append { if lifetime.isActive { send(()) } } }
        isFirst.value = false
      }
      core.turn.join(lifetime)
      core.turn.listeners.add(Sink(next: check, end: { _ in }), lifetime)
      check()
    }
  }

  /// A part of the state as an output.
  @inlinable
  public subscript<Part: Equatable>(dynamicMember path: KeyPath<State, Part>) -> Driver<Part> { core.driver(path) }

  /// Unavailable: map a part of the state instead. (A part that is itself called `map` is `state[dynamicMember:
  /// \.map]`.)
  @available(*, unavailable, message: "map a part of the state: state.filter.map(\\.status)")
  @_disfavoredOverload
  public func map<Result>(_ transform: (State) -> Result) -> Driver<Result> { Driver(withoutValueIn: core.turn) }

  /// A part of the state with versions, as an output.
  @inlinable
  public subscript<Part: Versioned>(dynamicMember path: KeyPath<State, Part>) -> Driver<Part> {
    Driver(core.turn, read: core.reading(path))
  }

  /// The values that a pulse fires, as an output.
  @inlinable
  public subscript<Value>(dynamicMember path: WritableKeyPath<State, Pulse<Value>>) -> Signal<Value> {
    core.signal(core.pulse(path).sent)
  }

  /// A part of the state that can't be compared. It isn't an output itself, but its parts may be.
  @inlinable
  @_disfavoredOverload
  public subscript<Value>(dynamicMember path: KeyPath<State, Value>) -> Projection<State, Value> {
    Projection(core, path)
  }
}

extension FeedbackCore {
  @inlinable
  func driver<Part: Equatable>(_ path: KeyPath<State, Part>) -> Driver<Part> {
    Driver(turn, read: reading(path))
  }

  /// Makes a closure that reads a part of the state. For a computed part the compiler can inline the access into the
  /// closure if the path is a literal.
  @inlinable
  func reading<Part>(_ path: KeyPath<State, Part>) -> () -> Part {
    let field = StoredField(path)
    guard field.offset == nil else { return { self.read(field) } }
    return { self.read { $0[keyPath: path] } }
  }

  @inlinable
  func signal<Value>(_ sent: Subscribers<Value>) -> Signal<Value> {
    Signal(turn) { send, lifetime in
      self.turn.join(lifetime)
      sent.add(Sink(next: send, end: { _ in }), lifetime)
    }
  }
}
