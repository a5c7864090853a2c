internal import Reactor
internal import Flow
internal import ItemList
internal import Paging
internal import WireJSON

/// Loads a page at a position, or around an item.
///
/// In a file of lines, a position counts nonblank lines, so an index of the lines leads to the page. With an array, or
/// with a query or filters, a position counts matching items. Then the file is read from its start.
final class FileJump: FileWork {
  private let file: PagedFile
  private let id: String
  private let size: Int
  private let test: ItemTest
  private var place: PageOrigin
  /// The search for the item, and the count of matching items before it.
  private var finding: FileLookup?
  private var counting: FileLoad?
  /// The load of the page, and the page's position.
  private var reading: (load: FileLoad, position: Int)?

  init(_ size: Int, _ test: ItemTest, at place: PageOrigin, of file: PagedFile, id: String) {
    (self.size, self.test, self.place, self.file, self.id) = (max(1, size), test, place, file, id)
  }

  var progress: LoadProgress {
    reading?.load.progress ?? counting?.progress ?? finding?.progress
      ?? LoadProgress(done: file.lines.end, of: file.status.size, unit: "bytes")
  }

  func advance(_ work: inout Int) throws(LoadFailure) -> Page<RawJSON>? {
    repeat {
      if let (load, position) = reading { return try load.advance(&work).map { page(of: $0, load, position) } }
      guard let layout = try file.prepare(&work) else { continue }
      switch place {
      case .around(let id):
        if let item = try find(id, layout, &work) { place = try self.place(around: item, layout, &work) ?? place }
      case .before(let end): try read(from: max(0, end - size), to: end, layout, &work)
      case .from(let start), .at(let start): try read(from: start, to: nil, layout, &work)
      }
    } while work > 0
    return nil
  }

  /// Whether positions count lines.
  private func countsLines(_ layout: PagedFile.Layout) -> Bool { layout == .lines && test.isEmpty }

  /// Looks for the item with an id. Nil if the turn ends first.
  private func find(
    _ item: ItemID, _ layout: PagedFile.Layout, _ work: inout Int
  ) throws(LoadFailure) -> FileLoad.Found? {
    let finding = finding ?? FileLookup(item, needsOrdinal: !countsLines(layout), in: file, id: id)
    self.finding = finding
    if let found = finding.found { return found }
    guard let page = try finding.advance(&work) else { return nil }
    guard let found = finding.found, test.matches(page.items[0]) else { throw LoadFailure(noItem: item, in: file.name) }
    return found
  }

  /// Returns the origin of a page around an item. Nil if the turn ends before the number of items in front of it is
  /// known.
  private func place(
    around item: FileLoad.Found, _ layout: PagedFile.Layout, _ work: inout Int
  ) throws(LoadFailure) -> PageOrigin? {
    if countsLines(layout) {
      guard try file.indexLines(&work, until: { $0.end > item.offset }) else { return nil }
      let place = file.lines.place(beforeOffset: item.offset)
      guard try file.isLineStart(place) else { return nil }
      var rest = LineIndex(startingAt: place.offset)
      rest.proceed(over: try file.bytes(in: place.offset..<item.offset))
      return .at(max(0, place.ordinal + rest.count - size / 2))
    }
    if test.isEmpty { return .at(max(0, item.ordinal - size / 2)) }
    // The load skips all matching items before the item. The number that it still had to skip at the end gives the
    // number of skipped items.
    let most = Int.max / 2
    let counting = counting ?? FileLoad(1, test, to: item.ordinal, skipping: most, of: file, id: id)
    self.counting = counting
    return try counting.advance(&work).map { _ in .at(max(0, most - counting.unskipped - size / 2)) }
  }

  /// Begins to load the page from a position. Does nothing if the place of the position isn't known yet.
  private func read(
    from start: Int, to end: Int?, _ layout: PagedFile.Layout, _ work: inout Int
  ) throws(LoadFailure) {
    let size = end.map { $0 - start } ?? size
    if countsLines(layout) {
      guard try file.indexLines(&work, until: { $0.count > start }) else { return }
      guard try file.isLineStart(file.lines.place(beforeLine: start)) else { return }
      let start = min(start, file.lines.count)
      reading = (FileLoad(lines: size, from: start, of: file, id: id), start)
    } else if test.isEmpty {
      reading = (FileLoad(size, test, from: start, of: file, id: id), start)
    } else {
      reading = (FileLoad(size, test, skipping: start, of: file, id: id), start)
    }
  }

  private func page(of read: Page<RawJSON>, _ load: FileLoad, _ position: Int) -> Page<RawJSON> {
    var page = read
    if load.countsLines {
      file.count(&page, file.lines.count, in: file.lines.end)
      if page.next == nil { (page.total, page.isTotalExact) = (load.place.ordinal, true) }
      page.next = page.next?.int.flatMap { PageOrigin.at($0).key }
    }
    let first =
      load.countsLines ? position : min(position, test.isEmpty ? file.total ?? position : position - load.unskipped)
    page.position = first
    page.previous = first > 0 ? PageOrigin.before(first).key : nil
    return page
  }
}
