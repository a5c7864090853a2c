internal import Paging
internal import RPC
internal import Reactor
internal import WireJSON

/// An open file of items. It keeps one window of the file in memory, and an index of places, which grows as pages are
/// loaded.
final class PagedFile {
  /// How the items are stored in the file.
  enum Layout { case lines, array }

  /// The minimum distance between two places of the index, in items.
  static let stride = 64

  /// The name of the file in messages.
  let name: String
  let limits: FileSource.Limits
  private let descriptor: Descriptor
  private(set) var status: FileStatus
  /// Nil until the first byte that isn't white space was found.
  private(set) var layout: Layout?
  /// The offset at which the search for that byte continues.
  private var layoutOffset = 0
  /// Whether records without an id are listed with their offset in the file as their id.
  private(set) var idsAreOffsets = false
  /// Whether records may receive ids. The first record determines whether they do.
  private let givesIDs: Bool
  /// The search for the first record.
  private var firstRecord = FirstRecord.unknown
  /// The place at the end; nil until the end was reached.
  var last: FileCursor?
  /// The number of items; nil until the end was reached.
  var total: Int? { last?.ordinal }
  /// Whether the file is followed. Then a line counts only once it ends with a line feed.
  let isFollowed: Bool
  /// The number of bytes of the file that count.
  private(set) var end = Int.max

  /// The bytes of the file that are in memory.
  private(set) var window: [UInt8] = []
  /// The offset of the window's first byte in the file.
  private(set) var windowStart = 0
  /// Whether the window ends at the end of the file.
  private(set) var isWindowLast = false

  /// The index of lines, as far as the file was read for positions.
  private(set) var lines = LineIndex(startingAt: 0)
  /// Whether the index of lines was read from a stored file, which other programs may have changed.
  private var isIndexOfOthers = false
  /// The path of the stored index; nil if none is stored.
  private let indexPath: String?
  private var index: [FileCursor] = []
  /// The place that was recorded last, for clients that load page after page.
  private var latest: FileCursor?

  /// Opens a file. Reads nothing yet.
  init(
    path: String, name: String, limits: FileSource.Limits, isFollowed: Bool = false, keepsIndex: Bool = false,
    givesIDs: Bool = false
  ) throws(LoadFailure) {
    self.name = name
    indexPath = keepsIndex ? path + ".nagare-index" : nil
    (self.isFollowed, self.givesIDs) = (isFollowed, givesIDs)
    self.limits = limits
    do throws(SystemError) {
      descriptor = try Descriptor.open(path)
    } catch {
      throw LoadFailure(.unreachable, "can't open \(name): \(error.reason)")
    }
    do throws(SystemError) {
      status = try descriptor.status()
    } catch {
      descriptor.close()
      throw LoadFailure(.unreachable, "can't open \(name): \(error.reason)")
    }
    guard status.isRegularFile else {
      throw LoadFailure(.unreachable, "can't read \(name): it is a folder or a device, not a file")
    }
  }

  deinit { descriptor.close() }

  /// Notices changes that other programs made to the file. The index stays valid if a file of lines is longer, and the
  /// last window is still the same. After any other change, the file is read from its start again.
  func noticeChanges() throws(LoadFailure) {
    let before = status
    status = try reading { () throws(SystemError) in try descriptor.status() }
    guard status != before else { return }
    last = nil
    let known = window
    try showWindow(at: windowStart, count: known.count)
    guard layout == .lines, status.size > before.size, window == known else { return try start() }
    firstRecord.lookAgain()
    if isFollowed, let found = try lineEnd(in: end..<status.size) { grow(to: found) }
  }

  /// Begins at the start of the file, after a byte order mark.
  func start() throws(LoadFailure) {
    (end, last) = (.max, nil)
    try showWindow(at: 0, count: max(limits.window, 3))
    let first = FileCursor(startingAt: window.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0)
    index = [first]
    lines = LineIndex(startingAt: first.offset)
    isIndexOfOthers = false
    latest = nil
    layout = nil
    layoutOffset = first.offset
    (idsAreOffsets, firstRecord) = (false, givesIDs ? .unknown : .seen)
    guard isFollowed, window.dropFirst(first.offset).first(where: { !$0.isWhiteSpace }) != UInt8(ascii: "[") else {
      return
    }
    // If no line ends there, all that was read is one line, which is too long for an item.
    end =
      try lineEnd(in: max(0, status.size - limits.item)..<status.size) ?? (status.size > limits.item ? status.size : 0)
    isWindowLast = false
    try showWindow(at: 0, count: max(limits.window, 3))
  }

  // MARK: Growth

  /// Returns the offset after the last line feed in a range; nil if no line ends there.
  func lineEnd(in range: Range<Int>) throws(LoadFailure) -> Int? {
    var upper = range.upperBound
    while upper > range.lowerBound {
      let lower = max(range.lowerBound, upper - limits.window)
      let bytes = try bytes(in: lower..<upper)
      if let index = bytes.lastIndex(of: UInt8(ascii: "\n")) { return lower + index + 1 }
      upper = lower
    }
    return nil
  }

  /// Adds more of the file's bytes, up to the end of a line.
  func grow(to end: Int) {
    self.end = end
    isWindowLast = false
    firstRecord.lookAgain()
  }

  /// Returns bytes of the file as they are now. There are fewer if the file ends earlier.
  func bytes(in range: Range<Int>) throws(LoadFailure) -> [UInt8] {
    try reading { () throws(SystemError) in try descriptor.read(at: range.lowerBound, count: range.count) }
  }

