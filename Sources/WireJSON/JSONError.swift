/// Why a text is not JSON as RFC 8259 has it, and where that shows.
///
/// A text that stops short (a proper prefix of some valid text) always fails with ``Kind/unexpectedEnd`` at its end,
/// so a reader that works on windows of a longer text can tell "needs more bytes" from "is wrong".
public struct JSONError: Error, Hashable, Sendable {
  /// What is wrong.
  public enum Kind: Hashable, Sendable {
    /// The text ends where more has to come.
    case unexpectedEnd
    /// Something that starts no value stands where a value belongs.
    case expectedValue
    /// Something other than `"` or `}` follows an opening brace.
    case expectedNameOrBrace
    /// Something other than `"` follows a comma between members.
    case expectedName
    /// Something other than `:` follows a member's name.
    case expectedColon
    /// Something other than `,` or `}` follows a member.
    case expectedCommaOrBrace
    /// Something other than `,` or `]` follows an element.
    case expectedCommaOrBracket
    /// More than white space follows the value.
    case trailingText
    /// A byte below 0x20 stands in a string as it is.
    case controlCharacter
    /// A backslash is followed by none of RFC 8259's escapes.
    case invalidEscape
    /// Bytes that are not well-formed UTF-8 (Unicode's table 3-7) stand in a string.
    case invalidUTF8
    /// A number begins with a zero and goes on with a digit.
    case leadingZero
    /// A number lacks a digit after its sign, point or exponent mark.
    case expectedDigit
    /// More arrays and objects are open than the limit, its payload, allows.
    case tooDeep(limit: Int)
    /// The text has 4 GiB or more.
    case tooLong
  }

  /// Where it shows, in bytes from the start of the text that was read.
  public let offset: Int
  /// What is wrong.
  public let kind: Kind

  /// Names an error, and where it shows in bytes from the start of the text.
  @inlinable
  public init(_ kind: Kind, at offset: Int) {
    self.kind = kind
    self.offset = offset
  }

  /// The error in words for a person, without its place.
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
  /// The message with its place, such as `unexpected end of text (at byte 17)`.
  public var description: String { "\(message) (at byte \(offset))" }
}
