internal import Flow
internal import RPC
internal import WireJSON

/// A ``Driver`` or a ``Signal``, whatever its values are.
protocol AnyOutput {
  /// Makes what sends it; nil if its values can't be sent.
  func makeSlot(named name: String) -> OutputSlot?

  /// Returns a closure that calls `changed` if the current value differs from that of its last call; nil for a signal.
  func makeCheck(_ changed: @escaping () -> Void) -> (() -> Void)?
}

extension Driver: AnyOutput {
  func makeCheck(_ changed: @escaping () -> Void) -> (() -> Void)? { follow { _ in changed() } }

  func makeSlot(named name: String) -> OutputSlot? {
    let stream = observable
    let slot = (Value.self as? any SharedValue.Type).flatMap { shared($0) } ?? OutputSlot.make(name, for: stream)
    slot?.turn = turn
    slot?.hasCurrentValue = true
    return slot
    func shared<Shared: SharedValue>(_ type: Shared.Type) -> OutputSlot? {
      if let stream = stream as? Observable<Shared> { SharedValueSlot(name, stream) } else { nil }
    }
  }
}

extension Signal: AnyOutput {
  func makeCheck(_ changed: @escaping () -> Void) -> (() -> Void)? { nil }

  func makeSlot(named name: String) -> OutputSlot? {
    if let signal = self as? Signal<Void> { return signal.map(Nothing.init).makeSlot(named: name) }
    let slot = OutputSlot.make(name, for: asObservable())
    slot?.turn = turn
    return slot?.kind == .list ? nil : slot
  }
}

extension OutputSlot {
  // Here and above, `map` in the place of `if` would make a second copy of the stream, by its type's metadata.
  fileprivate static func make<Element>(_ name: String, for stream: Observable<Element>) -> OutputSlot? {
    func slot<Value: OutputValue>(_ type: Value.Type) -> OutputSlot? {
      if let stream = stream as? Observable<Value> { Value.makeSlot(named: name, for: stream) } else { nil }
    }
    func plainSlot<Value: Encodable>(_ type: Value.Type) -> OutputSlot? {
      if let stream = stream as? Observable<Value> { .plain(name, stream, schema: JSONSchema(of: type)) } else { nil }
    }
    if let type = Element.self as? any OutputValue.Type { return slot(type) }
    return (Element.self as? any Encodable.Type).flatMap { plainSlot($0) }
  }
}

/// What a signal without a value sends: `{}`.
struct Nothing: Record {
  static let fields = Fields(Nothing.init)
}
