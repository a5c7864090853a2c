/// Reads a stream of server-sent events (HTML, section 9.2.6), however it is cut.
struct EventParser {
  /// One event of the type `message`.
  struct Event: Equatable, Sendable {
    /// The last id that was said; nil where none was.
    var id: String?
    /// Its data; nil if that was too large.
    var data: [UInt8]?
  }

  /// What was found.
  enum Finding: Equatable, Sendable {
    case event(Event)
    /// How many milliseconds to wait before one connects again.
    case retry(Int)
  }

  /// How many bytes a line may have, and the data of an event.
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

  /// Goes on with the bytes that follow.
  mutating func read(_ bytes: [UInt8]) -> [Finding] {
    var (findings, rest) = ([Finding](), bytes[...])
    while let first = rest.first {
      if isAfterReturn, first == UInt8(ascii: "\n") { rest.removeFirst() }
      isAfterReturn = false
      let part = rest.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
      isLineTooLarge = isLineTooLarge || line.count + part.count > limit
      line += part.prefix(limit - line.count)
      rest = rest[part.endIndex...]
      guard let end = rest.popFirst() else { break }
      isAfterReturn = end == UInt8(ascii: "\r")
      if let finding = endLine() { findings.append(finding) }
    }
    return findings
  }

  private mutating func endLine() -> Finding? {
    defer { (line, isLineTooLarge, isAtStart) = ([], false, false) }
    if isAtStart, line.starts(with: [0xEF, 0xBB, 0xBF]) { line.removeFirst(3) }
    if line.isEmpty { return endEvent() }
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
      // More digits than these are more than anybody waits.
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
