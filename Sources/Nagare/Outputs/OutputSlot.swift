public import Flow
public import RPC
public import WireJSON

/// What an output may carry that isn't sent as a plain `Encodable` value: ``Items`` and ``ItemList`` are sent by splices, a
/// ``Navigation`` opens a view.
public protocol OutputValue {
  /// Makes what keeps the output's current value and says it.
  static func makeSlot(named name: String, for stream: Observable<Self>) -> OutputSlot
}

extension OutputValue where Self: Encodable {
  /// An output of plain values.
  public static func makeSlot(named name: String, for stream: Observable<Self>) -> OutputSlot {
    ValueSlot(name, stream, schema: JSONSchema(of: Self.self))
  }
}

extension Optional: OutputValue where Wrapped: Encodable {
  /// An output of what may be there or not.
  public static func makeSlot(named name: String, for stream: Observable<Wrapped?>) -> OutputSlot {
    ValueSlot(name, stream, schema: JSONSchema(of: Wrapped.self).nullable, initially: .some(nil))
  }
}

/// One output of one opened view: its current value, and what of it is still to be said.
///
/// A step may change an output many times; what is said at the step's end is where it has come to, and only if that
/// is new.
public class OutputSlot: Deferrable {
  /// The output's name.
  public let name: String
  /// The schema of its values.
  public private(set) lazy var schema = makeSchema()
  private let makeSchema: () -> JSONSchema
  weak var view: View?
  /// The turns of what it comes from, where that begins with its first subscriber.
  var turns: Turns?
  /// Whether it comes from a signal: its values are events then, whatever their type.
  var isSignal = false
  var hasCurrentValue = false
  private var isSubscribing = false
  private(set) var isDirty = false
  private var subscription: (any Disposable)?

  init(_ name: String, schema: @autoclosure @escaping () -> JSONSchema) {
    self.name = name
    makeSchema = schema
  }

  /// Begins to listen. A value that comes at once is the current value, and shows that there always is one.
  final func connect() {
    isSubscribing = true
    subscription = subscribe()
    isSubscribing = false
  }

  /// Stops listening. What waits to be said still is.
  final func stop() {
    subscription?.dispose()
    subscription = nil
  }

  /// Stops for good: nothing more is said.
  final func disconnect() {
    stop()
    view = nil
  }

  /// Notes that something has come.
  final func touch() {
    if isSubscribing, !saysOnlyEvents { hasCurrentValue = true }
    guard !isDirty else { return }
    isDirty = true
    view?.touch()
  }

  /// Tells who wrote the view model that the stream has failed: a failure that a client is to hear of is a value.
  final func report(_ error: any Error) {
    view?.report("the output \"\(name)\" failed and says nothing more: \(error)")
  }

  /// A value as JSON; nil if it can't be written, which is told to who wrote the view model.
  final func encode(_ value: some Encodable) -> [UInt8]? {
    var writer = JSONWriter()
    do throws(EncodingFailure) {
      try writer.encode(value)
      return writer.bytes
    } catch {
      view?.report("the output \"\(name)\" leaves a value unsaid: \(error.message)")
      return nil
    }
  }

  /// Says what is new, at a step's end.
  final func flush(to peer: Peer) {
    guard isDirty else { return }
    isDirty = false
    say(to: peer)
  }

  /// The current value is said in an answer: nothing before it need be said any more.
  final func markSaid() {
    isDirty = false
    resetSaid()
  }

  /// Says a value that must not be lost.
  final func notify(_ peer: Peer, _ value: (inout JSONWriter) -> Void) {
    if let view { peer.notify(name, of: view.name, value) }
  }

  /// Writes a notification of this output with what `value` writes after the view's name.
  final func writeNotification(to writer: inout JSONWriter, _ members: (inout JSONWriter) -> Void) {
    writer.beginObject()
    writer.key("jsonrpc")
    writer.string("2.0")
    writer.key("method")
    writer.string(name)
    writer.key("params")
    writer.beginObject()
    writer.key("view")
    writer.string(view?.name ?? "")
    members(&writer)
    writer.endObject()
    writer.endObject()
  }

  /// Writes the whole message, when the transport is ready for it. A view that was closed by then says nothing.
  public final func writeMessage(to writer: inout JSONWriter) -> Bool { view != nil && writeNewest(to: &writer) }

  // What each kind of output does in its own way.

  /// What its notifications have beside the value, or in its place.
  var memberSchemas: [JSONSchema.Property] { [] }
  /// What becomes of its values, by its type.
  var kind: OutputKind { .state }
  /// Whether a value that comes at once is an event all the same.
  final var saysOnlyEvents: Bool { isSignal || kind == .event }
  func subscribe() -> any Disposable { preconditionFailure("each kind of output subscribes in its own way") }
  func say(to peer: Peer) {}
  func resetSaid() {}
  /// Writes the members that the current value has in the answers to `open` and `outputs`.
  func writeCurrentMembers(to writer: inout JSONWriter) {}
  /// Writes the whole message, when the transport is ready for it; false if nothing is new.
  func writeNewest(to writer: inout JSONWriter) -> Bool { false }
}

extension Peer {
  /// Says a value of a view's output that must not be lost.
  func notify(_ output: String, of view: String, _ value: (inout JSONWriter) -> Void) {
    notify(output) { writer in
      writer.beginObject()
      writer.key("view")
      writer.string(view)
      writer.key("value")
      value(&writer)
      writer.endObject()
    }
  }
}
