internal import Flow
package import Paging
internal import RPC
package import WireJSON

/// A value whose bytes are shared with other values. For example, a pager's item shares them with its list. An output
/// keeps such a value instead of a copy as text, because thousands of views may show one item.
package protocol SharedValue: JSONEncodable, Equatable {}

extension RawJSON: SharedValue {}
extension Array: SharedValue where Element: SharedValue {}
extension ChoiceItem: SharedValue {}
extension ListSection: SharedValue {}
extension Marks: SharedValue {}
extension FilterValues: SharedValue {}

/// A state whose values are shared.
final class SharedValueSlot<Value: SharedValue>: OutputSlot {
  private let stream: Observable<Value>
  private var newest: Value?
  /// The value at the end of the last step, and as it was last written.
  private var current: Value?
  private var written: Value?

  init(_ name: String, _ stream: Observable<Value>) {
    self.stream = stream
    super.init(name, schema: JSONSchema(of: Value.self))
  }

  override func subscribe() -> any Disposable {
    stream.subscribe(
      onNext: { [unowned self] value in
        newest = value
        touch()
      })
  }

  override func sendEvents(by outbox: Outbox) -> Bool {
    guard newest != current else { return false }
    current = newest
    return true
  }

  override func resetSent() {
    current = newest
    written = newest
  }

  override func writeCurrentMembers(to writer: inout JSONWriter) {
    writer.key("value")
    if let current { current.write(to: &writer) } else { writer.null() }
  }

  override func writeNewest(to writer: inout JSONWriter) -> Bool {
    guard current != written else { return false }
    written = current
    writeNotification(to: &writer, writeCurrentMembers)
    return true
  }
}
