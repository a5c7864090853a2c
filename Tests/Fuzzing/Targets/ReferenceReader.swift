public import WireJSON

/// A second reader to compare with the fast one. It is slow and follows RFC 8259 literally: byte by byte, with one
/// function per rule. The standard library checks UTF-8.
public struct ReferenceReader {
  private let bytes: [UInt8]
  private let maxDepth: Int
  private var position = 0

  init(_ bytes: [UInt8], maxDepth: Int = 512) {
    self.bytes = bytes
    self.maxDepth = maxDepth
  }

  /// The error in the text; nil if it is valid.
  public static func error(in bytes: [UInt8], maxDepth: Int = 512) -> JSONError? {
    var reader = ReferenceReader(bytes, maxDepth: maxDepth)
    do throws(JSONError) {
      try reader.text()
      return nil
    } catch {
      return error
    }
  }

  private var peek: Character? {
    position < bytes.count ? Character(Unicode.Scalar(bytes[position])) : nil
  }

  private func fail(_ kind: JSONError.Kind) -> JSONError {
    position < bytes.count ? JSONError(kind, at: position) : JSONError(.unexpectedEnd, at: bytes.count)
  }

  private mutating func take(_ character: Character) -> Bool {
    guard peek == character else { return false }
    position += 1
    return true
  }

  private mutating func text() throws(JSONError) {
    space()
    try value(depth: 0)
    space()
    if position < bytes.count { throw fail(.trailingText) }
  }

  private mutating func space() {
    while position < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[position]) { position += 1 }
  }

  private mutating func value(depth: Int) throws(JSONError) {
    switch peek {
    case "{", "[":
      if depth == maxDepth { throw fail(.tooDeep(limit: maxDepth)) }
      if peek == "{" { try object(depth: depth + 1) } else { try array(depth: depth + 1) }
    case "\"": try string()
    case "t": try word("true")
    case "f": try word("false")
    case "n": try word("null")
    case "-", "0", "1", "2", "3", "4", "5", "6", "7", "8", "9": try number()
    default: throw fail(.expectedValue)
    }
  }

  private mutating func object(depth: Int) throws(JSONError) {
    position += 1
    space()
    if take("}") { return }
    var orElse = JSONError.Kind.expectedNameOrBrace
    while true {
      space()
      guard peek == "\"" else { throw fail(orElse) }
      try string()
      space()
      guard take(":") else { throw fail(.expectedColon) }
      space()
      try value(depth: depth)
      space()
      if take("}") { return }
      guard take(",") else { throw fail(.expectedCommaOrBrace) }
      orElse = .expectedName
    }
  }

  private mutating func array(depth: Int) throws(JSONError) {
    position += 1
    space()
    if take("]") { return }
    while true {
      space()
      try value(depth: depth)
      space()
      if take("]") { return }
      guard take(",") else { throw fail(.expectedCommaOrBracket) }
    }
  }

  private mutating func word(_ word: String) throws(JSONError) {
    let rest = bytes[position...]
    if rest.starts(with: word.utf8) {
      position += word.utf8.count
    } else if Array(word.utf8).starts(with: rest) {
      throw JSONError(.unexpectedEnd, at: bytes.count)
    } else {
      throw fail(.expectedValue)
    }
  }

  private mutating func number() throws(JSONError) {
    _ = take("-")
    if take("0") {
      if let digit = peek, ("0"..."9").contains(digit) { throw fail(.leadingZero) }
    } else {
      try digits()
    }
    if take(".") { try digits() }
    if take("e") || take("E") {
      if !take("+") { _ = take("-") }
      try digits()
    }
  }

  private mutating func digits() throws(JSONError) {
    guard let first = peek, ("0"..."9").contains(first) else { throw fail(.expectedDigit) }
    while let digit = peek, ("0"..."9").contains(digit) { position += 1 }
  }

  private mutating func string() throws(JSONError) {
    position += 1
    while position < bytes.count {
      switch bytes[position] {
      case 0x22:
        position += 1
        return
      case 0x00..<0x20: throw fail(.controlCharacter)
      case 0x5C: try escape()
      case 0x80...: try scalar()
      default: position += 1
      }
    }
    throw fail(.unexpectedEnd)
  }

  private mutating func escape() throws(JSONError) {
    let backslash = position
    position += 1
    guard let kind = peek else { throw fail(.unexpectedEnd) }
    position += 1
    if "\"\\/bfnrt".contains(kind) { return }
    guard kind == "u" else { throw JSONError(.invalidEscape, at: backslash) }
    for _ in 0..<4 {
      guard let digit = peek else { throw fail(.unexpectedEnd) }
      guard digit.isHexDigit else { throw JSONError(.invalidEscape, at: backslash) }
      position += 1
    }
  }

  private mutating func scalar() throws(JSONError) {
    let rest = bytes[position...].prefix(4)
    for length in 2...4 where length <= rest.count {
      // The standard library decides whether this is a single well-formed scalar.
      if String(validating: rest.prefix(length), as: UTF8.self)?.unicodeScalars.count == 1 {
        position += length
        return
      }
    }
    // An incomplete scalar is one that more bytes could make well-formed.
    let isCutShort = rest.count < 4 && completions.contains { String(validating: rest + $0, as: UTF8.self) != nil }
    throw isCutShort && position + rest.count == bytes.count
      ? JSONError(.unexpectedEnd, at: bytes.count) : fail(.invalidUTF8)
  }

  /// One of these completes any proper prefix of a well-formed scalar.
  private var completions: [[UInt8]] {
    [0x80, 0x90, 0xA0].flatMap { byte in (0...2).map { [UInt8(byte)] + Array(repeating: 0x80, count: $0) } }
  }
}
