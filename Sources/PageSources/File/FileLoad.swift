internal import Flow
internal import ItemList
internal import Paging
internal import RPC
internal import Reactor
internal import WireJSON

/// Loads one page. Reads the file window by window, from the last known place before the page to the end of the page.
final class FileLoad: FileWork {
  /// The place of a found item: the number of items before it, and its offset in the file, in bytes.
  struct Found {
    let ordinal: Int
    let offset: Int
  }

  /// The work for a broken item. The work for a byte is 1.
  private static let workPerRejection = 64

  private let file: PagedFile
  private let id: String
  private let test: ItemTest
  private let first: Int
  /// The number of the first item that isn't read.
  private let end: Int
  private let size: Int
  /// The file's status when the load began.
  private let status: FileStatus
  private(set) var place: FileCursor
  private var page: PageBuilder
  /// Whether the page consists of lines. Then rejected ones count, too.
  let countsLines: Bool
  /// How many matching items must still be skipped before the page.
  private(set) var unskipped: Int
  /// The first item of the page, if there is a query or a filter.
  private(set) var found: Found?
  /// The minimum size of a window from the current place, in bytes, for it to contain a whole item.
  private var least = 1
  /// Whether the next bytes belong to a line that is too long.
  private var isWithinLine = false
  /// Whether each of the items from the current place matches, as far as this is known.
  private var verdicts: [Bool] = []
  /// The running search in the next of these items. The filters match it.
  private var search: TextSearch?

  /// Prepares a load of matching items.
  ///
  /// It reads from item `first` and stops before item `end`. It skips `unskipped` matching items.
  convenience init(
    _ size: Int, _ test: ItemTest, from first: Int = 0, to end: Int = .max, skipping unskipped: Int = 0,
    of file: PagedFile, id: String
  ) {
    self.init(size, test, first, end, file.place(before: first), countsLines: false, unskipped, of: file, id)
  }

  /// Prepares a load of lines. The page begins at nonblank line `first`, as far as the file's index of lines reaches.
  convenience init(lines size: Int, from first: Int, of file: PagedFile, id: String) {
    self.init(size, ItemTest(), first, .max, file.lines.place(beforeLine: first), countsLines: true, 0, of: file, id)
  }

  /// Prepares a load of the one line that starts at an offset.
  convenience init(lineAt offset: Int, of file: PagedFile, id: String) {
    let place = FileCursor(startingAt: offset)
    self.init(1, ItemTest(), 0, .max, place, countsLines: true, 0, of: file, id)
  }

  private init(
    _ size: Int, _ test: ItemTest, _ first: Int, _ end: Int, _ place: FileCursor, countsLines: Bool, _ unskipped: Int,
    of file: PagedFile, _ id: String
  ) {
    (self.file, self.id, self.first, self.end, self.test, self.place) = (file, id, first, end, test, place)
    (self.size, self.countsLines, self.unskipped) = (max(1, size), countsLines, unskipped)
    status = file.status
    page = PageBuilder(of: file.name)
  }

  /// The number of bytes of the file that were read.
  var progress: LoadProgress { LoadProgress(done: place.offset, of: status.size, unit: "bytes") }

  /// Continues the load. Each byte that is read is work, except for the bytes of the page's items. A search is work for
  /// these, too.
  func advance(_ work: inout Int) throws(LoadFailure) -> Page<RawJSON>? {
    guard file.status == status else {
      throw LoadFailure(.unreachable, "\(file.name) was changed while it was read; load again", isRetryable: true)
    }
    repeat {
      if let page = try step(&work) { return page }
    } while work > 0
    return nil
  }

