/// A property of an outputs structure that isn't sent to the client. Other view models in the same process use its
/// value.
package struct OffTheWire<Value>: Encodable {
  package let value: Value

  /// Wraps a value that isn't sent.
  package init(_ value: Value) { self.value = value }

  /// Collects nothing.
  package func encode(to encoder: any Encoder) {}
}
