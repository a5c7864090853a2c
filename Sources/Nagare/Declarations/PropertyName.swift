/// The name of an input or output that is known at run time, for ``Ports`` and ``Outputs`` that list theirs by hand.
public struct PropertyName: CodingKey {
  /// The name.
  public let stringValue: String
  /// None: properties have names.
  public var intValue: Int? { nil }

  /// A name.
  public init(_ name: String) { stringValue = name }

  /// A name.
  public init(stringValue: String) { self.init(stringValue) }

  /// Nil: properties have names.
  public init?(intValue: Int) { nil }
}
