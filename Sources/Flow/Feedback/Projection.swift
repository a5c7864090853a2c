/// A part of the state of a ``Feedback`` that can't be an output, because it can't be compared. Its own parts may be
/// outputs.
///
/// ```swift
/// issue: state.issue.value    // the value of a Load<Issue>
/// ```
@dynamicMemberLookup
public struct Projection<State, Value> {
  @usableFromInline let core: FeedbackCore<State>
  @usableFromInline let path: KeyPath<State, Value>

  @inlinable
  init(_ core: FeedbackCore<State>, _ path: KeyPath<State, Value>) {
    self.core = core
    self.path = path
  }

  /// A driver of a value computed from this part. `transform` runs at the end of each turn.
  @inlinable
  public func map<Result: Equatable>(_ transform: @escaping (Value) -> Result) -> Driver<Result> {
    Driver(core.turn, read: reading(transform))
  }

  /// A part of this part, as an output.
  @inlinable
  public subscript<Inner: Equatable>(dynamicMember inner: KeyPath<Value, Inner>) -> Driver<Inner> {
    Driver(core.turn, read: reading(inner))
  }

  /// A part of this part with versions, as an output.
  @inlinable
  public subscript<Inner: Versioned>(dynamicMember inner: KeyPath<Value, Inner>) -> Driver<Inner> {
    Driver(core.turn, read: reading(inner))
  }

  /// A part of this part that can't be compared either.
  @inlinable
  @_disfavoredOverload
  public subscript<Inner>(dynamicMember inner: KeyPath<Value, Inner>) -> Projection<State, Inner> {
    Projection<State, Inner>(core, path.appending(path: inner))
  }

  /// Makes an input of this part of the state for another view model, as ``Feedback/port(_:_:)`` does for the whole
  /// state.
  ///
  /// - Parameters:
  ///   - type: the type of the port's values.
  ///   - step: changes the part. If it throws, it changes nothing.
  /// - Returns: the port.
  @inlinable
  public func port<Argument, Refused: Error>(
    _ type: Argument.Type, _ step: @escaping (inout Value, Argument) throws(Refused) -> Void
  ) -> Port<Argument> {
    guard let path = path as? WritableKeyPath<State, Value> else {
      preconditionFailure("\(path) can't be changed, so it has no port")
    }
    return Feedback(core).port(type) { state, argument throws(Refused) in try step(&state[keyPath: path], argument) }
  }

  @inlinable
  func reading<Result>(_ body: @escaping (Value) -> Result) -> () -> Result {
    let field = StoredField(path)
    return { [core] in core.read(at: field, body) }
  }

  /// Makes a closure that reads a part in place. If the part is computed, the closure reads it through this part.
  @inlinable
  func reading<Inner>(_ inner: KeyPath<Value, Inner>) -> () -> Inner {
    let field = StoredField(path.appending(path: inner))
    guard field.offset == nil else { return { [core] in core.read(field) } }
    return reading { $0[keyPath: inner] }
  }
}
