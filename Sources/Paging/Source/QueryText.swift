public import WireJSON

/// The text of a query: words separated by white space.
///
/// Its length is limited, because a search compares each word with all items.
public struct QueryText: JSONValue, Hashable, Sendable {
  /// The condition for a text, to follow "must be" in a message.
  public static let expectation = "a text of at most \(mostBytes) bytes in UTF-8 and \(mostWords) different words"
  private static let mostBytes = 4096
  private static let mostWords = 32

  /// The text.
  public let text: String

  /// Creates an empty query, which matches everything.
  public init() { text = "" }

  /// Creates a query from a text; nil if it is too long.
  public init?(_ text: String) {
    self.text = text
    guard text.utf8.count <= QueryText.mostBytes, words.count <= QueryText.mostWords else { return nil }
  }

  /// Reads a string. Throws if it is too long.
  public init(json: RawJSON) throws(DecodingFailure) {
    guard let query = QueryText(try WireText(json: json).string) else {
      throw DecodingFailure(expected: QueryText.expectation, in: json)
    }
    self = query
  }

  /// Writes the text.
  public func write(to writer: inout JSONWriter) { writer.string(text) }

  /// A string.
  public static var schema: JSONSchema { String.schema }

  /// The different words of the text.
  package var words: Set<[Unicode.Scalar]> { Set(text.unicodeScalars.split(whereSeparator: isSpace).map { Array($0) }) }
}

/// Whether a character separates words: ASCII white space or the ideographic space.
private func isSpace(_ scalar: Unicode.Scalar) -> Bool {
  scalar == " " || ("\t"..."\r").contains(scalar) || scalar == "\u{3000}"
}
