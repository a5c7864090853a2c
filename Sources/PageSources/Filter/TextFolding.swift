/// Reduces a text to the form in which texts are compared in a search. ASCII, Latin, Greek and Cyrillic letters become
/// lowercase, full-width ASCII becomes plain ASCII, and half-width katakana becomes full-width.
struct TextFolding {
  /// The folded form of one or two scalars in UTF-8. The first byte is in the lowest bits.
  struct Bytes {
    private(set) var bits: UInt64 = 0
    private(set) var count = 0

    /// Removes and returns the first byte.
    mutating func removeFirst() -> UInt8 {
      let first = UInt8(truncatingIfNeeded: bits)
      bits >>= 8
      count -= 1
      return first
    }

    fileprivate init() {}

    fileprivate init(_ scalar: Unicode.Scalar) { append(scalar) }

    fileprivate mutating func append(_ scalar: Unicode.Scalar) {
      guard let encoded = UTF8.encode(scalar) else { return }
      for byte in encoded {
        bits |= UInt64(byte) << UInt64(8 * count)
        count += 1
      }
    }
  }

  /// The previous kana, if a voicing mark may follow it.
  private(set) var kana: Unicode.Scalar?

  /// Folds an ASCII byte. No kana may be pending before it.
  @inline(__always)
  static func fold(_ byte: UInt8) -> UInt8 { byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte }

  /// Folds the next scalar.
  mutating func fold(_ scalar: Unicode.Scalar) -> Bytes {
    switch scalar.value {
    case 0xFF9E, 0x3099: return voice(by: 1, orElse: "\u{309B}")
    case 0xFF9F, 0x309A: return voice(by: 2, orElse: "\u{309C}")
    default: break
    }
    var bytes = end()
    switch scalar.value {
    case ..<0x80: bytes.append(Unicode.Scalar(TextFolding.fold(UInt8(scalar.value))))
    case 0xC0..<0x590: for scalar in TextFolding.lowerCases[Int(scalar.value) - 0xC0] { bytes.append(scalar) }
    case 0xFF01...0xFF5E: bytes.append(Unicode.Scalar(TextFolding.fold(UInt8(scalar.value - 0xFEE0))))
    case 0xFF61...0xFF9D: append(TextFolding.katakana[Int(scalar.value) - 0xFF61], &bytes)
    default: append(scalar, &bytes)
    }
    return bytes
  }

  /// Ends a text: the next scalar isn't combined with its last kana.
  mutating func end() -> Bytes {
    defer { kana = nil }
    return kana.map { Bytes($0) } ?? Bytes()
  }

  /// Keeps a kana until it is known whether a voicing mark follows it.
  private mutating func append(_ scalar: Unicode.Scalar, _ bytes: inout Bytes) {
    if TextFolding.voicedForms(of: scalar) > 0 { kana = scalar } else { bytes.append(scalar) }
  }

  /// Combines a voicing mark with the kana before it. In Unicode the voiced form is the next scalar after the plain
  /// one, and the half-voiced form the one after that.
  private mutating func voice(by distance: UInt32, orElse mark: Unicode.Scalar) -> Bytes {
    guard let kana, TextFolding.voicedForms(of: kana) >= distance else {
      var bytes = end()
      bytes.append(mark)
      return bytes
    }
    self.kana = nil
    return Bytes(kana == "ウ" ? "ヴ" : Unicode.Scalar(kana.value + distance) ?? kana)
  }

  /// The number of voiced forms of a kana.
  private static func voicedForms(of scalar: Unicode.Scalar) -> Int {
    (0x3040..<0x3100).contains(scalar.value) ? voiced[Int(scalar.value) - 0x3040] : 0
  }

  /// The number of voiced forms of each kana from U+3040.
  private static let voiced = (0x3040..<0x3100 as Range<UInt32>).map { value in
    guard let scalar = Unicode.Scalar(value) else { return 0 }
    if "ハヒフヘホはひふへほ".unicodeScalars.contains(scalar) { return 2 }
    return "ウカキクケコサシスセソタチツテトかきくけこさしすせそたちつてと".unicodeScalars.contains(scalar) ? 1 : 0
  }

  /// The lowercase forms of the letters from U+00C0 to U+058F. Some consist of two scalars.
  private static let lowerCases = (0xC0..<0x590 as Range<UInt32>).map { value in
    Unicode.Scalar(value).map { Array($0.properties.lowercaseMapping.unicodeScalars) } ?? []
  }

  /// The full-width forms of the half-width katakana from U+FF61.
  private static let katakana = Array(
    "。「」、・ヲァィゥェォャュョッーアイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワン".unicodeScalars)
}
