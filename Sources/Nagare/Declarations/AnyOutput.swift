internal import Flow
internal import RPC
internal import WireJSON

/// A ``Driver`` or a ``Signal`` with values of any type.
protocol AnyOutput {
  /// Returns a slot that sends this output; nil if its values can't be sent.
  func makeSlot(named name: String) -> OutputSlot?

  /// Returns a closure that calls `changed` if the current value differs from the value at the closure's last call; nil
  /// for a signal.
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
  // Here and above, `if` is used instead of `map`, which would copy the stream a second time, through its type's
  // metadata.
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

/// The value that a signal without values sends: `{}`.
struct Nothing: Record {
  static let fields = Fields(Nothing.init)
}
