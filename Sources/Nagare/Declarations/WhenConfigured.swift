/// An input or output that only those screens of a kind have whose definition asks for it, so that the others' stay few.
package struct WhenConfigured<Value: Encodable>: Encodable {
  /// The input or output; nil where it isn't asked for.
  package let value: Value?

  package init(_ value: Value?) { self.value = value }

  /// Lists it, if it is there. Only the service calls it.
  package func encode(to encoder: any Encoder) throws {
    guard let value else { return }
    let collector = try encoder.collector
    collector.found.optionalNames.insert(collector.name)
    try value.encode(to: collector)
  }
}
