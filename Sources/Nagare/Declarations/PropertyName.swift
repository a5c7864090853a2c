/// The name of an input or output that is known only at run time. ``Ports`` and ``Outputs`` that list their properties
/// themselves use it.
public struct PropertyName: CodingKey {
  /// The name of the input or output.
  public let stringValue: String
  /// Always nil, because properties have names.
  public var intValue: Int? { nil }

  /// Creates the name of an input or output.
  public init(_ name: String) { stringValue = name }

  /// Creates the name of an input or output.
  public init(stringValue: String) { self.init(stringValue) }

  /// Always nil, because properties have names.
  public init?(intValue: Int) { nil }
}
