/// One JSON value, kept as its original bytes: checked once, never copied, and parsed only on access.
///
/// It shares the storage of the text it was read from, so it may keep a larger text alive. Each access (``member(_:)``,
/// ``elements``) reads its bytes again.
/// ```swift
/// let json = try RawJSON(#"{"to":"next","id":7}"#)
/// json.member("to")?.string  // "next"
/// json.member("id")?.int     // 7
/// ```
public struct RawJSON: Sendable {
  /// The text that contains the value.
  public let storage: [UInt8]
  @usableFromInline let startOffset: UInt32
  @usableFromInline let endOffset: UInt32

  /// Reads a whole text in UTF-8: one value and white space around it. The error contains the problem and its position.
  public init(validating bytes: [UInt8], maxDepth: Int = 512) throws(JSONError) {
    guard bytes.count < Int(UInt32.max) else { throw JSONError(.tooLong, at: Int(UInt32.max)) }
    let place = try JSONScanner.scan(bytes.span, maxDepth: maxDepth) { (scanner) throws(JSONError) in
      try scanner.skipText()
    }
    self.init(trusting: bytes, place)
  }

  /// Reads a whole text, like ``init(validating:maxDepth:)``. The error's offset counts bytes of UTF-8.
  public init(_ text: String) throws(JSONError) { try self.init(validating: Array(text.utf8)) }

  /// Makes a value from a range of a text below 4 GiB that was already checked. The range must contain exactly the
  /// value, without white space around it. Otherwise reading it is still safe, but the results are meaningless.
  @inlinable
  public init(trusting storage: [UInt8], _ range: Range<Int>) {
    precondition(range.lowerBound >= 0 && range.upperBound <= storage.count)
    self.storage = storage
    startOffset = UInt32(range.lowerBound)
    endOffset = UInt32(range.upperBound)
  }

  /// Makes a value from a whole text that was already checked, or that this module has written.
  @inlinable
  public init(trusting text: [UInt8]) { self.init(trusting: text, 0..<text.count) }

  /// Copies a value into separate bytes, so it no longer keeps the text it was read from alive.
  public init(copying value: RawJSON) { self.init(trusting: Array(value.bytes)) }

  /// The byte offset of the value's start in ``storage``.
  @inlinable public var start: Int { Int(startOffset) }
  /// The byte offset of the value's end in ``storage``.
  @inlinable public var end: Int { Int(endOffset) }
  /// The value's range in ``storage``.
  @inlinable public var range: Range<Int> { start..<end }
  /// The value's length in bytes.
  @inlinable public var count: Int { end - start }

  /// The value's bytes in UTF-8, shared with ``storage``.
  @inlinable public var bytes: ArraySlice<UInt8> { storage[range] }
  /// The value's JSON text.
  public var text: String { String(decoding: bytes, as: UTF8.self) }
  /// The line and column of the value's start in ``storage``.
  public var location: SourceLocation { SourceLocation(of: start, in: storage) }

  /// Calls a closure with the value's bytes.
  @inlinable
  public func withSpan<Result, Failure>(
    _ body: (Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(storage.span.extracting(range))
  }

  /// The kind of the value.
  public var kind: JSONKind { JSONKind(startingWith: bytes.first ?? 0) }

  /// The value `null`.
  public static let null = RawJSON(trusting: Array("null".utf8), 0..<4)
  /// The value `{}`.
  public static let emptyObject = RawJSON(trusting: Array("{}".utf8), 0..<2)
  /// The value `[]`.
  public static let emptyArray = RawJSON(trusting: Array("[]".utf8), 0..<2)
}

extension RawJSON: CustomStringConvertible {
  /// The value's JSON text.
  public var description: String { text }
}

extension RawJSON {
  /// The elements of an array, in their order; empty for any other value.
  public var elements: Elements { Elements(of: self) }

  /// The fields of an object, in their order and with duplicates; empty for any other value.
  public var members: Members { Members(of: self) }

