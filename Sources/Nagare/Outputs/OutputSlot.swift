public import Flow
public import RPC
public import WireJSON

/// The value of an output that isn't sent as a plain `Encodable` value. ``Items`` and ``ItemList`` are sent as splices;
/// a ``Navigation`` opens a view.
public protocol OutputValue {
  /// Returns a slot that keeps the output's current value and sends it.
  static func makeSlot(named name: String, for stream: Observable<Self>) -> OutputSlot
}

extension OutputValue where Self: Encodable {
  /// Creates an output of plain values.
  public static func makeSlot(named name: String, for stream: Observable<Self>) -> OutputSlot {
    .plain(name, stream, schema: JSONSchema(of: Self.self))
  }
}

extension Optional: OutputValue where Wrapped: Encodable {
  /// Creates an output of values that may be nil.
  public static func makeSlot(named name: String, for stream: Observable<Wrapped?>) -> OutputSlot {
    .plain(name, stream, schema: JSONSchema(of: Wrapped.self).nullable)
  }
}

/// One output of one open view. It keeps the current value and whatever is still unsent.
///
/// A step may change an output many times. At the end of the step only the last value is sent, and only if it differs
/// from the value sent before.
public class OutputSlot: Deferrable {
  /// The name of the output.
  public let name: String
  /// The schema of the output's values.
  public private(set) lazy var schema = makeSchema()
  private let makeSchema: () -> JSONSchema
  private(set) weak var view: View?
  package private(set) var order = 0
  /// The turn of the output's driver or signal. Nil if the stream doesn't start with its first subscriber.
  var turn: Turn?
  /// Whether the output is a driver, not a signal.
  var hasCurrentValue = false
  private var isTouched = false
  private var subscription: (any Disposable)?

  init(_ name: String, schema: @autoclosure @escaping () -> JSONSchema) {
    self.name = name
    makeSchema = schema
  }

  /// Assigns the slot to an open view.
  final func attach(to view: View, order: Int) {
    self.view = view
    self.order = order
  }

  /// Subscribes to the output.
  final func connect() { subscription = subscribe() }

  /// Ends the subscription. Values that are queued are still sent.
  final func stop() {
    subscription?.dispose()
    subscription = nil
  }

  /// Ends the subscription and drops queued values: nothing more is sent.
  final func disconnect() {
    stop()
    view?.outbox.forget(self)
    view = nil
  }

  /// Marks the output as changed in the current step.
  final func touch() {
    guard !isTouched else { return }
    isTouched = true
    view?.outbox.touch(self)
  }

  package final func endStep(_ outbox: Outbox) -> Bool {
    guard isTouched, view != nil else { return false }
    isTouched = false
    return sendEvents(by: outbox)
  }

  /// Marks the current value as sent, because an answer contains it. Older values needn't be sent.
  final func markSent() {
    isTouched = false
    resetSent()
  }

  /// Sends a value that must not be skipped.
  final func send(by outbox: Outbox, _ value: (inout JSONWriter) -> Void) {
    if let view { outbox.send(name, of: view.name, value) }
  }

  /// Writes a notification of this output. The closure writes the fields after the view's name.
  final func writeNotification(to writer: inout JSONWriter, _ members: (inout JSONWriter) -> Void) {
    writer.beginMessage()
    writer.member("method", name)
    writer.key("params")
    writer.beginObject()
    writer.member("view", view?.name ?? "")
    members(&writer)
    writer.endObject()
    writer.endObject()
  }

  /// Writes the whole message, when the transport is ready for it. Writes nothing if the view was closed in the
  /// meantime.
  package final func writeMessage(to writer: inout JSONWriter) -> Bool { view != nil && writeNewest(to: &writer) }

  // Each kind of output overrides the following members.

  /// The schemas of the fields next to the value, or of those that replace it.
  var memberSchemas: [JSONSchema.Property] { [] }
  /// The kind of the output.
  var kind: OutputKind { hasCurrentValue ? .state : .event }
  func subscribe() -> any Disposable { preconditionFailure("each kind of output must override this method") }
  /// Sends the events of a step. Returns whether the current value has changed and must be written.
  func sendEvents(by outbox: Outbox) -> Bool { false }
  func resetSent() {}
  /// Writes the fields of the current value, for the answers to `open` and `outputs`.
  func writeCurrentMembers(to writer: inout JSONWriter) {}
  /// Writes the whole message, when the transport is ready for it. Returns false if there is nothing new.
  func writeNewest(to writer: inout JSONWriter) -> Bool { false }
}

extension Outbox {
  /// Sends a value of a view's output that must not be skipped.
  func send(_ output: String, of view: String, _ value: (inout JSONWriter) -> Void) {
    notify(output) { writer in
      writer.beginObject()
      writer.member("view", view)
      writer.key("value")
      value(&writer)
      writer.endObject()
    }
  }
}

// MARK: - Plain values

extension OutputSlot {
  /// Creates an output of plain values of any type. How to write the type is looked up once, here, and not for each
  /// value.
  static func plain<Value: Encodable>(
    _ name: String, _ stream: Observable<Value>, schema: @autoclosure @escaping () -> JSONSchema
  ) -> OutputSlot {
    func slot<Direct: JSONEncodable>(_ type: Direct.Type) -> OutputSlot? {
      guard let stream = stream as? Observable<Direct> else { return nil }
      return ValueSlot(name, stream, schema: schema()) { value, writer throws(EncodingFailure) in
        value.write(to: &writer)
      }
    }
    return (Value.self as? any JSONEncodable.Type).flatMap { slot($0) }
      ?? ValueSlot(name, stream, schema: schema()) { value, writer throws(EncodingFailure) in try writer.encode(value) }
  }
}

/// An output of plain values. A state sends its newest value, an event output each value.
private final class ValueSlot<Value>: OutputSlot {
  private let stream: Observable<Value>
  private let write: (Value, inout JSONWriter) throws(EncodingFailure) -> Void
  private var events: [Value] = []
  private var current: Value?
  /// The value as JSON at the end of the last step, and as it was last written.
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

  /// Returns the value as JSON. If it can't be encoded, returns nil and reports that to the view model's author.
  private func encode(_ value: Value) -> [UInt8]? {
    var writer = JSONWriter()
    do throws(EncodingFailure) {
      try write(value, &writer)
      return writer.bytes
    } catch {
      view?.report("the output \"\(name)\" can't send a value: \(error.message)")
      return nil
    }
  }
}
