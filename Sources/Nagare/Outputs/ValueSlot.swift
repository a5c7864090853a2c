internal import Flow
internal import RPC
internal import WireJSON

extension OutputSlot {
  /// An output of plain values of a type that is written in a way of its own.
  static func direct<Value: JSONEncodable>(
    _ name: String, _ stream: Observable<Value>, schema: @autoclosure @escaping () -> JSONSchema
  ) -> OutputSlot {
    ValueSlot(name, stream, schema: schema()) { value, writer throws(EncodingFailure) in value.write(to: &writer) }
  }

  /// An output of plain values of any type. How they are written is looked up here, and not for each of them.
  static func plain<Value: Encodable>(
    _ name: String, _ stream: Observable<Value>, schema: @autoclosure @escaping () -> JSONSchema
  ) -> OutputSlot {
    func slot<Direct: JSONEncodable>(_ type: Direct.Type) -> OutputSlot? {
      (stream as? Observable<Direct>).map { direct(name, $0, schema: schema()) }
    }
    return (Value.self as? any JSONEncodable.Type).flatMap { slot($0) }
      ?? ValueSlot(name, stream, schema: schema()) { value, writer throws(EncodingFailure) in try writer.encode(value) }
  }
}

/// An output of plain values: of a state's the newest counts, of events each.
private final class ValueSlot<Value>: OutputSlot {
  private let stream: Observable<Value>
  private let write: (Value, inout JSONWriter) throws(EncodingFailure) -> Void
  private var events: [Value] = []
  private var current: Value?
  /// The value as JSON, at the end of the last step and as it was last written.
  private var encoded: [UInt8] = []
  private var written: [UInt8]? = []

  init(
    _ name: String, _ stream: Observable<Value>, schema: @autoclosure @escaping () -> JSONSchema,
    _ write: @escaping (Value, inout JSONWriter) throws(EncodingFailure) -> Void
  ) {
    (self.stream, self.write) = (stream, write)
    super.init(name, schema: schema())
  }

  override func subscribe() -> any Disposable {
    stream.subscribe(
      onNext: { [unowned self] value in
        touch()
        if hasCurrentValue { current = value } else { events.append(value) }
      })
  }

  override func sendEvents(by outbox: Outbox) -> Bool {
    guard hasCurrentValue else {
      let events = events
      self.events = []
      for json in events.compactMap({ encode($0) }) { send(by: outbox) { $0.raw(json.span) } }
      return false
    }
    let before = encoded
    encode()
    return encoded != before
  }

  override func resetSent() {
    encode()
    written = encoded
  }

  override func writeCurrentMembers(to writer: inout JSONWriter) {
    writer.key("value")
    let encoded = encoded
    if encoded.isEmpty { writer.null() } else { writer.raw(encoded.span) }
  }

  override func writeNewest(to writer: inout JSONWriter) -> Bool {
    guard encoded != written else { return false }
    written = encoded
    let encoded = encoded
    writeNotification(to: &writer) { writer in
      writer.key("value")
      writer.raw(encoded.span)
    }
    return true
  }

  private func encode() {
    if let json = current.flatMap({ encode($0) }) { encoded = json }
  }

  /// A value as JSON; nil if it can't be written, which is told to who wrote the view model.
  private func encode(_ value: Value) -> [UInt8]? {
    var writer = JSONWriter()
    do throws(EncodingFailure) {
      try write(value, &writer)
      return writer.bytes
    } catch {
      view?.report("the output \"\(name)\" leaves a value unsaid: \(error.message)")
      return nil
    }
  }
}
