internal import Reactor
internal import WireJSON

/// Divides a program's standard error into lines. Keeps the last line, and the last line with the reason of a crash.
struct StderrTail {
  /// The maximum length of a line in bytes. Longer lines are cut, so a program can't exhaust memory.
  private static let longestLine = 4096
  /// The maximum length of a quoted line in bytes.
  private static let longestQuote = 300

  /// The last nonblank line, cut to the maximum length of a quote.
  private(set) var last: String?
  /// The newest line with the reason of a crash, cut to the maximum length of a quote. A backtrace may follow it.
  private(set) var crash: String?
  private var line: [UInt8] = []

  /// Adds output, and logs each completed line.
  mutating func add(_ bytes: Span<UInt8>, _ log: (String) -> Void) {
    for index in bytes.indices {
      if bytes[index] == UInt8(ascii: "\n") {
        end(log)
      } else if line.count < StderrTail.longestLine {
        line.append(bytes[index])
      }
    }
  }

  /// Completes the current line. It may lack a line feed.
  mutating func end(_ log: (String) -> Void) {
    guard !line.isEmpty else { return }
    if line.last == UInt8(ascii: "\r") { line.removeLast() }
    log(String(decoding: line, as: UTF8.self))
    if !line.allSatisfy(\.isWhiteSpace) {
      let text = StderrTail.cut(line[...])
      last = text
      if CrashLine.matches(text) { crash = text }
    }
    line.removeAll(keepingCapacity: true)
  }

  /// Cuts a text to the maximum length of a quote.
  static func cut(_ text: ArraySlice<UInt8>) -> String {
    guard text.count > longestQuote else { return String(decoding: text, as: UTF8.self) }
    // A character must not be divided.
    let end = text.prefix(longestQuote + 1).lastIndex { $0 & 0xC0 != 0x80 } ?? text.startIndex
    return String(decoding: text[..<end], as: UTF8.self) + "…"
  }
}
