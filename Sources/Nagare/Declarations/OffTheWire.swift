/// A property of outputs that isn't sent, for other view models in the same process.
package struct OffTheWire<Value>: Encodable {
  /// The value.
  package let value: Value

  /// A value that isn't sent.
  package init(_ value: Value) { self.value = value }

  /// Collects nothing.
  package func encode(to encoder: any Encoder) {}
}