  /// Continues the load by one scan of the window.
  private func step(_ work: inout Int) throws(LoadFailure) -> Page<RawJSON>? {
    guard let layout = try file.prepare(&work) else { return nil }
    try file.showWindow(at: place.offset, least: least)
    if isWithinLine { return leaveLine(&work) }
    if isFull, layout == .lines { return lookForMore(&work) }
    var scan = place.scan
    let start = place.offset - file.windowStart
    scan.next = start
    scan.scanned = 0
    scan.findsItemsWithoutID = file.idsAreOffsets
    var broken: JSONError?
    do throws(JSONError) {
      try scan.proceed(in: file, id: id, limit: limit)
    } catch {
      broken = error
    }
    let pageSize = page.bytes.count
    guard seek(in: scan, &work) else { return nil }
    let taken = receive(scan, from: start)
    // If records receive ids, the page can grow by more bytes than were read.
    work -= max(0, (scan.stop == .windowEnd ? file.window.count : scan.next) - start - (page.bytes.count - pageSize))
    work -= scan.rejected.count * FileLoad.workPerRejection
    if let taken { return finish(next: place.ordinal + taken) }
    if let broken { return giveUp(broken, from: start) }
    place.move(with: scan, over: file.window[start..<scan.next], countsLines: countsLines)
    verdicts.removeFirst(min(verdicts.count, scan.slices.count))
    least = 1
    switch scan.stop {
    case .limit:
      if !countsLines { file.record(place) }
      return isFull && layout == .array ? finish(next: place.ordinal) : nil
    case .end: return finishAtEnd()
    case .windowEnd: return showMore()
    }
  }

  private var isFull: Bool { taken >= size || page.bytes.count >= file.limits.item || place.ordinal >= end }

  /// The number of items that the page has so far, or of lines.
  private var taken: Int { countsLines ? place.ordinal - first : page.slices.count }

  /// The maximum number of items for the next scan: the items before the page, or those that the page lacks. With a
  /// query or filters, it is as many as make a scan worthwhile. If it is 0, the scan of an array only finds out whether
  /// another item follows.
  private var limit: Int {
    if isFull { return 0 }
    if place.ordinal < first { return min(first - place.ordinal, PagedFile.stride) }
    return test.isEmpty ? size - taken : min(PagedFile.stride, end - place.ordinal)
  }

  /// Requests a larger window for an item that didn't fit into the last one. Returns the page if it must end here.
  private func showMore() -> Page<RawJSON>? {
    let rest = file.windowStart + file.window.count - place.offset
    if rest < file.limits.item {
      least = rest < file.limits.window ? rest + 1 : 2 * rest
      return nil
    }
    isWithinLine = file.layout == .lines
    if place.ordinal >= first {
      page.leaveOut(
        at: place.location, "an item may have \(file.limits.item) bytes at most",
        isWithinLine ? "the line was left out" : "the rest of the file was left out")
    }
    return isWithinLine ? nil : finish(next: nil)
  }

  /// Skips the rest of a line that is too long.
  private func leaveLine(_ work: inout Int) -> Page<RawJSON>? {
    let rest = file.window[(place.offset - file.windowStart)...]
    let lineFeed = rest.firstIndex(of: UInt8(ascii: "\n"))
    isWithinLine = lineFeed == nil
    if countsLines, !isWithinLine || file.isWindowLast { place.ordinal += 1 }
    move(over: rest.prefix(upTo: lineFeed.map { $0 + 1 } ?? rest.endIndex), &work)
    return isWithinLine && file.isWindowLast ? finishAtEnd() : nil
  }

  /// Finds out whether another line follows a full page.
  private func lookForMore(_ work: inout Int) -> Page<RawJSON>? {
    let space = file.window[(place.offset - file.windowStart)...].prefix(while: \.isWhiteSpace)
    move(over: space, &work)
    if space.endIndex < file.window.endIndex { return finish(next: place.ordinal) }
    return file.isWindowLast ? finishAtEnd() : nil
  }

  private func move(over bytes: ArraySlice<UInt8>, _ work: inout Int) {
    place.move(over: bytes)
    work -= bytes.count
  }

  /// Ends the page before an error after which an array can't be read any further.
  private func giveUp(_ error: JSONError, from start: Int) -> Page<RawJSON> {
    let location = place.location.moved(over: file.window[start..<error.offset])
    page.leaveOut(at: location, error.message, "the rest of the file was left out")
    return finish(next: nil)
  }

  private func finishAtEnd() -> Page<RawJSON> {
    if !countsLines { file.last = place }
    return finish(next: nil)
  }

