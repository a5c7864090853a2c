public import WireJSON

/// What a source is asked to look for: a text of a few words with white space between them.
///
/// How long it may be is limited, as whoever searches goes over all there is for it.
public struct QueryText: JSONValue, Hashable, Sendable {
  /// What a text must be, in words that follow "must be".
  public static let expectation = "a text of at most \(mostBytes) bytes in UTF-8 and \(mostWords) different words"
  private static let mostBytes = 4096
  private static let mostWords = 32

  /// The text.
  public let text: String

  /// Looks for everything.
  public init() { text = "" }

  /// Takes a text; nil if it is too long.
  public init?(_ text: String) {
    self.text = text
    guard text.utf8.count <= QueryText.mostBytes, words.count <= QueryText.mostWords else { return nil }
  }

  /// Reads a string that isn't too long.
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

  /// The different words.
  package var words: Set<[Unicode.Scalar]> { Set(text.unicodeScalars.split(whereSeparator: isSpace).map { Array($0) }) }
}

/// Whether a scalar stands between words: ASCII's white space does, and the ideographic space.
private func isSpace(_ scalar: Unicode.Scalar) -> Bool {
  scalar == " " || ("\t"..."\r").contains(scalar) || scalar == "\u{3000}"
}
