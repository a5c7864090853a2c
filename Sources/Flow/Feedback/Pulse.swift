/// An event that a step sends out of the state, as a ``Signal`` or to an input of another view model.
///
/// ```swift
/// struct State { var scrollToTop = Pulse<Void>() }
/// // …
/// state.on(input.home) { $0.scrollToTop.fire() }
/// return Output(scrollToTop: state.scrollToTop)
/// ```
public struct Pulse<Value> {
  /// What was fired in this step.
  @usableFromInline var values: [Value] = []

  /// Nothing has been fired.
  public init() {}

  /// Sends a value, when the turn is over. One that nobody listens to is lost.
  ///
  /// - Parameter value: the value.
  public mutating func fire(_ value: Value) {
    values.append(value)
  }

  /// Sends the event, when the turn is over.
  public mutating func fire() where Value == Void {
    values.append(())
  }

  @usableFromInline
  mutating func takeAll() -> [Value] {
    let all = values
    values = []
    return all
  }
}
