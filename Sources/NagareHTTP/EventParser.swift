internal import WireJSON

/// Parses a stream of server-sent events (HTML, section 9.2.6), in pieces of any size.
struct EventParser {
  /// An event of the type `message`.
  struct Event: Equatable, Sendable {
    /// The newest id in the stream so far; nil if there was none.
    var id: String?
    /// The data of the event; nil if they were too large.
    var data: [UInt8]?
  }

  /// A result of the parser.
  enum Finding: Equatable, Sendable {
    case event(Event)
    /// The time to wait before the next connection, in milliseconds.
    case retry(Int)
  }

  /// The maximum size of a line, and of the data of an event, in bytes.
  let limit: Int
  private var line: [UInt8] = []
  private var isLineTooLarge = false
  private var data: [UInt8]? = []
  private var hasData = false
  private var type: [UInt8] = []
  private(set) var lastID: String?
  private var isAtStart = true
  private var isAfterReturn = false

  init(limit: Int, lastID: String? = nil) { (self.limit, self.lastID) = (limit, lastID) }

  /// Parses the next bytes.
  mutating func read(_ bytes: Span<UInt8>) -> [Finding] {
    var (findings, start) = ([Finding](), 0)
    while start < bytes.count {
      if isAfterReturn, bytes[start] == UInt8(ascii: "\n") { start += 1 }
      isAfterReturn = false
      let end = bytes.lineEnd(from: start)
      append(bytes.extracting(start..<end))
      guard end < bytes.count else { break }
      isAfterReturn = bytes[end] == UInt8(ascii: "\r")
      if let finding = endLine() { findings.append(finding) }
      start = end + 1
    }
    return findings
  }

  /// Adds a part of a line. The text of a comment is dropped; only its colon is kept.
  private mutating func append(_ part: Span<UInt8>) {
    let isComment = (line.first ?? (part.isEmpty ? nil : part[0])) == UInt8(ascii: ":")
    isLineTooLarge = isLineTooLarge || line.count + part.count > limit && !isComment
    let rest = part.extracting(first: isComment ? 1 - line.count : limit - line.count)
    line.append(addingCapacity: rest.count) { $0.append(copying: rest) }
  }

  private mutating func endLine() -> Finding? {
    defer {
      line.removeAll(keepingCapacity: line.capacity <= 4096)
      (isLineTooLarge, isAtStart) = (false, false)
    }
    if isAtStart, line.starts(with: [0xEF, 0xBB, 0xBF]) { line.removeFirst(3) }
    if line.isEmpty { return endEvent() }
    if line.first == UInt8(ascii: ":") { return nil }
    let name = line.prefix { $0 != UInt8(ascii: ":") }
    var value = line[name.endIndex...].dropFirst()
    if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
    switch String(decoding: name, as: UTF8.self) {
    case "data":
      if isLineTooLarge || (data?.count ?? 0) + value.count >= limit { data = nil }
      if hasData { data?.append(UInt8(ascii: "\n")) }
      data? += value
      hasData = true
    case "event": type = Array(value)
    case "id": if !value.contains(0), !isLineTooLarge { lastID = String(decoding: value, as: UTF8.self) }
    case "retry":
      // A number with more digits would be a pause of unreasonable length.
      if !value.isEmpty, value.count <= 9, value.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains) {
        return Int(String(decoding: value, as: UTF8.self)).map(Finding.retry)
      }
    default: break
    }
    return nil
  }

  private mutating func endEvent() -> Finding? {
    defer { (data, hasData, type) = ([], false, []) }
    guard hasData, type.isEmpty || type == Array("message".utf8) else { return nil }
    return .event(Event(id: lastID.flatMap { $0.isEmpty ? nil : $0 }, data: data))
  }
}

extension Span<UInt8> {
  /// Returns the offset of the first line feed or carriage return from an offset; the number of bytes if there is none.
  fileprivate func lineEnd(from start: Int) -> Int {
    var offset = start
    while offset < count, self[offset] != UInt8(ascii: "\n"), self[offset] != UInt8(ascii: "\r") { offset += 1 }
    return offset
  }
}
