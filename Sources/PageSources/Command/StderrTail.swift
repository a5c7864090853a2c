internal import Reactor
internal import WireJSON

/// Splits a program's standard error into lines, and keeps the last one and the one that gives the reason of a crash.
struct StderrTail {
  /// Longer lines are cut, in bytes, so that a program can't fill the memory.
  private static let longestLine = 4096
  /// The most bytes of a line that are quoted in a message.
  private static let longestQuote = 300

  /// The last line that isn't blank, or its beginning.
  private(set) var last: String?
  /// The newest line that gives the reason of a crash, or its beginning. A backtrace may follow it.
  private(set) var crash: String?
  private var line: [UInt8] = []

  /// Adds output, and logs each line that it completes.
  mutating func add(_ bytes: Span<UInt8>, _ log: (String) -> Void) {
    for index in bytes.indices {
      if bytes[index] == UInt8(ascii: "\n") {
        end(log)
      } else if line.count < StderrTail.longestLine {
        line.append(bytes[index])
      }
    }
  }

  /// Ends the line, also where no line feed came.
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

  /// A text as messages quote it.
  static func cut(_ text: ArraySlice<UInt8>) -> String {
    guard text.count > longestQuote else { return String(decoding: text, as: UTF8.self) }
    // Not in the middle of a character.
    let end = text.prefix(longestQuote + 1).lastIndex { $0 & 0xC0 != 0x80 } ?? text.startIndex
    return String(decoding: text[..<end], as: UTF8.self) + "…"
  }
}
