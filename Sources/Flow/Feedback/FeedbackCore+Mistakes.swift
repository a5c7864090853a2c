// Checks for rules that an author may have forgotten.

extension FeedbackCore {
  /// The properties of the state that request something but have no rule, each with the remedy.
  @usableFromInline
  package var partsWithoutRules: [String] {
    let paths = unsafe effects.map { "\($0.path)" }
    // A path that can't be named may be any of the properties.
    guard !paths.contains(where: { $0.contains("<") }) else { return [] }
    let known = paths.compactMap { $0.split(separator: ".").last.map(String.init) }
    return Mirror(reflecting: state).children.compactMap { name, part in
      guard let name, !known.contains(name) else { return nil }
      let remedy =
        switch part {
        case is any Effect: "add react(to: \\.\(name))"
        case is Pause: "add on(\\.\(name), after:)"
        case is any AnyPulse: "make it an output, or forward it with forward(\\.\(name), to:)"
        default: String?.none
        }
      return remedy.map { "\(State.self).\(name) has no rule: \($0)" }
    }
  }

  @usableFromInline
  package func findUnsentFailures(_ haveOutputsChanged: () -> Bool) -> [String] {
    // Something that was made of a driver may send the failure.
    if turn.isObserved { return [] }
    let (before, effects) = unsafe (stored, effects)
    _ = haveOutputsChanged()
    return effects.compactMap { effect in
      let failure = Failure(code: -32010, message: "tried", trigger: "open")
      guard let failed = (effect.rules as? any AnyEffectRunner<State>)?.failing(before, with: failure) else {
        return nil
      }
      unsafe stored = failed
      self.failure.value = failure
      let isSent = haveOutputsChanged()
      unsafe stored = before
      self.failure.value = nil
      _ = haveOutputsChanged()
      if isSent { return nil }
      // `.self` is the whole state.
      let part = String("\(effect.path)".drop { $0 != "." })
      let name = part == ".self" ? "" : part
      let ways = ["state.failure"] + (name.isEmpty ? [] : ["state\(name).failure"])
      return
        "no output reports why \(State.self)\(name) fails: add one, such as error: \(ways.joined(separator: " or "))"
    }
  }
}

/// A ``Pulse`` with values of any type.
private protocol AnyPulse {}

extension Pulse: AnyPulse {}

/// An ``EffectRunner`` for any effect.
private protocol AnyEffectRunner<State>: AnyObject {
  associatedtype State

  /// Returns the state after the effect has failed; nil if no rule performs the effect, or it can't fail that way.
  func failing(_ state: State, with failure: Failure) -> State?
}

extension EffectRunner: AnyEffectRunner {
  fileprivate func failing(_ state: State, with failure: Failure) -> State? {
    let path = field.path
    guard perform != nil, onFailure.isEmpty, state[keyPath: path].failure == nil else { return nil }
    let number: Int =
      switch state[keyPath: path].wanted {
      case .one(let number): number
      case .ascending(let numbers): numbers.first ?? 0
      case .none, .each: 0
      }
    var failed = state
    failed[keyPath: path].end(number, failure: failure)
    return failed[keyPath: path].failure == nil ? nil : failed
  }
}
