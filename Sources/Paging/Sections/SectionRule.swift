internal import ItemList
public import WireJSON

/// How items of a list are grouped into sections: consecutive items belong together if a field has the same value, or
/// begins with the same characters.
public struct SectionRule: Record, Hashable, Sendable {
  /// The most characters of a string that are compared.
  package static let mostCharacters = 1000
  /// The most code points of these characters. Without this limit they could be endless, because a character can have
  /// any number of code points.
  private static let mostCodePoints = 4 * mostCharacters

  /// The field's name. In a name such as `a.b`, `b` is a field of the object `a`.
  public let by: String
  /// How many characters of a string are compared, from 1 to 1,000; nil for 1,000.
  public let prefix: Int?
  private let path: [String]

  /// Creates a rule.
  ///
  /// - Parameters:
  ///   - by: the field's name. In a name such as `a.b`, `b` is a field of the object `a`.
  ///   - prefix: how many characters of a string are compared; nil for 1,000.
  public init(by: String, prefix: Int? = nil) {
    (self.by, self.prefix) = (by, prefix)
    path = RowOrder.path(to: by)
  }

  /// The fields on the wire.
  public static let fields = Fields(
    SectionRule.init(by:prefix:),
    Field("by", \.by, "The field whose value the items of a section share."),
    Field("prefix", \.prefix, "How many characters of a text are compared; by default the first 1,000.")
      .limited(to: 1...SectionRule.mostCharacters))

  /// The key of an item's section: a string, a number, true, false or null, in a canonical spelling.
  ///
  /// Every output of sections contains the keys, so their length is limited: only the first characters of a string
  /// count. The key is null if the item has no such value, or a number of more than 1,000 digits.
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

  /// The first characters of a string, if each of its bytes certainly is one character; nil otherwise.
  private func plainText(_ bytes: ArraySlice<UInt8>, _ count: Int) -> RawJSON? {
    // The next character is checked too, because it could combine with the last one.
    guard bytes.prefix(count + 1).allSatisfy({ $0 < 0x80 && $0 != UInt8(ascii: "\\") }) else { return nil }
    let text = [UInt8(ascii: "\"")] + bytes.prefix(count) + [UInt8(ascii: "\"")]
    return RawJSON(trusting: text)
  }
}
