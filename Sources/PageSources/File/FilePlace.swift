internal import ItemList
internal import WireJSON

/// A place between the items of a file, from which reading can go on.
struct FilePlace {
  /// How many items stand before it, those left out not counted; of a place by lines, how many of these.
  var ordinal = 0
  /// Its distance from the file's start in bytes.
  private(set) var offset: Int
  private(set) var location = SourceLocation(line: 1, column: 1)
  /// What the scan that came here knows of what it stands in, without its findings.
  private(set) var scan = ItemScan()

  /// A file's first place.
  init(startingAt offset: Int) { self.offset = offset }

  /// The start of a line, before which so many lines hold something.
  init(afterLines count: Int, at offset: Int, lineFeeds: Int) {
    (ordinal, self.offset, location) = (count, offset, SourceLocation(line: lineFeeds + 1, column: 1))
  }

  /// Goes on to where a scan has come. Where lines are counted, those that were left out count, too.
  mutating func move(with scan: ItemScan, over bytes: ArraySlice<UInt8>, countsLines: Bool) {
    move(over: bytes)
    ordinal += countsLines ? scan.scanned : scan.slices.count
    self.scan = scan
    self.scan.slices = []
    self.scan.rejected = []
  }

  /// Goes on over bytes.
  mutating func move(over bytes: ArraySlice<UInt8>) {
    offset += bytes.count
    location = location.moved(over: bytes)
  }
}

extension SourceLocation {
  /// The place after the bytes that follow this one.
  func moved(over bytes: ArraySlice<UInt8>) -> SourceLocation {
    var lineFeeds = 0
    unsafe bytes.span.bytes.forEachLineFeed { _ in lineFeeds += 1 }
    let lastLine = bytes.lastIndex(of: UInt8(ascii: "\n")).map { bytes[($0 + 1)...] } ?? bytes
    // Of a scalar's bytes all but the first are continuations.
    let scalars = lastLine.reduce(into: 0) { count, byte in if byte & 0xC0 != 0x80 { count += 1 } }
    return SourceLocation(line: line + lineFeeds, column: (lineFeeds == 0 ? column : 1) + scalars)
  }
}

extension RawSpan {
  /// Goes through the positions of the line feeds, sought eight bytes at a time: every byte of a file goes through here.
  @inline(__always)
  func forEachLineFeed(_ body: (_ position: Int) -> Void) {
    var index = 0
    while index + 8 <= byteCount {
      // In bounds: the eight bytes end at or before the count.
      let word = UInt64(littleEndian: unsafe unsafeLoadUnaligned(fromUncheckedByteOffset: index, as: UInt64.self))
      let difference = word ^ 0x0A0A_0A0A_0A0A_0A0A
      // Each byte's highest bit is 1 where the byte is a line feed.
      var found =
        ~((difference & 0x7F7F_7F7F_7F7F_7F7F &+ 0x7F7F_7F7F_7F7F_7F7F) | difference | 0x7F7F_7F7F_7F7F_7F7F)
      while found != 0 {
        body(index + found.trailingZeroBitCount / 8)
        found &= found - 1
      }
      index += 8
    }
    while index < byteCount {
      if unsafe unsafeLoad(fromUncheckedByteOffset: index, as: UInt8.self) == UInt8(ascii: "\n") { body(index) }
      index += 1
    }
  }
}
