/// An input or output that a screen has only if its configuration requests it.
package struct WhenConfigured<Value: Encodable>: Encodable {
  /// The input or output; nil if the screen doesn't have it.
  package let value: Value?

  package init(_ value: Value?) { self.value = value }

  /// Collects the input or output if the screen has it. Only the service calls this.
  package func encode(to encoder: any Encoder) throws {
    guard let value else { return }
    let collector = try encoder.collector
    collector.found.optionalNames.insert(collector.name)
    try value.encode(to: collector)
  }
}
