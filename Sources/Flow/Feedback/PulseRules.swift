/// Where the values of a ``Pulse`` go.
@usableFromInline
final class PulseRules<Value> {
  @usableFromInline let sent = Subscribers<Value>()
  @usableFromInline var ports: [(Value, Cause) -> Void] = []

  @inlinable
  init() {}
}

extension FeedbackCore {
  /// The rules for a pulse. What nobody listens to isn't kept.
  @inlinable
  func pulse<Value>(_ path: WritableKeyPath<State, Pulse<Value>>) -> PulseRules<Value> {
    rules(for: path) {
      let pulse = PulseRules<Value>()
      let slot = WorkSlot(path, pulse) { core, cause in
        guard !core.state[keyPath: path].values.isEmpty else { return }
        for value in core.state[keyPath: path].takeAll() {
          core.send(value, pulse.sent)
          guard core.isActive else { continue }
          for send in pulse.ports { core.events.append { send(value, cause) } }
        }
      }
      return (pulse, slot)
    }
  }
}
