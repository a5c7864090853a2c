internal import ItemList
internal import WireJSON

/// A place between two items of a file, where reading can continue.
struct FileCursor {
  /// The number of items before it, without rejected ones. If lines are counted, the number of nonblank lines.
  var ordinal = 0
  /// The offset from the start of the file, in bytes.
  private(set) var offset: Int
  private(set) var location = SourceLocation(line: 1, column: 1)
  /// The state of the scan at this place, without the items that it found.
  private(set) var scan = ItemScan()

  /// The start of a file's items.
  init(startingAt offset: Int) { self.offset = offset }

  /// The start of a line, with the number of nonblank lines before it.
  init(afterLines count: Int, at offset: Int, lineFeeds: Int) {
    (ordinal, self.offset, location) = (count, offset, SourceLocation(line: lineFeeds + 1, column: 1))
  }

  /// Moves to the end of a scan. If lines are counted, rejected ones count, too.
  mutating func move(with scan: ItemScan, over bytes: ArraySlice<UInt8>, countsLines: Bool) {
    move(over: bytes)
    ordinal += countsLines ? scan.scanned : scan.slices.count
    self.scan = scan
    self.scan.slices = []
    self.scan.rejected = []
  }

  /// Moves over bytes.
  mutating func move(over bytes: ArraySlice<UInt8>) {
    offset += bytes.count
    location = location.moved(over: bytes)
  }
}
