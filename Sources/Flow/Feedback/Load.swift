/// Something that is loaded: its value, whether it is loading, and its failure.
///
/// It is a value, part of a state. Steps start it. A single rule declares what it loads:
/// ``Feedback/react(to:_:)-(WritableKeyPath<State,Load<Value>>,_)``.
///
/// ```swift
/// struct State { var issue = Load<Issue>() }
/// // …
/// state.on(input.refresh) { $0.issue.start() }
/// state.react(to: \.issue) { _ in api.issue() }
/// ```
public struct Load<Value> {
  /// The last loaded value.
  public var value: Value?
  @usableFromInline var run = LoadRun()

  /// Makes a load that hasn't started, with an initial value.
  @inlinable
  public init(_ value: Value? = nil) { self.value = value }

  /// Makes a load that starts when its view opens, with an initial value.
  @inlinable
  public static func started(_ value: Value? = nil) -> Load {
    var load = Load(value)
    load.start()
    return load
  }

  /// Whether it is loading.
  @inlinable public var isRunning: Bool { run.isRunning }
  /// Why the last run failed; nil again when another run begins.
  @inlinable public var failure: Failure? { run.failure }
  /// The ``UniqueNumber`` of the newest run; 0 before the first.
  @inlinable public var number: Int { run.number }

  /// Starts the load. A current run is dropped; the value stays until the answer.
  @inlinable
  public mutating func start() { run.start() }

  /// Starts the load, unless it is running.
  @inlinable
  public mutating func startIfIdle() {
    if !isRunning { start() }
  }

  /// Starts the load again if its last run has failed.
  @inlinable
  public mutating func retry() {
    if failure != nil { start() }
  }

  /// Drops the current run.
  @inlinable
  public mutating func cancel() {
    if isRunning { run.end() }
  }

  /// Drops the current run, and clears value and failure.
  @inlinable
  public mutating func reset() {
    value = nil
    run.end()
  }
}

extension Load: Effect {
  /// Changes with each start and end.
  @inlinable public var revision: Int { run.revision }
  /// The current run.
  @inlinable public var wanted: WantedNumbers { isRunning ? .one(number) : .none }

  /// An empty request: the rule reads what it needs from the state.
  @inlinable
  public func request(_ number: Int) -> Void? { isRunning && number == self.number ? () : nil }

  /// Records the loaded value.
  @inlinable
  public mutating func receive(_ response: Value, of number: Int) {
    value = response
    run.end()
  }

  /// Records the end of a run without a value.
  @inlinable
  public mutating func end(_ number: Int, failure: Failure?) { run.end(failure) }
}

/// The data of a ``Load`` other than its value.
@usableFromInline
struct LoadRun {
  @usableFromInline var number = 0
  @usableFromInline var revision = 0
  @usableFromInline var isRunning = false
  @usableFromInline var failure: Failure?

  @usableFromInline
  init() {}

  @usableFromInline
  mutating func start() {
    number = UniqueNumber.next()
    revision = number
    isRunning = true
    failure = nil
  }

  @usableFromInline
  mutating func end(_ failure: Failure? = nil) {
    revision = UniqueNumber.next()
    isRunning = false
    self.failure = failure
  }
}
