/// The kind of a JSON value.
public enum JSONKind: Hashable, Sendable {
  /// Fields in braces.
  case object
  /// Elements in brackets.
  case array
  /// Text in quotes.
  case string
  /// A number of any size.
  case number
  /// `true` or `false`.
  case bool
  /// `null`.
  case null

  /// The kind of a valid value, by its first byte.
  @inlinable
  public init(startingWith byte: UInt8) {
    switch byte {
    case UInt8(ascii: "{"): self = .object
    case UInt8(ascii: "["): self = .array
    case UInt8(ascii: "\""): self = .string
    case UInt8(ascii: "t"), UInt8(ascii: "f"): self = .bool
    case UInt8(ascii: "n"): self = .null
    default: self = .number
    }
  }

  /// The kind with its article: `an array`.
  package var words: String {
    switch self {
    case .object: "an object"
    case .array: "an array"
    case .string: "a string"
    case .number: "a number"
    case .bool: "true or false"
    case .null: "null"
    }
  }
}
