/// A place in a text as an editor shows it.
public struct SourceLocation: Hashable, Sendable, CustomStringConvertible {
  /// The line, from 1. Lines end at a line feed; the carriage return before it belongs to the line.
  public let line: Int
  /// The column, from 1, counted in Unicode scalars.
  public let column: Int

  /// Names a place.
  public init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  /// Finds the line and column of a byte; one past the end is the end's place. A byte of broken UTF-8 that continues no
  /// scalar counts as one.
  public init(of offset: Int, in bytes: [UInt8]) {
    var line = 1
    var column = 1
    for byte in bytes.prefix(max(offset, 0)) {
      if byte == UInt8(ascii: "\n") {
        line += 1
        column = 1
      } else if byte & 0xC0 != 0x80 {
        column += 1
      }
    }
    self.init(line: line, column: column)
  }

  /// `line:column`, as compilers write it.
  public var description: String { "\(line):\(column)" }
}
