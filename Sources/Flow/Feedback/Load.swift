/// One thing that is loaded: whether it is, what has come of it, and what has gone wrong.
///
/// It is a value, part of a state. Steps say that it begins; what it loads is declared once, by
/// ``Feedback/react(to:_:)-(WritableKeyPath<State,Load<Value>>,_)``.
///
/// ```swift
/// struct State { var issue = Load<Issue>() }
/// // …
/// state.on(input.refresh) { $0.issue.start() }
/// state.react(to: \.issue) { _ in api.issue() }
/// ```
public struct Load<Value> {
  /// What was loaded last.
  public var value: Value?
  @usableFromInline var run = LoadRun()

  /// Something that isn't loaded yet, with the value that there is before the first load.
  @inlinable
  public init(_ value: Value? = nil) { self.value = value }

  /// Something whose first load begins when its view is opened, with the value that there is before.
  @inlinable
  public static func started(_ value: Value? = nil) -> Load {
    var load = Load(value)
    load.start()
    return load
  }

  /// Whether an answer is awaited.
  @inlinable public var isRunning: Bool { run.isRunning }
  /// Why the last run has failed; nil again when another begins.
  @inlinable public var failure: Failure? { run.failure }
  /// The ``UniqueNumber`` of the newest run; 0 before the first.
  @inlinable public var number: Int { run.number }

  /// Loads. A run that is under way is dropped; the value stays until the answer.
  @inlinable
  public mutating func start() { run.start() }

  /// Loads, unless a run is under way.
  @inlinable
  public mutating func startIfIdle() {
    if !isRunning { start() }
  }

  /// Loads once more if the last run has failed.
  @inlinable
  public mutating func retry() {
    if failure != nil { start() }
  }

  /// Drops the run that is under way.
  @inlinable
  public mutating func cancel() {
    if isRunning { run.end() }
  }

  /// Drops the run that is under way, and forgets value and failure.
  @inlinable
  public mutating func reset() {
    value = nil
    run.end()
  }
}

extension Load: Effect {
  /// Another one after each start and end.
  @inlinable public var revision: Int { run.revision }
  /// The run that is under way.
  @inlinable public var wanted: WantedNumbers { isRunning ? .one(number) : .none }

  /// There is nothing to know but the state.
  @inlinable
  public func request(_ number: Int) -> Void? { isRunning && number == self.number ? () : nil }

  /// Takes the answer.
  @inlinable
  public mutating func receive(_ response: Value, of number: Int) {
    value = response
    run.end()
  }

  /// Takes note of the end.
  @inlinable
  public mutating func end(_ number: Int, failure: Failure?) { run.end(failure) }
}

/// What a ``Load`` knows besides its value.
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
