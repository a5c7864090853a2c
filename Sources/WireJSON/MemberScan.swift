/// The names of up to eight members to be found in one pass by a ``MemberScan``.
public struct MemberNames: Sendable {
  /// Each name, its first byte lowest, filled up with zeros. No name in JSON has a zero byte as it is, so equal words are
  /// equal names.
  let words: EightWords
  let count: Int

  /// Prepares at most eight names, each of one to eight bytes of ASCII that need no escapes; put the most frequent
  /// first.
  public init(_ names: StaticString...) {
    precondition(names.count <= 8, "at most eight names")
    var words = EightWords(repeating: .max)
    for (index, name) in names.enumerated() {
      precondition((1...8).contains(name.utf8CodeUnitCount), "a name has one to eight bytes")
      words[index] = 0
      for (place, byte) in name.description.utf8.enumerated() { words[index] |= UInt64(byte) << (8 * place) }
    }
    self.words = words
    count = names.count
  }
}

/// One JSON text, checked in full, and the places of some of its top-level members, found in the same pass and without an
/// allocation: what a message's envelope needs.
/// ```swift
/// static let names = MemberNames("jsonrpc", "id", "method", "params")
/// let scan = try MemberScan(message.span, names)
/// let id = scan[1]   // where the id's value lies, or nil
/// ```
public struct MemberScan: Sendable {
  /// By a name's index, where its value starts and, in the upper half, ends.
  private var places = EightWords(repeating: 0)
  /// Where the value lies in the bytes, without white space around it.
  public private(set) var range: Range<Int>
  /// What the value is. Only an object has members.
  public private(set) var kind: JSONKind
  /// Whether there are members with other names.
  public private(set) var hasOthers = false

  /// Checks a text, one value and white space around it, and finds members in it; of duplicates the last wins.
  public init(_ bytes: Span<UInt8>, _ names: MemberNames, maxDepth: Int = 512) throws(JSONError) {
    guard bytes.count < Int(UInt32.max) else { throw JSONError(.tooLong, at: Int(UInt32.max)) }
    range = 0..<0
    kind = .null
    try JSONScanner.scan(bytes, maxDepth: maxDepth) { (scanner) throws(JSONError) in try scan(&scanner, names) }
  }

  /// Where the value of the name at an index of the ``MemberNames`` lies; nil if there is no such member.
  public subscript(index: Int) -> Range<Int>? {
    let place = places[index]
    return place == 0 ? nil : Int(place & 0xFFFF_FFFF)..<Int(place >> 32)
  }

  private mutating func scan(_ scanner: inout JSONScanner, _ names: MemberNames) throws(JSONError) {
    scanner.skipSpace()
    let start = scanner.position
    kind = JSONKind(startingWith: scanner.next)
    if kind == .object {
      try scanner.skipObject(depth: 0) { scanner, member in record(member, names, scanner) }
    } else {
      try scanner.skipValue(depth: 0)
    }
    range = start..<scanner.position
    scanner.skipSpace()
    guard scanner.position == scanner.end else { throw JSONError(.trailingText, at: scanner.position) }
  }

  @inline(__always)
  private mutating func record(_ member: JSONScanner.Member, _ names: MemberNames, _ scanner: borrowing JSONScanner) {
    guard let word = scanner.nameWord(member) else {
      hasOthers = true
      return
    }
    for index in 0..<names.count where names.words[index] == word {
      places[index] = UInt64(member.value.lowerBound) | UInt64(member.value.upperBound) << 32
      return
    }
    hasOthers = true
  }
}

extension JSONScanner {
  /// A member's name, its first byte lowest, filled up with zeros; nil for one that doesn't fit into a word.
  @inline(__always)
  func nameWord(_ member: Member) -> UInt64? {
    let (start, count) = (member.name.lowerBound, member.name.count)
    if member.nameIsPlain {
      guard (1...8).contains(count) else { return nil }
      let spare = 64 - 8 * UInt64(count)
      if start + 8 <= end { return (word(at: start) << spare) >> spare }
    }
    return slowNameWord(member)
  }

  @inline(never)
  private func slowNameWord(_ member: Member) -> UInt64? {
    let decoded = name(of: member)
    guard (1...8).contains(decoded.count), !decoded.contains(0) else { return nil }
    return decoded.reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }
}
