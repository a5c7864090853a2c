internal import Flow
internal import RPC
internal import WireJSON

/// An output of plain values: the newest counts if there is a current value, every one if it says events.
final class ValueSlot<Value: Encodable>: OutputSlot {
  private let stream: Observable<Value>
  private let saysEqualValues: Bool
  override var kind: OutputKind { Value.self == Occurrence.self ? .event : .value }
  private var events: [Value] = []
  private var current: Value?
  /// The value as JSON, at the end of the last step and as it was last written.
  private var encoded: [UInt8] = []
  private var written: [UInt8]? = []

  init(
    _ name: String, _ stream: Observable<Value>, schema: @autoclosure @escaping () -> JSONSchema,
    saysEqualValues: Bool = false
  ) {
    self.stream = stream
    self.saysEqualValues = saysEqualValues
    super.init(name, schema: schema())
  }

  override func subscribe() -> any Disposable {
    stream.subscribe(
      onNext: { [unowned self] value in
        touch()
        if hasCurrentValue { current = value } else { events.append(value) }
      }, onError: { [unowned self] in report($0) })
  }

  override func say(to peer: Peer) {
    guard hasCurrentValue else {
      let events = events
      self.events = []
      for json in events.compactMap({ encode($0) }) { notify(peer) { $0.raw(json) } }
      return
    }
    let before = encoded
    encode()
    if saysEqualValues { written = nil }
    if saysEqualValues || encoded != before { peer.post(self) }
  }

  override func resetSaid() {
    encode()
    written = encoded
  }

  override func writeCurrentMembers(to writer: inout JSONWriter) {
    writer.key("value")
    let encoded = encoded
    if encoded.isEmpty { writer.null() } else { writer.raw(encoded.span) }
  }

  override func writeMessage(to writer: inout JSONWriter) -> Bool {
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
    if let json = current.flatMap({ encode($0) }) { encoded = Array(json.bytes) }
  }
}

/// An output of what may stand or not, such as an error: each one that comes is said, none is lost, and nil only ends
/// what stood.
final class OptionalSlot<Value: Encodable>: OutputSlot {
  private let stream: Observable<Value?>
  private var current: RawJSON?
  private var unsaid: [RawJSON] = []

  init(_ name: String, _ stream: Observable<Value?>, schema: @autoclosure @escaping () -> JSONSchema) {
    self.stream = stream
    super.init(name, schema: schema())
    hasCurrentValue = true
  }

  override var kind: OutputKind { .optional }

  override func subscribe() -> any Disposable {
    stream.subscribe(
      onNext: { [unowned self] value in
        let last = current
        current = value.flatMap { encode($0) }
        // The same value told again, by a state that changed elsewhere, is no news.
        guard let current, current.bytes != last?.bytes else { return }
        unsaid.append(current)
        touch()
      }, onError: { [unowned self] in report($0) })
  }

  override func say(to peer: Peer) {
    let values = unsaid
    unsaid = []
    for value in values { notify(peer) { $0.raw(value) } }
  }

  override func resetSaid() { unsaid = [] }

  override func writeCurrentMembers(to writer: inout JSONWriter) {
    writer.key("value")
    writer.raw(current ?? .null)
  }
}
