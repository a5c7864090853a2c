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
  var turns: Turns?
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
