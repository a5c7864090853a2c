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
  public mutating func fire(_ value: Value) { values.append(value) }

  /// Sends the event, when the turn is over.
  public mutating func fire() where Value == Void { values.append(()) }

  @usableFromInline
  mutating func takeAll() -> [Value] {
    let all = values
    values = []
    return all
  }
}

/// Where the values of a ``Pulse`` go.
@usableFromInline
final class PulseRules<State, Value> {
  @usableFromInline let sent = Subscribers<Value>()
  @usableFromInline var ports: [(FeedbackCore<State>, Value, Origin) -> Void] = []

  @inlinable
  init() {}
}

extension FeedbackCore {
  /// The rules for a pulse. What nobody listens to isn't kept.
  @inlinable
  func pulse<Value>(_ path: WritableKeyPath<State, Pulse<Value>>) -> PulseRules<State, Value> {
    if let pulse: PulseRules<State, Value> = rules(for: path) { return pulse }
    let pulse = PulseRules<State, Value>()
    let field = StoredField(path)
    let effect = AnyEffect(path, pulse) { core, origin in
      guard !core.read(at: field, { $0.values.isEmpty }) else { return }
      for value in core.change(at: field, { $0.takeAll() }) {
        core.send(value, pulse.sent)
        guard core.isActive.value else { continue }
        for send in pulse.ports { unsafe core.events.append { send(core, value, origin) } }
      }
    }
    unsafe effects.append(effect)
    return pulse
  }
}