  /// Reads one window to find out the layout of the file, and whether records receive ids. Returns nil until both are
  /// known.
  func prepare(_ work: inout Int) throws(LoadFailure) -> Layout? {
    guard let layout else {
      work -= try findLayout()
      return nil
    }
    switch firstRecord {
    case .seen, .missing: return layout
    case .unknown: firstRecord = .sought(RecordSearch(startingAt: layoutOffset))
    case .sought(var search):
      let finding = try search.proceed(in: self, &work)
      firstRecord = finding ?? .sought(search)
      idsAreOffsets = search.foundNoID
    }
    return nil
  }

  /// Reads one window to find out the layout of the file: it is an array if the first byte that isn't white space is a
  /// bracket. Returns the number of bytes that were read.
  private func findLayout() throws(LoadFailure) -> Int {
    try showWindow(at: layoutOffset)
    let rest = window[(layoutOffset - windowStart)...]
    let space = rest.prefix(while: \.isWhiteSpace)
    layoutOffset += space.count
    if let byte = rest.dropFirst(space.count).first {
      layout = byte == UInt8(ascii: "[") ? .array : .lines
    } else if isWindowLast {
      layout = .lines
    }
    return space.count
  }

  // MARK: Window

  /// Makes sure that the window contains `least` bytes from an offset, or all bytes until the end of the file.
  func showWindow(at offset: Int, least: Int = 1) throws(LoadFailure) {
    let end = windowStart + window.count
    guard offset < windowStart || offset > end || offset + least > end && !isWindowLast else { return }
    try showWindow(at: offset, count: max(limits.window, least))
  }

  /// Reads a new window.
  private func showWindow(at offset: Int, count: Int) throws(LoadFailure) {
    window = try bytes(in: offset..<max(offset, min(offset + count, end)))
    windowStart = offset
    isWindowLast = window.count < count
  }

  private func reading<Result>(_ body: () throws(SystemError) -> Result) throws(LoadFailure) -> Result {
    do throws(SystemError) {
      return try body()
    } catch {
      throw LoadFailure(.unreachable, "can't read \(name): \(error.reason)")
    }
  }

  // MARK: Lines

  /// Whether the index of lines has reached the end.
  var isIndexed: Bool { lines.end >= min(end, status.size) }

  /// Loads the stored index, if it belongs to exactly this file.
  func loadKeptIndex() throws(LoadFailure) {
    guard let indexPath, let bytes = keptBytes(at: indexPath), let kept = LineIndex(bytes, for: try stamp()),
      kept.end == min(end, status.size), kept.marks[0] == lines.marks[0]
    else { return }
    lines = kept
    isIndexOfOthers = true
  }

  /// Whether a line begins at a place in the index of lines. If not, another program has changed the stored index, and
  /// a new one is begun.
  func isLineStart(_ place: FileCursor) throws(LoadFailure) -> Bool {
    let first = lines.marks[0].offset
    guard isIndexOfOthers, place.offset > first else { return true }
    if try bytes(in: place.offset - 1..<place.offset).first == UInt8(ascii: "\n") { return true }
    lines = LineIndex(startingAt: first)
    isIndexOfOthers = false
    return false
  }

  /// Returns the stored bytes at a path. Nil if they can't be read, or if they are more than any index of this file
  /// could have.
  private func keptBytes(at path: String) -> [UInt8]? {
    guard let kept = try? Descriptor.open(path) else { return nil }
    defer { kept.close() }
    // A mark has 16 bytes, and the lines between two marks have at least 512.
    guard let size = try? kept.status().size, size <= status.size / 32 + 1024 else { return nil }
    return try? kept.read(at: 0, count: size)
  }

  /// Continues the index of lines until it has come far enough, or to the end. Returns false if the work of this turn
  /// is used up first. Indexing eight bytes is 1 work.
  func indexLines(_ work: inout Int, until isFar: (LineIndex) -> Bool) throws(LoadFailure) -> Bool {
    while !isFar(lines), !isIndexed {
      guard work > 0 else { return false }
      let range = lines.end..<min(lines.end + limits.window, end, status.size)
      let bytes = try bytes(in: range)
      guard bytes.count == range.count else {
        throw LoadFailure(.unreachable, "\(name) was changed while it was read; load again", isRetryable: true)
      }
      lines.proceed(over: bytes)
      work -= bytes.count / 8 + 1
      if isIndexed, let indexPath {
        // In a folder without write access no index is stored, and it is built again next time.
        try? Descriptor.replace(indexPath, by: lines.bytes(for: try stamp()))
      }
    }
    return true
  }

  /// Sets the page's total. It is exact if the index of lines is complete. Before that it is estimated from the number
  /// of items in the first bytes.
  func count(_ page: inout Page<RawJSON>, _ count: Int, in bytes: Int) {
    page.isTotalExact = layout == .lines && isIndexed
    page.total =
      page.isTotalExact ? lines.count : max(count, Int(Double(status.size) / Double(max(1, bytes)) * Double(count)))
  }

  /// Returns numbers that identify the file's content: its size, its time, and a checksum of some of its bytes.
  private func stamp() throws(LoadFailure) -> [Int] {
    var sample: [Int] = []
    for part in 0...16 {
      let start = max(0, (status.size - 64) / 16 * part)
      sample += try bytes(in: start..<start + 64).map(Int.init)
    }
    return status.stamp + [LineIndex.digest(sample)]
  }

  // MARK: Index

  /// Records a place.
  func record(_ place: FileCursor) {
    latest = place
    if let last = index.last, place.ordinal >= last.ordinal + PagedFile.stride { index.append(place) }
  }

  /// Returns the last known place with at most `ordinal` items before it.
  func place(before ordinal: Int) -> FileCursor {
    if let known = [last, latest].first(where: { $0?.ordinal == ordinal }) ?? nil { return known }
    var (low, high) = (0, index.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if index[middle].ordinal <= ordinal { low = middle } else { high = middle }
    }
    return index[low]
  }
}
