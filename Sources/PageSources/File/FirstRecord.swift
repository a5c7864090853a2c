internal import ItemList
internal import Paging
internal import WireJSON

/// What is known of a file's first record, which decides whether records without an id get one.
enum FirstRecord {
  case unknown
  case sought(RecordSearch)
  /// The file ended before any record. It may grow.
  case missing
  case seen

  /// Has it looked for again in a file that has grown, unless it was seen.
  mutating func lookAgain() {
    if case .seen = self { return }
    self = .unknown
  }
}

/// The search for a file's first record. Broken lines, and whatever isn't an object, are skipped.
struct RecordSearch {
  /// How many lines and items may be skipped. Beyond, a file gives no ids: it is hardly one of records.
  private static let mostSkipped = 100

  private var scan = ItemScan()
  private var offset: Int
  private var skipped = 0
  /// How many bytes a window must have for there to be a whole record.
  private var least = 1
  /// Whether the record was found, and has no member "id".
  private(set) var foundNoID = false

  init(startingAt offset: Int) {
    self.offset = offset
    scan.findsItemsWithoutID = true
  }

  /// Goes on by one item. Returns nil if the search has to go on. A record that is too long to be listed ends it, and so
  /// does an error that an array can't be read on behind.
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
