internal import RPC
internal import Reactor
internal import WireJSON

/// One load of a page: goes over its file window by window, from the last place known before the page to its end.
final class FileLoad {
  private let file: PagedFile
  private let id: String
  private let query: TextQuery?
  private let first: Int
  private let size: Int
  /// What the file was when the load began.
  private let status: FileStatus
  private var place: FilePlace
  private var page: PageBuilder
  /// Whether what comes is the rest of a line that is too long.
  private var isWithinLine = false

  /// Prepares a load.
  ///
  /// - Parameters:
  ///   - request: what is wanted.
  ///   - first: how many items stand before the page.
  ///   - file: where it is read.
  ///   - id: the member of an item that is its id.
  init(_ request: PageRequest, from first: Int, of file: PagedFile, id: String) {
    self.file = file
    self.id = id
    self.first = first
    query = TextQuery(request.query)
    size = max(1, request.size)
    status = file.status
    place = file.place(before: first)
    page = PageBuilder(of: file.name)
  }

  /// Goes on until the page is whole, or as far as one turn goes.
  ///
  /// - Returns: the page; nil if others are to have their turn first.
  /// - Throws: what keeps the file from being read.
  func takeTurn() throws(LoadFailure) -> Page? {
    guard file.status == status else {
      throw LoadFailure(.unreachable, "\(file.name) was changed while it was read; load again", isRetryable: true)
    }
    let end = place.offset + (query == nil ? file.limits.turn : file.limits.queryTurn)
    repeat {
      if let page = try step() { return page }
    } while place.offset < end
    return nil
  }

  /// Goes on by one scan of the window.
  private func step() throws(LoadFailure) -> Page? {
    try file.showWindow(at: place.offset)
    if isWithinLine { return leaveLine() }
    if isFull, file.layout == .lines { return lookForMore() }
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
    if let taken = take(scan, from: start) { return finish(next: place.ordinal + taken) }
    if let broken { return giveUp(broken, from: start) }
    place.move(with: scan, over: file.window[start..<scan.next])
    switch scan.stop {
    case .limit:
      file.note(place)
      return isFull && file.layout == .array ? finish(next: place.ordinal) : nil
    case .end: return finishAtEnd()
    case .windowEnd: return try showMore(isStuck: scan.next == start && scan.scanned == 0)
    }
  }

  private var isFull: Bool { page.slices.count >= size || page.bytes.count >= file.limits.item }

  /// How many items to look for: as many as stand before the page, or as it lacks; of a query as many as are worth a
  /// scan. With none an array's scan tells whether it goes on.
  private var limit: Int {
    if isFull { return 0 }
    if place.ordinal < first { return min(first - place.ordinal, PagedFile.stride) }
    return query == nil ? size - page.slices.count : PagedFile.stride
  }

  /// Reads on behind a window that ends within an item.
  ///
  /// - Parameter isStuck: whether nothing came before that item.
  /// - Returns: the page, if it must end here.
  /// - Throws: what keeps the file from being read.
  private func showMore(isStuck: Bool) throws(LoadFailure) -> Page? {
    guard isStuck, file.windowStart == place.offset else {
      try file.showWindow(at: place.offset, count: file.limits.window)
      return nil
    }
    if file.window.count < file.limits.item {
      try file.showWindow(at: place.offset, count: 2 * file.window.count)
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
  private func leaveLine() -> Page? {
    let rest = file.window[(place.offset - file.windowStart)...]
    let lineFeed = rest.firstIndex(of: UInt8(ascii: "\n"))
    isWithinLine = lineFeed == nil
    place.move(over: rest.prefix(upTo: lineFeed.map { $0 + 1 } ?? rest.endIndex))
    return isWithinLine && file.isWindowLast ? finishAtEnd() : nil
  }

  /// Finds out whether another line follows a full page.
  private func lookForMore() -> Page? {
    let space = file.window[(place.offset - file.windowStart)...].prefix { isWhiteSpace($0) }
    place.move(over: space)
    if space.endIndex < file.window.endIndex { return finish(next: place.ordinal) }
    return file.isWindowLast ? finishAtEnd() : nil
  }

  /// Ends with what stands before a fault that an array can't be read on behind.
  private func giveUp(_ error: JSONError, from start: Int) -> Page {
    let location = place.location.moved(over: file.window[start..<error.offset])
    page.leaveOut(at: location, error.message, "the rest of the file was left out")
    return finish(next: nil)
  }

  private func finishAtEnd() -> Page {
    file.total = place.ordinal
    return finish(next: nil)
  }

  private func finish(next: Int?) -> Page { page.finish(next: next, total: query == nil ? file.total : nil) }
}

// MARK: - What a scan has found

extension FileLoad {
  /// Adds to the page what belongs there.
  ///
  /// - Parameters:
  ///   - scan: what was found from the place on.
  ///   - start: where in the window that is.
  /// - Returns: how many of the items belong before the next page, if that begins with some of what was found.
  private func take(_ scan: ItemScan, from start: Int) -> Int? {
    guard place.ordinal >= first else { return nil }
    var taken = scan.slices.count
    if let query {
      taken = 0
      while taken < scan.slices.count, !isFull {
        let slice = scan.slices[taken]
        if query.matches(RawJSON(trusting: file.window, slice.range)) { page.append([slice], of: file.window) }
        taken += 1
      }
    } else if scan.problems.isEmpty {
      page.append(scan.slices, of: file.window)
    } else {
      for slice in scan.slices { page.append([slice], of: file.window) }
    }
    // What is broken behind the item that made the page full is told by the next page.
    let end = isFull && taken > 0 ? scan.slices[taken - 1].range.upperBound : file.window.count
    let told = scan.problems.prefix { $0.offset < end }
    tell(told, from: start)
    return taken < scan.slices.count || told.count < scan.problems.count ? taken : nil
  }

  private func tell(_ problems: ArraySlice<ItemProblem>, from start: Int) {
    var (offset, location) = (start, place.location)
    for problem in problems {
      if page.tellsFaults {
        location = location.moved(over: file.window[offset..<problem.offset])
        offset = problem.offset
      }
      let record = file.layout == .lines ? "line" : "item"
      page.leaveOut(at: location, problem.fault(id), "the \(record) was left out")
    }
  }
}

extension ItemScan {
  /// Goes on over the window of a file.
  fileprivate mutating func proceed(in file: PagedFile, id: String, limit: Int) throws(JSONError) {
    let window = file.window
    switch file.layout {
    case .lines: continueLines(window.span, id: id, limit: limit, isLast: file.isWindowLast)
    case .array: try continueArray(window.span, id: id, limit: limit, isLast: file.isWindowLast)
    }
  }
}
