internal import Flow
internal import RPC
internal import WireJSON

/// An output of plain values: of a state's the newest counts, of events each.
final class ValueSlot<Value: Encodable>: OutputSlot {
  private let stream: Observable<Value>
  private var events: [Value] = []
  private var current: Value?
  /// The value as JSON, at the end of the last step and as it was last written.
  private var encoded: [UInt8] = []
  private var written: [UInt8]? = []

  init(_ name: String, _ stream: Observable<Value>, schema: @autoclosure @escaping () -> JSONSchema) {
    self.stream = stream
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
}