  /// The fields of an object by name, found in one pass. Of duplicates the last counts.
  package var membersByName: [WireText: RawJSON] {
    var found: [WireText: RawJSON] = [:]
    for (name, value) in members { found[name] = value }
    return found
  }

  /// Whether the value is an empty array.
  package var isEmptyArray: Bool { kind == .array && !elements.contains { _ in true } }

  /// Finds a field of an object by its decoded name. Of duplicates the last counts. Nil if there is no such field, or
  /// this isn't an object.
  public func member(_ name: String) -> RawJSON? {
    guard kind == .object else { return nil }
    let place = name.withSpan { name in
      JSONScanner.scan(storage.span.extracting(..<end), from: start, maxDepth: .max) { scanner -> Range<Int>? in
        // The object was already checked.
        try? scanner.skipObject(depth: 0, finding: name)
      }
    }
    return place.map { RawJSON(trusting: storage, $0) }
  }

  /// The elements of an array.
  public struct Elements: Sequence, IteratorProtocol, Sendable {
    private var walk: Walk

    init(of array: RawJSON) { walk = Walk(array, kind: .array) }

    /// The next element.
    public mutating func next() -> RawJSON? { walk.next() }
  }

  /// The fields of an object.
  public struct Members: Sequence, IteratorProtocol, Sendable {
    /// A decoded name and the value of the field.
    public typealias Element = (key: WireText, value: RawJSON)

    private var walk: Walk

    init(of object: RawJSON) { walk = Walk(object, kind: .object) }

    /// The next field.
    public mutating func next() -> Element? {
      guard let name = walk.next(), let value = walk.next() else { return nil }
      return (name.wireText ?? "", value)
    }
  }

  /// Iterates over the values of an array or object. In an object, each name counts as a value, too.
  private struct Walk: Sendable {
    private let storage: [UInt8]
    private let end: Int
    private var position: Int

    init(_ container: RawJSON, kind: JSONKind) {
      storage = container.storage
      position = container.start + 1
      end = container.kind == kind ? container.end - 1 : 0
    }

    mutating func next() -> RawJSON? {
      guard position < end else { return nil }
      let (start, bytes) = (position, storage)
      let found = JSONScanner.scan(bytes.span.extracting(..<end), from: start, maxDepth: .max) {
        scanner -> (Range<Int>, next: Int)? in
        scanner.skipSpace()
        let start = scanner.position
        // The text was already checked, so only its end stops the scanner.
        guard (try? scanner.skipValue(depth: 0)) != nil else { return nil }
        let range = start..<scanner.position
        scanner.skipSpace()
        return (range, scanner.position + 1)
      }
      position = found?.next ?? end
      return found.map { RawJSON(trusting: storage, $0.0) }
    }
  }
}

extension JSONScanner {
  /// Skips an object that starts at the position, and finds one of its fields by a name in UTF-8. `depth` is the number
  /// of arrays and objects around the object. Returns the range of the field's value; nil if there is no such field. Of
  /// duplicates the last counts.
  package mutating func skipObject(depth: Int, finding name: Span<UInt8>) throws(JSONError) -> Range<Int>? {
    var found: Range<Int>?
    try skipObject(depth: depth) { scanner, member in
      if scanner.isName(member, name) { found = member.value }
    }
    return found
  }

  /// Whether a field has a name, however it is spelled.
  @inline(__always)
  func isName(_ member: Member, _ name: Span<UInt8>) -> Bool {
    guard member.nameIsPlain else { return sameBytes(self.name(of: member).span, name) }
    guard member.name.count == name.count else { return false }
    for index in 0..<name.count {
      guard byte(at: member.name.lowerBound + index) == name[index] else { return false }
    }
    return true
  }

  /// The decoded name of a field.
  @inline(never)
  func name(of member: Member) -> [UInt8] {
    let content = member.name.map { byte(at: $0) }
    guard !member.nameIsPlain else { return content }
    var decoded: [UInt8] = []
    decodeEscapes(in: content[...], loneSurrogate: { _, decoded in decoded += [0xEF, 0xBF, 0xBD] }, into: &decoded)
    return decoded
  }
}

extension RawJSON {
  /// Whether the value is `null`.
  public var isNull: Bool { kind == .null }

