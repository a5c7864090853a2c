internal import ItemList
public import WireJSON

/// By what the items of a list are put into sections: neighbours in which a member begins alike.
public struct SectionRule: Record, Hashable, Sendable {
  /// The most characters of a text that count.
  package static let mostCharacters = 1000
  /// The most code points of these that count: some characters have any number of them.
  private static let mostCodePoints = 4 * mostCharacters

  /// The member's name; `a.b` is the member `b` of the object `a`.
  public let by: String
  /// How many characters of a text count; nil for the first 1,000.
  public let prefix: Int?
  private let path: [String]

  /// A rule.
  ///
  /// - Parameters:
  ///   - by: the member's name; `a.b` is the member `b` of the object `a`.
  ///   - prefix: how many characters of a text count; nil for the first 1,000.
  public init(by: String, prefix: Int? = nil) {
    (self.by, self.prefix) = (by, prefix)
    path = RowOrder.path(to: by)
  }

  /// Its members on the wire.
  public static let fields = Fields(
    SectionRule.init(by:prefix:),
    Field("by", \.by, "The field whose value the items of a section share."),
    Field("prefix", \.prefix, "How many characters of a text are compared; by default the first 1,000.")
      .limited(to: 1...SectionRule.mostCharacters))

  /// What an item has in common with others of its section: a text, a number, true or false, each spelled in one way; null
  /// where it has none of these, or a number of more than 1,000 digits. Every output of sections has the keys, so they are
  /// bounded: of a text the first characters count.
  func key(of item: RawJSON) -> RawJSON {
    guard let value = path.reduce(item, { $0?.member($1) }) else { return .null }
    switch value.kind {
    case .object, .array: return .null
    case .bool, .null: return RawJSON(copying: value)
    case .string:
      let prefix = prefix ?? SectionRule.mostCharacters
      if let text = plainText(value.bytes.dropFirst().dropLast(), prefix) { return text }
      if let text = value.string {
        return String(String.UnicodeScalarView(text.prefix(prefix).unicodeScalars.prefix(SectionRule.mostCodePoints)))
          .json
      }
      if value.bytes.count > SectionRule.mostCodePoints { return .null }
    case .number: if value.bytes.count > SectionRule.mostCharacters { return .null }
    }
    return CanonicalScalar.spelling(of: value.bytes).map { RawJSON(trusting: $0) } ?? .null
  }

  /// The first characters of a text whose bytes are characters of their own as far as is to be known.
  private func plainText(_ bytes: ArraySlice<UInt8>, _ count: Int) -> RawJSON? {
    // What follows a character may be a part of it.
    guard bytes.prefix(count + 1).allSatisfy({ $0 < 0x80 && $0 != UInt8(ascii: "\\") }) else { return nil }
    let text = [UInt8(ascii: "\"")] + bytes.prefix(count) + [UInt8(ascii: "\"")]
    return RawJSON(trusting: text)
  }
}
