public import Flow
public import RPC
public import WireJSON

/// What an output may carry that isn't sent as a plain `Encodable` value: ``Items`` and ``ItemList`` are sent by splices, a
/// ``Navigation`` opens a view.
public protocol OutputValue {
  /// Makes what keeps the output's current value and sends it.
  static func makeSlot(named name: String, for stream: Observable<Self>) -> OutputSlot
}

extension OutputValue where Self: Encodable {
  /// An output of plain values.
  public static func makeSlot(named name: String, for stream: Observable<Self>) -> OutputSlot {
    .plain(name, stream, schema: JSONSchema(of: Self.self))
  }
}

extension Optional: OutputValue where Wrapped: Encodable {
  /// An output of what may be there or not.
  public static func makeSlot(named name: String, for stream: Observable<Wrapped?>) -> OutputSlot {
    .plain(name, stream, schema: JSONSchema(of: Wrapped.self).nullable)
  }
}

/// One output of one opened view: its current value, and what of it is still to be sent.
///
/// A step may change an output many times; what is sent at the step's end is where it has come to, and only if that is
/// new.
public class OutputSlot: Deferrable {
  /// The output's name.
  public let name: String
  /// The schema of its values.
  public private(set) lazy var schema = makeSchema()
  private let makeSchema: () -> JSONSchema
  private(set) weak var view: View?
  package private(set) var order = 0
  /// The turns of what it comes from, where that begins with its first subscriber.
  var turn: Turn?
  /// Whether it comes from a driver, and not from a signal.
  var hasCurrentValue = false
  private var isTouched = false
  private var subscription: (any Disposable)?

  init(_ name: String, schema: @autoclosure @escaping () -> JSONSchema) {
    self.name = name
    makeSchema = schema
  }

  /// Makes it an output of an opened view.
  final func attach(to view: View, order: Int) {
    self.view = view
    self.order = order
  }

  /// Begins to listen.
  final func connect() { subscription = subscribe() }

  /// Stops listening. What waits to be sent still is.
  final func stop() {
    subscription?.dispose()
    subscription = nil
  }

  /// Stops for good: nothing more is sent.
  final func disconnect() {
    stop()
    view?.outbox.forget(self)
    view = nil
  }

  /// Notes that something has come.
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

  /// The current value is sent in an answer: nothing before it need be sent any more.
  final func markSent() {
    isTouched = false
    resetSent()
  }

  /// Sends a value that must not be lost.
  final func send(by outbox: Outbox, _ value: (inout JSONWriter) -> Void) {
    if let view { outbox.send(name, of: view.name, value) }
  }

  /// Writes a notification of this output with what `value` writes after the view's name.
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

  /// Writes the whole message, when the transport is ready for it. A view that was closed by then sends nothing.
  package final func writeMessage(to writer: inout JSONWriter) -> Bool { view != nil && writeNewest(to: &writer) }

  // What each kind of output does in its own way.

  /// What its notifications have beside the value, or in its place.
  var memberSchemas: [JSONSchema.Property] { [] }
  /// What its values are.
  var kind: OutputKind { hasCurrentValue ? .state : .event }
  func subscribe() -> any Disposable { preconditionFailure("each kind of output subscribes in its own way") }
  /// Sends the events of a step, and says whether there is a newer current value, which is to be written.
  func sendEvents(by outbox: Outbox) -> Bool { false }
  func resetSent() {}
  /// Writes the members that the current value has in the answers to `open` and `outputs`.
  func writeCurrentMembers(to writer: inout JSONWriter) {}
  /// Writes the whole message, when the transport is ready for it; false if nothing is new.
  func writeNewest(to writer: inout JSONWriter) -> Bool { false }
}

extension Outbox {
  /// Sends a value of a view's output that must not be lost.
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
  /// An output of plain values of any type. How they are written is looked up here, and not for each of them.
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
      view?.report("the output \"\(name)\" can't send a value: \(error.message)")
      return nil
    }
  }
}
