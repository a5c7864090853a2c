/// The names of up to eight fields that a ``MemberScan`` finds in one pass.
public struct MemberNames: Sendable {
  /// Each name as a word: its first byte is lowest, zeros fill the rest. A name in JSON has no unescaped zero byte, so
  /// equal words are equal names.
  let words: EightWords
  let count: Int

  /// Prepares up to eight names, each of one to eight ASCII bytes that need no escapes. Frequent names should come
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

  /// Prepares names that are known only at run time. Nil if there are more than eight, or if one of them hasn't one to
  /// eight bytes.
  package init?(fitting names: [String]) {
    guard names.count <= 8 else { return nil }
    var words = EightWords(repeating: .max)
    for (index, name) in names.enumerated() {
      guard (1...8).contains(name.utf8.count) else { return nil }
      words[index] = name.utf8.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
    self.words = words
    count = names.count
  }
}

/// A completely checked JSON text, and the positions of some of its top-level fields. Both come from a single pass
/// without an allocation. A message's envelope needs no more.
/// ```swift
/// static let names = MemberNames("jsonrpc", "id", "method", "params")
/// let scan = try MemberScan(message.span, names)
/// let id = scan[1]   // the range of the id's value, or nil
/// ```
public struct MemberScan: Sendable {
  /// For the name at each index, the start of its value in the lower half and the end in the upper half.
  private var places = EightWords(repeating: 0)
  /// The range of the value in the bytes, without white space around it.
  public private(set) var range: Range<Int>
  /// The kind of the value. Only an object has fields.
  public private(set) var kind: JSONKind
  /// Whether there are fields with other names.
  public private(set) var hasOthers = false

  /// Checks a text, which is one value and white space around it, and finds fields in it. Of duplicates the last
  /// counts.
  public init(_ bytes: Span<UInt8>, _ names: MemberNames, maxDepth: Int = 512) throws(JSONError) {
    guard bytes.count < Int(UInt32.max) else { throw JSONError(.tooLong, at: Int(UInt32.max)) }
    range = 0..<0
    kind = .null
    try JSONScanner.scan(bytes, maxDepth: maxDepth) { (scanner) throws(JSONError) in try scan(&scanner, names) }
  }

  /// The range of the value of the field whose name has this index in the ``MemberNames``; nil if there is no such
  /// field.
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
  /// The name of a field as a word: its first byte is lowest, zeros fill the rest; nil if it doesn't fit into a word.
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