  /// The value of `true` or `false`; nil for other kinds.
  public var bool: Bool? { kind == .bool ? storage[start] == UInt8(ascii: "t") : nil }

  /// The decoded text of a string; nil for other kinds. An escaped surrogate without its partner, which RFC 8259
  /// (section 8.2) allows and Unicode doesn't, becomes U+FFFD.
  public var string: String? {
    guard kind == .string, count >= 2 else { return nil }
    let content = storage[start + 1..<end - 1]
    guard content.contains(UInt8(ascii: "\\")) else { return String(decoding: content, as: UTF8.self) }
    var decoded: [UInt8] = []
    decoded.reserveCapacity(content.count)
    decodeEscapes(in: content, loneSurrogate: { _, decoded in decoded += [0xEF, 0xBF, 0xBD] }, into: &decoded)
    return String(decoding: decoded, as: UTF8.self)
  }

  /// The value of a number that is an integer and fits, such as `3`, but also `3.0` and `3e0`; otherwise nil.
  public var int: Int? { integer() }

  /// The range of counts: from 0 to the greatest integer up to which all readers of JSON handle numbers exactly.
  package static let quantities = 0...9_007_199_254_740_991

  /// The value of a number that can be a count; otherwise nil.
  package var quantity: Int? { int.flatMap { RawJSON.quantities ~= $0 ? $0 : nil } }

  /// The value of a number that is an integer and fits into a type; otherwise nil.
  func integer<Integer: FixedWidthInteger>() -> Integer? {
    guard kind == .number else { return nil }
    if let value = plainInt { return Integer(exactly: value) }
    return DecimalNumber(bytes).flatMap { $0.integer() }
  }

  /// The value of a number, rounded to the nearest `Double`; nil if it is beyond the range of `Double`.
  public var double: Double? {
    guard kind == .number else { return nil }
    if let value = plainInt, value.magnitude <= 1 << 53, value != 0 { return Double(value) }
    guard let value = Double(text), value.isFinite else { return nil }
    return value
  }

