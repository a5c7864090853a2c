package import Flow
internal import RPC
package import WireJSON

/// An output of values that share their bytes with others, as an item of a list does with the list: it keeps these values
/// alone, and no text of its own. There always is a current one.
package final class SharedValueSlot<Value: JSONEncodable & Equatable>: OutputSlot {
  private let stream: Observable<Value>
  private var newest: Value?
  /// The value at the end of the last step, and as it was last written.
  private var current: Value?
  private var written: Value?

  package init(_ name: String, _ stream: Observable<Value>, schema: @autoclosure @escaping () -> JSONSchema) {
    self.stream = stream
    super.init(name, schema: schema())
  }

  override func subscribe() -> any Disposable {
    stream.subscribe(
      onNext: { [unowned self] value in
        newest = value
        touch()
      }, onError: { [unowned self] in report($0) })
  }

  override func say(to peer: Peer) {
    guard newest != current else { return }
    current = newest
    peer.post(self)
  }

  override func resetSaid() {
    current = newest
    written = current
  }

  override func writeCurrentMembers(to writer: inout JSONWriter) {
    writer.key("value")
    if let current { current.write(to: &writer) } else { writer.null() }
  }

  override func writeNewest(to writer: inout JSONWriter) -> Bool {
    guard current != written else { return false }
    written = current
    writeNotification(to: &writer) { writeCurrentMembers(to: &$0) }
    return true
  }
}
