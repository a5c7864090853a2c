internal import ItemList
internal import Paging
internal import WireJSON

/// The search for a file's first record. That record determines whether records without an id receive one.
enum FirstRecord {
  case unknown
  case sought(RecordSearch)
  /// The file ended before any record. It may grow.
  case missing
  case seen

  /// Restarts the search in a file that has grown, unless the record was found.
  mutating func lookAgain() {
    if case .seen = self { return }
    self = .unknown
  }
}

/// The running search for a file's first record. It skips broken lines, and values that aren't objects.
struct RecordSearch {
  /// The maximum number of lines and items to skip. A file with more of them probably doesn't contain records, so they
  /// receive no ids.
  private static let mostSkipped = 100

  private var scan = ItemScan()
  private var offset: Int
  private var skipped = 0
  /// The minimum size of a window, in bytes, for it to contain a whole record.
  private var least = 1
  /// Whether the record was found and has no field "id".
  private(set) var foundNoID = false

  init(startingAt offset: Int) {
    self.offset = offset
    scan.findsItemsWithoutID = true
  }

  /// Continues by one item. Returns nil if the search isn't finished. The search also ends at a record that is too long
  /// to be listed, and at an error in an array that makes the rest unreadable.
  mutating func proceed(in file: PagedFile, _ work: inout Int) throws(LoadFailure) -> FirstRecord? {
    try file.showWindow(at: offset, least: least)
    let start = offset - file.windowStart
    (scan.next, scan.scanned, scan.rejected) = (start, 0, [])
    do throws(JSONError) {
      try scan.proceed(in: file, id: "id", limit: 1)
    } catch {
      return .seen
    }
    offset = file.windowStart + scan.next
    work -= scan.next - start
    if let record = scan.slices.first {
      foundNoID = record.idLength == 0
      return .seen
    }
    if case .unusableID = scan.rejected.first?.reason { return .seen }
    switch scan.stop {
    case .limit:
      least = 1
      skipped += 1
      return skipped < RecordSearch.mostSkipped ? nil : .seen
    case .end: return .missing
    case .windowEnd:
      let rest = file.windowStart + file.window.count - offset
      least = rest < file.limits.window ? rest + 1 : 2 * rest
      return rest < file.limits.item ? nil : .seen
    }
  }
}
