internal import Flow
internal import RPC
internal import WireJSON

/// An output of plain values: the newest counts if there is a current value, every one if it says events.
final class ValueSlot<Value: JSONEncodable>: OutputSlot {
  private let stream: Observable<Value>
  private let saysEqualValues: Bool
  override var kind: OutputKind { Value.self == Occurrence.self ? .event : .value }
  private var events: [Value] = []
  private var current: Value?
  /// The value as JSON, at the end of the last step and as it was last written.
  private var encoded: [UInt8] = []
  private var written: [UInt8]? = []

  init(_ name: String, _ stream: Observable<Value>, schema: JSONSchema, saysEqualValues: Bool = false) {
    self.stream = stream
    self.saysEqualValues = saysEqualValues
    super.init(name, schema: schema)
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
      for event in events { notify(peer, event.write) }
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
    current?.write(to: &writer)
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
    var writer = JSONWriter()
    current?.write(to: &writer)
    encoded = writer.bytes
  }
}

/// An output of what may stand or not, such as an error: each one that comes is said, none is lost, and nil only ends
/// what stood.
final class OptionalSlot<Value: JSONEncodable>: OutputSlot {
  private let stream: Observable<Value?>
  private var current: Value?
  private var unsaid: [Value] = []

  init(_ name: String, _ stream: Observable<Value?>, schema: JSONSchema) {
    self.stream = stream
    super.init(name, schema: schema)
    hasCurrentValue = true
  }

  override var kind: OutputKind { .optional }

  override func subscribe() -> any Disposable {
    var last: [UInt8]?
    return stream.subscribe(
      onNext: { [unowned self] value in
        current = value
        guard let value else {
          last = nil
          return
        }
        // The same value told again, by a state that changed elsewhere, is no news.
        var writer = JSONWriter()
        value.write(to: &writer)
        guard writer.bytes != last else { return }
        last = writer.bytes
        unsaid.append(value)
        touch()
      }, onError: { [unowned self] in report($0) })
  }

  override func say(to peer: Peer) {
    let values = unsaid
    unsaid = []
    for value in values { notify(peer, value.write) }
  }

  override func resetSaid() { unsaid = [] }

  override func writeCurrentMembers(to writer: inout JSONWriter) {
    writer.key("value")
    if let current { current.write(to: &writer) } else { writer.null() }
  }
}
