/// A part of the state of a ``Feedback`` that can't be compared, and so is no output. Its own parts may be.
///
/// ```swift
/// issue: state.issue.value    // the value of a Load<Issue>
/// ```
@dynamicMemberLookup
public struct Part<State, Value> {
  @usableFromInline let core: FeedbackCore<State>
  @usableFromInline let path: KeyPath<State, Value>

  @inlinable
  init(_ core: FeedbackCore<State>, _ path: KeyPath<State, Value>) {
    self.core = core
    self.path = path
  }

  /// A driver of something made of the value, which is made at the end of each turn.
  ///
  /// - Parameter transform: makes it.
  /// - Returns: the driver.
  @inlinable
  public func map<Result: Equatable>(_ transform: @escaping (Value) -> Result) -> Driver<Result> {
    Driver(core.turns) { [core, path] in transform(core.state[keyPath: path]) }
  }

  /// A part as an output.
  ///
  /// - Parameter inner: the part.
  @inlinable
  public subscript<Inner: Equatable>(dynamicMember inner: KeyPath<Value, Inner>) -> Driver<Inner> {
    Driver(core.turns) { [core, path] in core.state[keyPath: path][keyPath: inner] }
  }

  /// A part that has versions as an output.
  ///
  /// - Parameter inner: the part.
  @inlinable
  public subscript<Inner: Versioned>(dynamicMember inner: KeyPath<Value, Inner>) -> Driver<Inner> {
    Driver(core.turns) { [core, path] in core.state[keyPath: path][keyPath: inner] }
  }

  /// A part that can't be compared either.
  ///
  /// - Parameter inner: the part.
  @inlinable
  @_disfavoredOverload
  public subscript<Inner>(dynamicMember inner: KeyPath<Value, Inner>) -> Part<State, Inner> {
    Part<State, Inner>(core, path.appending(path: inner))
  }
}
