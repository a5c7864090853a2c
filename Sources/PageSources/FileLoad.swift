internal import Flow
internal import Paging
internal import ItemList
internal import RPC
internal import Reactor
internal import WireJSON

/// One load of a page: goes over its file window by window, from the last place known before the page to its end.
final class FileLoad {
  /// What a broken item takes, where a byte takes one.
  private static let workPerRejection = 64

  private let file: PagedFile
  private let id: String
  private let test: ItemTest
  private let first: Int
  private let size: Int
  /// What the file was when the load began.
  private let status: FileStatus
  private var place: FilePlace
  private var page: PageBuilder
  /// How many bytes from the place on a window must have for there to be a whole item.
  private var least = 1
  /// Whether what comes is the rest of a line that is too long.
  private var isWithinLine = false
  /// Of the items from the place on, whether each is what is looked for, as far as that is known.
  private var verdicts: [Bool] = []
  /// The search of the next of them, which the filters let through.
  private var search: TextSearch?

  /// Prepares a load.
  ///
  /// - Parameters:
  ///   - size: how many items are wanted.
  ///   - test: what they have to be.
  ///   - first: how many items stand before the page.
  ///   - file: where it is read.
  ///   - id: the member of an item that is its id.
  init(_ size: Int, _ test: ItemTest, from first: Int, of file: PagedFile, id: String) {
    self.file = file
    self.id = id
    self.first = first
    self.test = test
    self.size = max(1, size)
    status = file.status
    place = file.place(before: first)
    page = PageBuilder(of: file.name)
  }

  /// How far it has come in its file.
  var progress: LoadProgress { LoadProgress(done: place.offset, of: status.size, unit: "bytes") }

  /// Goes on until the page is whole, or there was enough work for one turn.
  ///
  /// - Parameter work: how much there may be, in bytes that are gone over. What was done is taken off; bytes that come to
  ///   stand in the page are free, but for a search.
  /// - Returns: the page; nil if others are to have their turn first.
  /// - Throws: what keeps the file from being read.
  func takeTurn(_ work: inout Int) throws(LoadFailure) -> Page<RawJSON>? {
    guard file.status == status else {
      throw LoadFailure(.unreachable, "\(file.name) was changed while it was read; load again", isRetryable: true)
    }
    repeat {
      if let page = try step(&work) { return page }
    } while work > 0
    return nil
  }

  /// Goes on by one scan of the window.
  private func step(_ work: inout Int) throws(LoadFailure) -> Page<RawJSON>? {
    guard let layout = file.layout else {
      work -= try file.findLayout()
      return nil
    }
    try file.showWindow(at: place.offset, least: least)
    if isWithinLine { return leaveLine(&work) }
    if isFull, layout == .lines { return lookForMore(&work) }
    var scan = place.scan
    let start = place.offset - file.windowStart
    scan.next = start
    scan.scanned = 0
    var broken: JSONError?
    do throws(JSONError) {
      try scan.proceed(in: file, id: id, limit: limit)
    } catch {
      broken = error
    }
    let pageSize = page.bytes.count
    guard seek(in: scan, &work) else { return nil }
    let taken = take(scan, from: start)
    work -= (scan.stop == .windowEnd ? file.window.count : scan.next) - start - (page.bytes.count - pageSize)
    work -= scan.rejected.count * FileLoad.workPerRejection
    if let taken { return finish(next: place.ordinal + taken) }
    if let broken { return giveUp(broken, from: start) }
    place.move(with: scan, over: file.window[start..<scan.next])
    verdicts.removeFirst(min(verdicts.count, scan.slices.count))
    least = 1
    switch scan.stop {
    case .limit:
      file.note(place)
      return isFull && layout == .array ? finish(next: place.ordinal) : nil
    case .end: return finishAtEnd()
    case .windowEnd: return showMore()
    }
  }

  private var isFull: Bool { page.slices.count >= size || page.bytes.count >= file.limits.item }

  /// How many items to look for: as many as stand before the page, or as it lacks; where not all belong there as many as
  /// are worth a scan. With none an array's scan tells whether it goes on.
  private var limit: Int {
    if isFull { return 0 }
    if place.ordinal < first { return min(first - place.ordinal, PagedFile.stride) }
    return test.isEmpty ? size - page.slices.count : PagedFile.stride
  }

