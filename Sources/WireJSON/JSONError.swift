/// Why a text isn't JSON by RFC 8259, and where the problem is.
///
/// A text that ends too early (a proper prefix of some valid text) always fails with ``Kind/unexpectedEnd`` at its end.
/// So a reader that has only the beginning of a text can distinguish a text that needs more bytes from a wrong one.
public struct JSONError: Error, Hashable, Sendable {
  /// The kind of an error.
  public enum Kind: Hashable, Sendable {
    /// The text ends too early.
    case unexpectedEnd
    /// A value was expected, but the next character starts none.
    case expectedValue
    /// After an opening brace, `"` or `}` was expected.
    case expectedNameOrBrace
    /// After a comma between fields, `"` was expected.
    case expectedName
    /// After the name of a field, `:` was expected.
    case expectedColon
    /// After a field, `,` or `}` was expected.
    case expectedCommaOrBrace
    /// After an element, `,` or `]` was expected.
    case expectedCommaOrBracket
    /// Something other than white space follows the value.
    case trailingText
    /// A string contains an unescaped byte below 0x20.
    case controlCharacter
    /// The character after a backslash doesn't make an escape of RFC 8259.
    case invalidEscape
    /// A string contains bytes that aren't well-formed UTF-8 (Unicode's table 3-7).
    case invalidUTF8
    /// A number begins with a zero and another digit.
    case leadingZero
    /// A number has no digit after its sign, point or exponent mark.
    case expectedDigit
    /// More arrays and objects are nested than the limit allows.
    case tooDeep(limit: Int)
    /// The text has 4 GiB or more.
    case tooLong
  }

  /// The byte offset of the error from the start of the text.
  public let offset: Int
  /// The kind of the error.
  public let kind: Kind

  /// Makes an error of a kind at a byte offset from the start of the text.
  @inlinable
  public init(_ kind: Kind, at offset: Int) {
    self.kind = kind
    self.offset = offset
  }

  /// The error in words for a person, without its position.
  public var message: String {
    switch kind {
    case .unexpectedEnd: "unexpected end of text"
    case .expectedValue: "expected a value: an object, an array, a string, a number, true, false or null"
    case .expectedNameOrBrace: "expected '}' or the name of a field in quotes"
    case .expectedName: "expected the name of a field in quotes after ','"
    case .expectedColon: "expected ':' after the name of a field"
    case .expectedCommaOrBrace: "expected ',' or '}' after a field"
    case .expectedCommaOrBracket: "expected ',' or ']' after an array's element"
    case .trailingText: "expected nothing after the value"
    case .controlCharacter: "a control character must be escaped in a string"
    case .invalidEscape: "a backslash must be followed by one of \" \\ / b f n r t, or by u and four hexadecimal digits"
    case .invalidUTF8: "not UTF-8"
    case .leadingZero: "a number can't start with '0' followed by digits"
    case .expectedDigit: "expected a digit"
    case .tooDeep(let limit): "nested deeper than \(limit)"
    case .tooLong: "longer than 4 GiB"
    }
  }
}

extension JSONError: CustomStringConvertible {
  /// The message with its position, such as `unexpected end of text (at byte 17)`.
  public var description: String { "\(message) (at byte \(offset))" }
}
