internal import WireJSON

/// An index of the nonblank lines of a file: the place of every 256th, as far as the file was read. Building it takes
/// little longer than reading, because lines aren't parsed.
struct LineIndex: Equatable {
  /// A place at the start of a line.
  struct Mark: Equatable {
    /// The offset from the start of the file, in bytes.
    var offset: Int
    /// The number of line feeds before it.
    var lineFeeds: Int
  }

  /// The number of nonblank lines between two marks.
  static let stride = 256

  /// The places before nonblank lines 0, 256, 512 and so on.
  private(set) var marks: [Mark]
  /// The offset up to which the file was indexed.
  private(set) var end: Int
  private var lineFeeds = 0
  private var finished = 0
  /// Whether the unfinished line at the end contains anything but white space.
  private var isOpen = false

  /// An empty index.
  init(startingAt offset: Int) { (marks, end) = ([Mark(offset: offset, lineFeeds: 0)], offset) }

  /// The number of nonblank lines, including the unfinished one at the end.
  var count: Int { finished + (isOpen ? 1 : 0) }

  /// Continues the index over bytes.
  mutating func proceed(over bytes: [UInt8]) {
    var start = 0
    bytes.span.forEachLineFeed { endLine(bytes, from: &start, at: $0) }
    isOpen = isOpen || holdsSomething(bytes, start..<bytes.count)
    end += bytes.count
  }

  @inline(__always)
  private mutating func endLine(_ bytes: [UInt8], from start: inout Int, at place: Int) {
    lineFeeds += 1
    if isOpen || holdsSomething(bytes, start..<place) {
      finished += 1
      if finished % LineIndex.stride == 0 { marks.append(Mark(offset: end + place + 1, lineFeeds: lineFeeds)) }
    }
    (isOpen, start) = (false, place + 1)
  }

  /// Whether a range contains anything but white space. It is checked from its end, because a nonblank line rarely ends
  /// in white space.
  @inline(__always)
  private func holdsSomething(_ bytes: [UInt8], _ range: Range<Int>) -> Bool {
    var place = range.upperBound
    while place > range.lowerBound {
      place -= 1
      if !bytes[place].isWhiteSpace { return true }
    }
    return false
  }

  /// Returns the last mark at or before a line. Its ordinal is the number of nonblank lines before it.
  func place(beforeLine number: Int) -> FileCursor { place(min(number / LineIndex.stride, marks.count - 1)) }

  /// Returns the last mark at or before an offset. Its ordinal is the number of nonblank lines before it.
  func place(beforeOffset offset: Int) -> FileCursor {
    var (low, high) = (0, marks.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if marks[middle].offset <= offset { low = middle } else { high = middle }
    }
    return place(low)
  }

  private func place(_ index: Int) -> FileCursor {
    FileCursor(
      afterLines: index * LineIndex.stride, at: marks[index].offset, lineFeeds: marks[index].lineFeeds)
  }
}

// MARK: - Stored index

extension LineIndex {
  private static let magic = 0x6E61_6761_7265_6931

  /// Returns the index as bytes, with the numbers that identify the indexed file. Each number has eight bytes, the
  /// lowest first.
  func bytes(for file: [Int]) -> [UInt8] {
    var words = [LineIndex.magic, file.count] + file + [end, lineFeeds, finished, isOpen ? 1 : 0, marks.count]
    for mark in marks { words += [mark.offset, mark.lineFeeds] }
    words.append(LineIndex.digest(words))
    return words.reduce(into: []) { bytes, word in
      for place in 0..<8 { bytes.append(UInt8(truncatingIfNeeded: word >> (place * 8))) }
    }
  }

  /// Reads a stored index. Fails if it belongs to another file, is cut off, or contains numbers that no file can have.
  init?(_ bytes: [UInt8], for file: [Int]) {
    guard bytes.count % 8 == 0, bytes.count >= (file.count + 8) * 8 else { return nil }
    var words = [Int](repeating: 0, count: bytes.count / 8)
    for (index, byte) in bytes.enumerated() { words[index / 8] |= Int(byte) << (index % 8 * 8) }
    let digest = words.removeLast()
    guard LineIndex.digest(words) == digest, words.starts(with: [LineIndex.magic, file.count] + file) else {
      return nil
    }
    let rest = words.dropFirst(file.count + 2)
    let start = rest.startIndex
    let (count, marks) = (rest[start + 4], rest.dropFirst(5))
    guard rest[start + 2] >= 0, marks.count % 2 == 0, marks.count / 2 == count,
      rest[start + 2] / LineIndex.stride + 1 == count, 0...1 ~= rest[start + 3]
    else {
      return nil
    }
    self.marks = (0..<count).map { index in
      Mark(offset: marks[marks.startIndex + 2 * index], lineFeeds: marks[marks.startIndex + 2 * index + 1])
    }
    (end, lineFeeds, finished, isOpen) = (rest[start], rest[start + 1], rest[start + 2], rest[start + 3] == 1)
    guard isPlausible else { return nil }
  }

  /// Whether the numbers can belong to a file. Between two marks are ``stride`` nonblank lines, and each has at least
  /// two bytes, one of them a line feed.
  private var isPlausible: Bool {
    guard let first = marks.first, let last = marks.last, first.lineFeeds == 0, end >= 0,
      marks.allSatisfy({ 0...end ~= $0.offset && 0...end ~= $0.lineFeeds }), 0...end ~= lineFeeds
    else { return false }
    let areOrdered = zip(marks, marks.dropFirst()).allSatisfy { mark, next in
      let (bytes, lineFeeds) = (next.offset - mark.offset, next.lineFeeds - mark.lineFeeds)
      return lineFeeds >= LineIndex.stride && bytes - lineFeeds >= LineIndex.stride
    }
    let (bytes, lines) = (end - last.offset, finished % LineIndex.stride)
    let rest = lineFeeds - last.lineFeeds
    return areOrdered && rest >= lines && bytes - rest >= lines + (isOpen ? 1 : 0)
  }

  /// A checksum (FNV-1a, over whole words) that detects truncation and accidental changes.
  static func digest(_ words: some Sequence<Int>) -> Int {
    Int(
      bitPattern: words.reduce(0xCBF2_9CE4_8422_2325) { hash, word in (hash ^ UInt(bitPattern: word)) &* 0x100_0000_01B3
      }
    )
  }
}