  /// Asks for a window that the item has room in at whose start the last one ended.
  ///
  /// - Returns: the page, if it must end here.
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

  /// Goes to the end of a line that is too long.
  private func leaveLine(_ work: inout Int) -> Page<RawJSON>? {
    let rest = file.window[(place.offset - file.windowStart)...]
    let lineFeed = rest.firstIndex(of: UInt8(ascii: "\n"))
    isWithinLine = lineFeed == nil
    move(over: rest.prefix(upTo: lineFeed.map { $0 + 1 } ?? rest.endIndex), &work)
    return isWithinLine && file.isWindowLast ? finishAtEnd() : nil
  }

  /// Finds out whether another line follows a full page.
  private func lookForMore(_ work: inout Int) -> Page<RawJSON>? {
    let space = file.window[(place.offset - file.windowStart)...].prefix { isWhiteSpace($0) }
    move(over: space, &work)
    if space.endIndex < file.window.endIndex { return finish(next: place.ordinal) }
    return file.isWindowLast ? finishAtEnd() : nil
  }

  private func move(over bytes: ArraySlice<UInt8>, _ work: inout Int) {
    place.move(over: bytes)
    work -= bytes.count
  }

  /// Ends with what stands before an error that an array can't be read on behind.
  private func giveUp(_ error: JSONError, from start: Int) -> Page<RawJSON> {
    let location = place.location.moved(over: file.window[start..<error.offset])
    page.leaveOut(at: location, error.message, "the rest of the file was left out")
    return finish(next: nil)
  }

  private func finishAtEnd() -> Page<RawJSON> {
    file.last = place
    return finish(next: nil)
  }

  private func finish(next: Int?) -> Page<RawJSON> { page.finish(next: next, total: test.isEmpty ? file.total : nil) }
}

// MARK: - What a scan has found

extension FileLoad {
  /// Searches the items that a scan has found, until there are enough for the page.
  ///
  /// - Parameters:
  ///   - scan: what was found from the place on.
  ///   - work: how much may be done.
  /// - Returns: whether it came so far; else the turn ends here, and the next goes on with the same scan.
  private func seek(in scan: ItemScan, _ work: inout Int) -> Bool {
    guard !test.isEmpty, place.ordinal >= first else { return true }
    let window = file.window
    while verdicts.count < scan.slices.count, page.slices.count + verdicts.count(where: \.self) < size {
      guard work > 0 else { return false }
      let range = scan.slices[verdicts.count].range
      var verdict: Bool? = true
      if search == nil, !test.filter.isEmpty {
        verdict = test.filter.matches(RawJSON(trusting: window, range))
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

  /// Adds to the page what belongs there.
  ///
  /// - Parameters:
  ///   - scan: what was found from the place on.
  ///   - start: where in the window that is.
  /// - Returns: how many of the items belong before the next page, if that begins with some of what was found.
  private func take(_ scan: ItemScan, from start: Int) -> Int? {
    guard place.ordinal >= first else { return nil }
    var taken = scan.slices.count
    if !test.isEmpty {
      taken = 0
      while taken < min(verdicts.count, scan.slices.count), !isFull {
        if verdicts[taken] { page.append([scan.slices[taken]], of: file.window) }
        taken += 1
      }
    } else if scan.rejected.isEmpty {
      page.append(scan.slices, of: file.window)
    } else {
      for slice in scan.slices { page.append([slice], of: file.window) }
    }
    // What is broken behind the item that made the page full is told by the next page.
    let end = isFull && taken > 0 ? scan.slices[taken - 1].range.upperBound : file.window.count
    let told = scan.rejected.prefix { $0.offset < end }
    tell(told, from: start)
    return taken < scan.slices.count || told.count < scan.rejected.count ? taken : nil
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
  /// Goes on over the window of a file.
  fileprivate mutating func proceed(in file: PagedFile, id: String, limit: Int) throws(JSONError) {
    let window = file.window
    if file.layout == .array {
      try continueArray(window.span, id: id, limit: limit, isLast: file.isWindowLast)
    } else {
      continueLines(window.span, id: id, limit: limit, isLast: file.isWindowLast)
    }
  }
}
