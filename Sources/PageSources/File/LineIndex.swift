internal import WireJSON

/// Where the lines of a file are that hold something: the place of every 256th, as far as the file was gone over. To go over
/// bytes takes little more than to read them: lines aren't looked into.
struct LineIndex: Equatable {
  /// A place at the start of a line.
  struct Mark: Equatable {
    /// Its distance from the file's start in bytes.
    var offset: Int
    /// How many line feeds there are before it.
    var lineFeeds: Int
  }

  /// How many lines that hold something lie between two marks.
  static let stride = 256

  /// The places before the first line, the 256th, the 512th….
  private(set) var marks: [Mark]
  /// How far it has come.
  private(set) var end: Int
  private var lineFeeds = 0
  private var finished = 0
  /// Whether the line at the end holds something so far.
  private var isOpen = false

  /// An index of nothing yet.
  init(startingAt offset: Int) { (marks, end) = ([Mark(offset: offset, lineFeeds: 0)], offset) }

  /// How many lines hold something, the one at the end included.
  var count: Int { finished + (isOpen ? 1 : 0) }

  /// Goes on over bytes.
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

  /// Looked at from the end: there a line that holds something hardly ever has white space.
  @inline(__always)
  private func holdsSomething(_ bytes: [UInt8], _ range: Range<Int>) -> Bool {
    var place = range.upperBound
    while place > range.lowerBound {
      place -= 1
      if !bytes[place].isWhiteSpace { return true }
    }
    return false
  }

  /// The place before a line, and how many lines there are before that.
  func place(beforeLine number: Int) -> FileCursor { place(min(number / LineIndex.stride, marks.count - 1)) }

  /// The place of the last mark at or before an offset, and how many lines there are before that.
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

// MARK: - In a file of its own

extension LineIndex {
  private static let magic = 0x6E61_6761_7265_6931

  /// What is kept of it, and of what the indexed file can be told by: words of eight bytes, the lowest first.
  func bytes(for file: [Int]) -> [UInt8] {
    var words = [LineIndex.magic, file.count] + file + [end, lineFeeds, finished, isOpen ? 1 : 0, marks.count]
    for mark in marks { words += [mark.offset, mark.lineFeeds] }
    words.append(LineIndex.digest(words))
    return words.reduce(into: []) { bytes, word in
      for place in 0..<8 { bytes.append(UInt8(truncatingIfNeeded: word >> (place * 8))) }
    }
  }

  /// Reads what was kept. Nil comes back if it is of another file, cut off, or if its numbers can't be those of any file.
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

  /// Whether the numbers can be those of a file: between two marks lie ``stride`` lines that hold something, each of which has
  /// at least two bytes, one of them a line feed.
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

  /// FNV-1a, a word at a time: it tells what was cut off or changed by accident.
  static func digest(_ words: some Sequence<Int>) -> Int {
    Int(
      bitPattern: words.reduce(0xCBF2_9CE4_8422_2325) { hash, word in (hash ^ UInt(bitPattern: word)) &* 0x100_0000_01B3
      }
    )
  }
}
