internal import ItemList
internal import WireJSON

/// A place between the items of a file, from which reading can go on.
struct FileCursor {
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
