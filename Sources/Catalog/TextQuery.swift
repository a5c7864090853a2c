internal import WireJSON

/// What somebody looks for: words, each of which has to stand somewhere in an item's texts. Case and width don't count.
struct TextQuery {
  private let words: [FoldedText]

  /// Takes a query apart.
  ///
  /// - Parameter text: words with spaces between; nil comes back where there is none.
  init?(_ text: String?) {
    guard let text else { return nil }
    var folded = FoldedText()
    folded.append(text)
    words = folded.words
    if words.isEmpty { return nil }
  }

  /// Whether every word stands in some text of an item, however deep it lies.
  func matches(_ item: RawJSON) -> Bool {
    var text = FoldedText()
    text.append(textsOf: item)
    return words.allSatisfy { text.contains($0) }
  }
}

/// Text without what doesn't count when it is looked for: ASCII, Latin, Greek and Cyrillic letters are lower case,
/// full-width ASCII is plain, half-width katakana is full-width, white space is spaces.
struct FoldedText {
  private var scalars: [Unicode.Scalar] = []

  init() {}

  private init(_ scalars: ArraySlice<Unicode.Scalar>) { self.scalars = Array(scalars) }

  /// The parts between spaces.
  var words: [FoldedText] { scalars.split(separator: " ").map { FoldedText($0) } }

  /// Whether another text is a part of this one.
  func contains(_ other: FoldedText) -> Bool {
    guard let first = other.scalars.first else { return true }
    var start = 0
    while start + other.scalars.count <= scalars.count {
      if scalars[start] == first, scalars[start...].starts(with: other.scalars) { return true }
      start += 1
    }
    return false
  }

  /// Appends every string that a value has or is, the names of members aside.
  mutating func append(textsOf value: RawJSON) {
    switch value.kind {
    case .string: append(value.string ?? "")
    case .array: for element in value.elements { append(textsOf: element) }
    case .object: for (_, member) in value.members { append(textsOf: member) }
    case .number, .bool, .null: break
    }
  }

  /// Appends a text, and a space, across which no word goes.
  mutating func append(_ text: String) {
    for scalar in text.unicodeScalars { append(scalar) }
    scalars.append(" ")
  }

  private mutating func append(_ scalar: Unicode.Scalar) {
    switch scalar.value {
    case 0x09...0x0D, 0x3000: scalars.append(" ")
    case 0x41...0x5A: scalars.append(scalar.offset(by: 0x20))
    case 0..<0xC0: scalars.append(scalar)
    case 0xC0..<0x590: scalars.append(contentsOf: scalar.properties.lowercaseMapping.unicodeScalars)
    case 0xFF01...0xFF5E: append(scalar.offset(by: 0x21 - 0xFF01))
    case 0xFF61...0xFF9D: scalars.append(FoldedText.katakana[Int(scalar.value) - 0xFF61])
    case 0xFF9E, 0x3099: voice(by: 1, orElse: "\u{309B}")
    case 0xFF9F, 0x309A: voice(by: 2, orElse: "\u{309C}")
    default: scalars.append(scalar)
    }
  }

  /// Joins a voicing mark with the kana before it: the voiced form comes one after the plain in Unicode's order, the
  /// half-voiced two.
  private mutating func voice(by distance: Int, orElse mark: Unicode.Scalar) {
    switch scalars.last {
    case "ウ" where distance == 1: scalars[scalars.count - 1] = "ヴ"
    case let kana? where FoldedText.canBeVoiced(kana, by: distance):
      scalars[scalars.count - 1] = kana.offset(by: distance)
    default: scalars.append(mark)
    }
  }

  private static func canBeVoiced(_ kana: Unicode.Scalar, by distance: Int) -> Bool {
    "ハヒフヘホはひふへほ".unicodeScalars.contains(kana)
      || distance == 1 && "カキクケコサシスセソタチツテトかきくけこさしすせそたちつてと".unicodeScalars.contains(kana)
  }

  /// What the half-width katakana from U+FF61 on are in full width.
  private static let katakana = Array(
    "。「」、・ヲァィゥェォャュョッーアイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワン".unicodeScalars)
}

extension Unicode.Scalar {
  /// The scalar some places on, where there is one; this one elsewhere.
  fileprivate func offset(by distance: Int) -> Unicode.Scalar {
    Unicode.Scalar(UInt32(Int(value) + distance)) ?? self
  }
}