  private var plainInt: Int? { plainInteger(bytes) }
}

/// The value of a number without point and exponent and with at most 18 digits; otherwise nil.
func plainInteger(_ text: ArraySlice<UInt8>) -> Int? {
  let isNegative = text.first == UInt8(ascii: "-")
  let digits = isNegative ? text.dropFirst() : text
  guard digits.count <= 18 else { return nil }
  var value = 0
  for byte in digits {
    guard isDigit(byte) else { return nil }
    value = value &* 10 &+ Int(byte &- UInt8(ascii: "0"))
  }
  return isNegative ? -value : value
}

/// Appends the content of a string, without its quotes and with its escapes decoded to UTF-8. The closure appends a
/// replacement for an escaped surrogate without its partner.
func decodeEscapes(
  in content: ArraySlice<UInt8>, loneSurrogate: (UInt32, inout [UInt8]) -> Void, into decoded: inout [UInt8]
) {
  var rest = content
  while let backslash = rest.firstIndex(of: UInt8(ascii: "\\")), backslash + 1 < rest.endIndex {
    decoded += rest[..<backslash]
    let escape = rest[backslash + 1]
    rest = rest[(backslash + 2)...]
    switch escape {
    case UInt8(ascii: "b"): decoded.append(0x08)
    case UInt8(ascii: "f"): decoded.append(0x0C)
    case UInt8(ascii: "n"): decoded.append(0x0A)
    case UInt8(ascii: "r"): decoded.append(0x0D)
    case UInt8(ascii: "t"): decoded.append(0x09)
    case UInt8(ascii: "u"):
      guard var scalar = codeUnit(at: &rest) else { continue }
      if (0xD800..<0xDC00).contains(scalar), rest.starts(with: [UInt8(ascii: "\\"), UInt8(ascii: "u")]) {
        var afterwards = rest.dropFirst(2)
        if let low = codeUnit(at: &afterwards), (0xDC00..<0xE000).contains(low) {
          scalar = 0x10000 + (scalar - 0xD800) << 10 + (low - 0xDC00)
          rest = afterwards
        }
      }
      if let scalar = Unicode.Scalar(scalar) {
        decoded += String(scalar).utf8
      } else {
        loneSurrogate(scalar, &decoded)
      }
    default: decoded.append(escape)
    }
  }
  decoded += rest
}

/// Removes four hexadecimal digits from the start of a text, and returns their value.
private func codeUnit(at rest: inout ArraySlice<UInt8>) -> UInt32? {
  guard rest.count >= 4 else { return nil }
  var value: UInt32 = 0
  for byte in rest.prefix(4) {
    guard let digit = hexDigit(byte) else { return nil }
    value = value << 4 | digit
  }
  rest = rest.dropFirst(4)
  return value
}

extension RawJSON {
  /// Whether another value has the same meaning. The order of fields doesn't matter, and of duplicates the last counts.
  /// Numbers are compared by value, strings by their decoded text.
  public func isEquivalent(to other: RawJSON) -> Bool {
    guard kind == other.kind else { return false }
    switch kind {
    case .null: return true
    case .bool: return bool == other.bool
    case .string, .number: return withSpan { mine in other.withSpan { CanonicalScalar.equal(mine, $0) } }
    case .array:
      let (mine, others) = (Array(elements), Array(other.elements))
      return mine.count == others.count && zip(mine, others).allSatisfy { $0.isEquivalent(to: $1) }
    case .object:
      let (mine, others) = (membersByName, other.membersByName)
      return mine.count == others.count
        && mine.allSatisfy { name, value in others[name].map(value.isEquivalent(to:)) ?? false }
    }
  }
}

extension RawJSON {
  /// Unavailable: compares a JSON value with a text, which is mostly a mistake for comparing its string.
  @available(*, unavailable, message: "compare the value: json.string == text")
  public static func == (left: RawJSON, right: String) -> Bool { false }
}

extension RawJSON? {
  /// Unavailable: compares a JSON value with a text, which is mostly a mistake for comparing its string.
  @available(*, unavailable, message: "compare the value: json?.string == text")
  public static func == (left: RawJSON?, right: String) -> Bool { false }
}

extension RawJSON: Equatable {
  /// Whether two values have the same bytes. ``isEquivalent(to:)`` compares their meaning.
  public static func == (left: RawJSON, right: RawJSON) -> Bool { left.bytes == right.bytes }
}

extension RawJSON {
  /// The value's JSON text for people: one line for each field and element, indented by two spaces a level. Strings and
  /// numbers keep their spelling.
  public var indented: String {
    var text = ""
    write(into: &text, indent: "\n")
    return text
  }

  private func write(into text: inout String, indent: String) {
    switch kind {
    case .object:
      let parts = members.map { name, value in (name.string.json.text + ": ", value) }
      RawJSON.write(parts, between: ("{", "}"), into: &text, indent: indent)
    case .array: RawJSON.write(elements.map { ("", $0) }, between: ("[", "]"), into: &text, indent: indent)
    case .string, .number, .bool, .null: text += self.text
    }
  }

  private static func write(
    _ parts: [(prefix: String, value: RawJSON)], between brackets: (String, String), into text: inout String,
    indent: String
  ) {
    text += brackets.0
    for (index, part) in parts.enumerated() {
      text += (index == 0 ? "" : ",") + indent + "  " + part.prefix
      part.value.write(into: &text, indent: indent + "  ")
    }
    text += (parts.isEmpty ? "" : indent) + brackets.1
  }
}

extension JSONEncodable {
  /// The value as JSON.
  public var json: RawJSON {
    var writer = JSONWriter()
    write(to: &writer)
    return RawJSON(trusting: writer.bytes)
  }
}
