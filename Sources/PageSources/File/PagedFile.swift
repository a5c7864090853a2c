internal import Paging
internal import RPC
internal import Reactor
internal import WireJSON

/// An open file of items: the window of it that is in memory, and an index of places in it, which grows as paging goes on.
final class PagedFile {
  /// How the items stand in the file.
  enum Layout { case lines, array }

  /// How far apart the index's places are at least, in items.
  static let stride = 64

  /// What messages call the file.
  let name: String
  let limits: FileSource.Limits
  private let descriptor: Descriptor
  private(set) var status: FileStatus
  /// Nil until the first byte was found that isn't white space.
  private(set) var layout: Layout?
  /// Where that is looked for next.
  private var layoutOffset = 0
  /// Whether records without an id are listed with their offset in the file as their id.
  private(set) var idsAreOffsets = false
  /// Whether that may be, which depends on the first record.
  private let givesIDs: Bool
  /// What is known of the first record.
  private var firstRecord = FirstRecord.unknown
  /// The place at the end; nil until that was seen.
  var last: FileCursor?
  /// How many items there are; nil until the end was seen.
  var total: Int? { last?.ordinal }
  /// Whether it is followed: a line counts once it is finished.
  let isFollowed: Bool
  /// How many of its bytes count.
  private(set) var end = Int.max

  /// Some bytes of the file.
  private(set) var window: [UInt8] = []
  /// How far the window's first byte is from the file's start.
  private(set) var windowStart = 0
  /// Whether the file ends where the window does.
  private(set) var isWindowLast = false

  /// The lines as far as the file was gone over for their positions.
  private(set) var lines = LineIndex(startingAt: 0)
  /// Whether their index is one that was kept, which others may have changed.
  private var isIndexOfOthers = false
  /// Where their index is kept; nil if it isn't.
  private let indexPath: String?
  private var index: [FileCursor] = []
  /// The place noted last, for whoever goes on page by page.
  private var latest: FileCursor?

  /// Opens a file, and reads nothing yet.
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

  /// Notices what others did to the file. One of lines that only grew keeps its index: it is longer, and what was read
  /// last stands there still. Any other change starts it afresh.
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

  /// Begins at the file's start, behind a byte order mark.
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
    // Where there is none, all that was read is one line, which is too long for an item.
    end =
      try lineEnd(in: max(0, status.size - limits.item)..<status.size) ?? (status.size > limits.item ? status.size : 0)
    isWindowLast = false
    try showWindow(at: 0, count: max(limits.window, 3))
  }

  // MARK: Growth

  /// Where the line begins that follows the last finished one in a range; nil if no line ends there.
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

  /// Has more of the file's bytes count, up to the end of a line.
  func grow(to end: Int) {
    self.end = end
    isWindowLast = false
    firstRecord.lookAgain()
  }

  /// Bytes of the file as they are now; fewer where it ends before.
  func bytes(in range: Range<Int>) throws(LoadFailure) -> [UInt8] {
    try reading { () throws(SystemError) in try descriptor.read(at: range.lowerBound, count: range.count) }
  }

  /// Goes on by a window to find out how the items stand, and whether they get ids. Returns nil until both are known.
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

  /// Goes on by a window to find out how the items stand: in an array if the first byte that isn't white space opens
  /// one. Gives how many bytes were gone over.
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

  /// Makes the window hold so many bytes from an offset on, or as many as the file has, unless it does.
  func showWindow(at offset: Int, least: Int = 1) throws(LoadFailure) {
    let end = windowStart + window.count
    guard offset < windowStart || offset > end || offset + least > end && !isWindowLast else { return }
    try showWindow(at: offset, count: max(limits.window, least))
  }

  /// Reads the window afresh.
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

  /// Whether the index of the lines has reached the end.
  var isIndexed: Bool { lines.end >= min(end, status.size) }

  /// Takes the index that was kept, if it is of this very file.
  func loadKeptIndex() throws(LoadFailure) {
    guard let indexPath, let bytes = keptBytes(at: indexPath), let kept = LineIndex(bytes, for: try stamp()),
      kept.end == min(end, status.size), kept.marks[0] == lines.marks[0]
    else { return }
    lines = kept
    isIndexOfOthers = true
  }

  /// Whether a line begins at a place of the lines' index. Otherwise the kept index was changed by others, and a new one is
  /// begun.
  func isLineStart(_ place: FileCursor) throws(LoadFailure) -> Bool {
    let first = lines.marks[0].offset
    guard isIndexOfOthers, place.offset > first else { return true }
    if try bytes(in: place.offset - 1..<place.offset).first == UInt8(ascii: "\n") { return true }
    lines = LineIndex(startingAt: first)
    isIndexOfOthers = false
    return false
  }

  /// What is kept at a path; nil if it is no file, or a longer one than any index of this file.
  private func keptBytes(at path: String) -> [UInt8]? {
    guard let kept = try? Descriptor.open(path) else { return nil }
    defer { kept.close() }
    // A mark takes 16 bytes, and the lines between two of them no fewer than 512.
    guard let size = try? kept.status().size, size <= status.size / 32 + 1024 else { return nil }
    return try? kept.read(at: 0, count: size)
  }

  /// Goes on with the index of the lines until that has come far enough, or to the end; false if there was enough work
  /// for one turn. A byte takes an eighth, which is taken off.
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
        // A folder that can't be written to keeps none; then it is built the next time.
        try? Descriptor.replace(indexPath, by: lines.bytes(for: try stamp()))
      }
    }
    return true
  }

  /// Says how many items there are: so many as the index of the lines has, once that is whole, and before as many as it looks
  /// if there are so many in the first bytes.
  func count(_ page: inout Page<RawJSON>, _ count: Int, in bytes: Int) {
    page.isTotalExact = layout == .lines && isIndexed
    page.total =
      page.isTotalExact ? lines.count : max(count, Int(Double(status.size) / Double(max(1, bytes)) * Double(count)))
  }

  /// What the file can be told by: its size, its time, and a sample of its bytes.
  private func stamp() throws(LoadFailure) -> [Int] {
    var sample: [Int] = []
    for part in 0...16 {
      let start = max(0, (status.size - 64) / 16 * part)
      sample += try bytes(in: start..<start + 64).map(Int.init)
    }
    return status.stamp + [LineIndex.digest(sample)]
  }

  // MARK: Index

  /// Remembers a place.
  func record(_ place: FileCursor) {
    latest = place
    if let last = index.last, place.ordinal >= last.ordinal + PagedFile.stride { index.append(place) }
  }

  /// The last known place with at most so many items before it.
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
