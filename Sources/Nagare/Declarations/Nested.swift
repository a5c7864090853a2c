/// Puts the inputs or outputs of another view model into a namespace, so a view model can hold two children of one
/// type.
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
/// Without `@Nested`, the child's inputs and outputs keep their names on the wire, so two children would have the same
/// names.
///
/// A client in Swift may use key paths into outputs that have a `@Nested` property. Then the structure with that
/// property must be `Decodable`, and so must each structure inside it.
@propertyWrapper
public struct Nested<Value: Encodable>: Encodable {
  /// The inputs or outputs in the namespace.
  public var wrappedValue: Value

  /// Puts inputs or outputs into a namespace that has the property's name.
  public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }

  /// Collects the inputs or outputs in the namespace. Only the service calls this.
  public func encode(to encoder: any Encoder) throws {
    var collector = try encoder.collector
    collector.isNamespace = true
    try wrappedValue.encode(to: collector)
  }
}
