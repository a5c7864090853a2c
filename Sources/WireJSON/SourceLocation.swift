/// A position in a text as an editor shows it.
public struct SourceLocation: Hashable, Sendable, CustomStringConvertible {
  /// The line, from 1. A line ends at a line feed. A carriage return before the line feed belongs to the line.
  public let line: Int
  /// The column, from 1, counted in Unicode scalars.
  public let column: Int

  /// Makes a position.
  public init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  /// Finds the line and column of a byte. An offset just past the last byte is the position of the end. In invalid
  /// UTF-8, a byte that doesn't continue a scalar counts as one.
  public init(of offset: Int, in bytes: [UInt8]) {
    self = SourceLocation(line: 1, column: 1).moved(over: bytes.prefix(max(offset, 0)))
  }

  /// The position after the bytes that follow this position.
  package func moved(over bytes: ArraySlice<UInt8>) -> SourceLocation {
    var lineFeeds = 0
    bytes.span.forEachLineFeed { _ in lineFeeds += 1 }
    let lastLine = bytes.lastIndex(of: UInt8(ascii: "\n")).map { bytes[($0 + 1)...] } ?? bytes
    // All bytes of a scalar except the first are continuation bytes.
    let scalars = lastLine.reduce(into: 0) { count, byte in if byte & 0xC0 != 0x80 { count += 1 } }
    return SourceLocation(line: line + lineFeeds, column: (lineFeeds == 0 ? column : 1) + scalars)
  }

  /// The position in the form `line:column`, as compilers write it.
  public var description: String { "\(line):\(column)" }
}
