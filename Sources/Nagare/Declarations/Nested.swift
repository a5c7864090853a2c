/// The inputs or outputs of a view model within another one's, in a namespace of their own: two children of one kind.
///
/// ```swift
/// struct Input: Ports {
///   @Nested var title = Editor.Input()  // title.write {"text": …}
///   @Nested var body = Editor.Input()   // body.write {"text": …}
/// }
/// struct Output: Outputs {
///   @Nested var title: Editor.Output    // title.count
///   @Nested var body: Editor.Output     // body.count
/// }
/// ```
/// Without it, the names of what is held are those on the wire, so that each may be there once. Structures of outputs whose
/// key paths a client in Swift uses are `Decodable`, too, from the one with the namespaces on.
@propertyWrapper
public struct Nested<Value: Encodable>: Encodable {
  /// The inputs or outputs.
  public var wrappedValue: Value

  /// Puts inputs or outputs into the namespace of the property's name.
  public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }

  /// Collects what is in the namespace. Only the service calls this.
  public func encode(to encoder: any Encoder) throws {
    var collector = try encoder.collector
    collector.isNamespace = true
    try wrappedValue.encode(to: collector)
  }
}
