/// Where the values of a ``Pulse`` go.
@usableFromInline
final class PulseRules<State, Value> {
  @usableFromInline let sent = Subscribers<Value>()
  @usableFromInline var ports: [(FeedbackCore<State>, Value, Cause) -> Void] = []

  @inlinable
  init() {}
}

extension FeedbackCore {
  /// The rules for a pulse. What nobody listens to isn't kept.
  @inlinable
  func pulse<Value>(_ path: WritableKeyPath<State, Pulse<Value>>) -> PulseRules<State, Value> {
    if let pulse: PulseRules<State, Value> = rules(for: path) { return pulse }
    let pulse = PulseRules<State, Value>()
    let place = Place(path)
    let slot = WorkSlot(path, pulse) { core, cause in
      guard !core.look(at: place, { $0.values.isEmpty }) else { return }
      for value in core.change(at: place, { $0.takeAll() }) {
        core.send(value, pulse.sent)
        guard core.isActive.value else { continue }
        for send in pulse.ports { unsafe core.events.append { send(core, value, cause) } }
      }
    }
    unsafe slots.append(slot)
    return pulse
  }
}
