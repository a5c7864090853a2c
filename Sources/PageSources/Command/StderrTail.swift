internal import WireJSON

/// What a program says on its standard error: cut into lines, of which the last is kept.
struct StderrTail {
  /// Longer lines are cut, so that a program that says much costs no memory.
  private static let longestLine = 4096
  /// What is quoted in a message is shorter still.
  private static let longestQuote = 300

  /// The last line that isn't blank, or its beginning.
  private(set) var last: String?
  private var line: [UInt8] = []

  /// Takes in what was said.
  mutating func add(_ bytes: Span<UInt8>, _ log: (String) -> Void) {
    for index in bytes.indices {
      if bytes[index] == UInt8(ascii: "\n") {
        end(log)
      } else if line.count < StderrTail.longestLine {
        line.append(bytes[index])
      }
    }
  }

  /// Takes what has come of a line for the whole.
  mutating func end(_ log: (String) -> Void) {
    guard !line.isEmpty else { return }
    if line.last == UInt8(ascii: "\r") { line.removeLast() }
    log(String(decoding: line, as: UTF8.self))
    if !line.allSatisfy(\.isWhiteSpace) { last = StderrTail.cut(line[...]) }
    line.removeAll(keepingCapacity: true)
  }

  /// A text as it is quoted.
  static func cut(_ text: ArraySlice<UInt8>) -> String {
    guard text.count > longestQuote else { return String(decoding: text, as: UTF8.self) }
    // Not in the middle of a character.
    let end = text.prefix(longestQuote + 1).lastIndex { $0 & 0xC0 != 0x80 } ?? text.startIndex
    return String(decoding: text[..<end], as: UTF8.self) + "…"
  }
}