  private func finish(next: Int?) -> Page<RawJSON> {
    var page = page.finish(next: next, total: test.isEmpty ? file.total : nil)
    if first == 0 { page.position = 0 }
    // A live list receives the exact total by its changes, so an estimate would be wrong there.
    if page.total == nil, test.isEmpty, !countsLines, !file.isFollowed {
      file.count(&page, place.ordinal, in: place.offset)
    }
    return page
  }
}

// MARK: - Results of a scan

extension FileLoad {
  /// Tests the items that a scan has found, until the page has enough. Returns false if the turn ends first. Then the
  /// next turn continues with the same scan.
  private func seek(in scan: ItemScan, _ work: inout Int) -> Bool {
    guard !test.isEmpty, place.ordinal >= first else { return true }
    let window = file.window
    while verdicts.count < scan.slices.count, page.slices.count + verdicts.count(where: \.self) < size + unskipped {
      guard work > 0 else { return false }
      let range = scan.slices[verdicts.count].range
      var verdict: Bool? = true
      if search == nil, !test.filter.isEmpty {
        verdict = test.filter.matches(json(of: scan.slices[verdicts.count]))
        work -= range.count * max(1, test.filter.comparisons)
      }
      if verdict == true, var search = search ?? test.query?.search {
        verdict = search.proceed(over: window.span.extracting(range), &work)
        self.search = verdict == nil ? search : nil
      }
      if let verdict { verdicts.append(verdict) }
    }
    return true
  }

  /// Adds matching items to the page. If the next page begins with some of the found items, returns the number of found
  /// items before it.
  private func receive(_ scan: ItemScan, from start: Int) -> Int? {
    guard place.ordinal >= first else { return nil }
    var taken = scan.slices.count
    if !test.isEmpty {
      taken = 0
      while taken < min(verdicts.count, scan.slices.count), !isFull {
        if verdicts[taken] { receive(scan.slices[taken], place.ordinal + taken) }
        taken += 1
      }
    } else if scan.rejected.isEmpty {
      append(scan.slices)
    } else {
      for slice in scan.slices { append([slice]) }
    }
    // Broken items after the item that filled the page are reported with the next page.
    let end = isFull && taken > 0 && !countsLines ? scan.slices[taken - 1].range.upperBound : file.window.count
    let told = scan.rejected.prefix { $0.offset < end }
    tell(told, from: start)
    return taken < scan.slices.count || told.count < scan.rejected.count ? taken : nil
  }

  private func receive(_ item: RawItems.Slice, _ ordinal: Int) {
    guard unskipped == 0 else { return unskipped -= 1 }
    if found == nil { found = Found(ordinal: ordinal, offset: file.windowStart + item.range.lowerBound) }
    append([item])
  }

  private func append(_ items: [RawItems.Slice]) {
    if file.idsAreOffsets {
      page.append(items, of: file.window, at: file.windowStart)
    } else {
      page.append(items, of: file.window)
    }
  }

  /// Returns the item as JSON. It has an id, even if its record has none.
  private func json(of item: RawItems.Slice) -> RawJSON {
    guard item.idLength == 0 else { return RawJSON(trusting: file.window, item.range) }
    var bytes: [UInt8] = []
    let copy = bytes.append(item, of: file.window, id: file.windowStart + Int(item.start))
    return RawJSON(trusting: bytes, copy.range)
  }

  private func tell(_ rejected: ArraySlice<RejectedItem>, from start: Int) {
    var (offset, location) = (start, place.location)
    for item in rejected {
      guard page.listsFailures else {
        page.countLeftOut()
        continue
      }
      location = location.moved(over: file.window[offset..<item.offset])
      offset = item.offset
      let record = file.layout == .lines ? "line" : "item"
      page.leaveOut(at: location, item.reason(id), "the \(record) was left out")
    }
  }
}

extension ItemScan {
  /// Continues the scan in the window of a file.
  mutating func proceed(in file: PagedFile, id: String, limit: Int) throws(JSONError) {
    let window = file.window
    if file.layout == .array {
      try continueArray(window.span, id: id, limit: limit, isLast: file.isWindowLast)
    } else {
      continueLines(window.span, id: id, limit: limit, isLast: file.isWindowLast)
    }
  }
}
