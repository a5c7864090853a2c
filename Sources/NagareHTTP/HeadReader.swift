internal import WireJSON

/// Reads the status and headers of an answer from the lines of its head.
///
/// - Heads with a status below 200 are skipped, because another one follows. None follows 101.
/// - Lines after the final head are trailers, and are skipped, too.
struct HeadReader {
  /// The maximum number of bytes of all lines.
  static let limit = 256 << 10

  private var answer = HTTPAnswer(status: 0)
  private var lastName: String?
  /// Whether the final head was read.
  private(set) var isComplete = false
  private var size = 0

  /// Whether the lines have too many bytes.
  var isTooLarge: Bool { size > HeadReader.limit }

  /// Reads a line with its line end. When the final head is complete, returns the answer without its body.
  mutating func read(_ line: Span<UInt8>) -> HTTPAnswer? {
    size += line.count
    guard !isTooLarge, !isComplete else { return nil }
    let bytes = Array(copying: line)
    let content = bytes[...].trimmed
    if content.isEmpty {
      isComplete = answer.status >= 200 || answer.status == 101
      return isComplete ? answer : nil
    }
    if content.starts(with: "HTTP/".utf8) {
      let words = content.split(separator: UInt8(ascii: " "))
      answer = HTTPAnswer(status: words.count > 1 ? Int(words[1].text) ?? 0 : 0)
      lastName = nil
    } else if bytes[0] == UInt8(ascii: " ") || bytes[0] == UInt8(ascii: "\t") {
      // The old syntax for a value of several lines.
      if let lastName { answer.headers[lastName]?.append(" \(content.text)") }
    } else if let colon = content.firstIndex(of: UInt8(ascii: ":")) {
      let (name, value) = (content[..<colon].text.lowercased(), content[(colon + 1)...].trimmed.text)
      if answer.headers[name]?.append(", \(value)") == nil { answer.headers[name] = value }
      lastName = name
    }
    return nil
  }
}

extension ArraySlice<UInt8> {
  fileprivate var text: String { String(decoding: self, as: UTF8.self) }

  /// The bytes without leading and trailing spaces, tabs and line ends.
  fileprivate var trimmed: ArraySlice<UInt8> {
    let isBlank: (UInt8) -> Bool = { $0 == 0x20 || (0x09...0x0D).contains($0) }
    guard let first = firstIndex(where: { !isBlank($0) }), let last = lastIndex(where: { !isBlank($0) }) else {
      return []
    }
    return self[first...last]
  }
}
