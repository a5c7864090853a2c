/// An event that a step sends out of the state, as a ``Signal`` or to an input of another view model.
///
/// ```swift
/// struct State { var scrollToTop = Pulse<Void>() }
/// // …
/// state.on(input.home) { $0.scrollToTop.fire() }
/// return Output(scrollToTop: state.scrollToTop)
/// ```
public struct Pulse<Value> {
  /// The values fired in the current step.
  @usableFromInline var values: [Value] = []

  /// Makes a pulse without values.
  public init() {}

  /// Sends a value at the end of the turn. Without subscribers the value is lost.
  public mutating func fire(_ value: Value) { values.append(value) }

  /// Sends the event at the end of the turn.
  public mutating func fire() where Value == Void { values.append(()) }

  @usableFromInline
  mutating func takeAll() -> [Value] {
    let all = values
    values = []
    return all
  }
}

/// The receivers of the values of a ``Pulse``.
@usableFromInline
final class PulseRules<State, Value> {
  @usableFromInline let sent = Subscribers<Value>()
  @usableFromInline var ports: [(FeedbackCore<State>, Value, Origin) -> Void] = []

  @inlinable
  init() {}
}

extension FeedbackCore {
  /// The receivers of a pulse. Values without a receiver are dropped.
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
