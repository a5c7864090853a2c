/// What stands among the outputs for view models that know each other, and is none.
package struct OffTheWire<Value>: Encodable {
  /// Whatever it is.
  package let value: Value

  /// Something that isn't listed.
  package init(_ value: Value) { self.value = value }

  /// Lists nothing.
  package func encode(to encoder: any Encoder) {}
}
