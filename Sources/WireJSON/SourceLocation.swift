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
    self = SourceLocation(line: 1, column: 1).moved(over: bytes.prefix(max(offset, 0)))
  }

  /// The place after the bytes that follow this one.
  package func moved(over bytes: ArraySlice<UInt8>) -> SourceLocation {
    var lineFeeds = 0
    bytes.span.forEachLineFeed { _ in lineFeeds += 1 }
    let lastLine = bytes.lastIndex(of: UInt8(ascii: "\n")).map { bytes[($0 + 1)...] } ?? bytes
    // Of a scalar's bytes all but the first are continuations.
    let scalars = lastLine.reduce(into: 0) { count, byte in if byte & 0xC0 != 0x80 { count += 1 } }
    return SourceLocation(line: line + lineFeeds, column: (lineFeeds == 0 ? column : 1) + scalars)
  }

  /// `line:column`, as compilers write it.
  public var description: String { "\(line):\(column)" }
}
