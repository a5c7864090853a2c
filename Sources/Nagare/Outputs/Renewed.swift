public import Flow
internal import WireJSON

/// A value that is said each time it comes, equal to the one before or not: for an output whose coming is news, such as
/// the answer to a refresh.
///
/// ```swift
/// let offers: Observable<Renewed<[Offer]>>
/// ```
public struct Renewed<Value: Encodable>: OutputValue {
  /// The value.
  public let value: Value

  /// A value to be said.
  ///
  /// - Parameter value: the value.
  public init(_ value: Value) { self.value = value }

  /// Makes an output that says each value that comes.
  public static func makeSlot(named name: String, for stream: Observable<Renewed>) -> OutputSlot {
    ValueSlot(name, stream.map(\.value), schema: JSONSchema(of: Value.self), saysEqualValues: true)
  }
}
