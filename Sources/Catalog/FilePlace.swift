internal import WireJSON

/// A place between the items of a file, from which reading can go on.
struct FilePlace {
  /// How many items stand before it, those left out not counted.
  var ordinal = 0
  /// Its distance from the file's start in bytes.
  private(set) var offset: Int
  private(set) var location = SourceLocation(line: 1, column: 1)
  /// What the scan that came here knows of what it stands in, without its findings.
  private(set) var scan = ItemScan()

  /// A file's first place.
  init(startingAt offset: Int) { self.offset = offset }

  /// Goes on to where a scan has come.
  ///
  /// - Parameters:
  ///   - scan: what has gone on from here.
  ///   - bytes: what it went over.
  mutating func move(with scan: ItemScan, over bytes: ArraySlice<UInt8>) {
    move(over: bytes)
    ordinal += scan.slices.count
    self.scan = scan
    self.scan.slices = []
    self.scan.problems = []
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
    let bytes = bytes.span
    var lineFeeds = 0
    for index in bytes.indices where bytes[index] == UInt8(ascii: "\n") { lineFeeds += 1 }
    var start = bytes.count
    if lineFeeds == 0 {
      start = 0
    } else {
      while bytes[start - 1] != UInt8(ascii: "\n") { start -= 1 }
    }
    var scalars = 0
    for index in start..<bytes.count where bytes[index] & 0xC0 != 0x80 { scalars += 1 }
    return SourceLocation(line: line + lineFeeds, column: (lineFeeds == 0 ? column : 1) + scalars)
  }
}
