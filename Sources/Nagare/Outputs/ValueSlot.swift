internal import Flow
internal import RPC
internal import WireJSON

/// An output of plain values: of a state's the newest counts, of events each.
final class ValueSlot<Value: Encodable>: OutputSlot {
  private let stream: Observable<Value>
  override var kind: OutputKind { Value.self == Occurrence.self ? .event : .state }
  private var events: [Value] = []
  private var current: Value?
  /// The value as JSON, at the end of the last step and as it was last written.
  private var encoded: [UInt8] = []
  private var written: [UInt8]? = []

  /// Says what comes, after `initial`: what is current before that. It is nil where something comes at once, and for
  /// events.
  init(
    _ name: String, _ stream: Observable<Value>, schema: @autoclosure @escaping () -> JSONSchema,
    initially initial: Value? = nil
  ) {
    self.stream = stream
    current = initial
    super.init(name, schema: schema())
    hasCurrentValue = initial != nil
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
      for json in events.compactMap({ encode($0) }) { notify(peer) { $0.raw(json.span) } }
      return
    }
    let before = encoded
    encode()
    if encoded != before { peer.post(self) }
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
