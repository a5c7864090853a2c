/// Writes JSON text into a buffer of its own and sets the commas itself.
/// ```swift
/// var writer = JSONWriter()
/// writer.beginObject()
/// writer.key("view")
/// writer.string("v1")
/// writer.endObject()
/// writer.bytes  // {"view":"v1"}
/// ```
/// It trusts its caller to open and close in turn and to give each member a key.
public struct JSONWriter: Sendable {
  /// What was written, in UTF-8.
  public private(set) var bytes: [UInt8]
  private var needsComma = false

  /// Makes a writer with nothing written, and room for so many bytes.
  public init(reserving capacity: Int = 0) {
    bytes = []
    bytes.reserveCapacity(capacity)
  }

  /// What was written, as text.
  public var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Makes room for so many more bytes.
  public mutating func reserve(_ count: Int) { bytes.reserveCapacity(bytes.count + count) }

  /// Forgets what was written, and keeps the memory for what comes, unless it isn't to.
  public mutating func removeAll(keepingCapacity: Bool = true) {
    bytes.removeAll(keepingCapacity: keepingCapacity)
    needsComma = false
  }

  /// Opens an object.
  public mutating func beginObject() { open(UInt8(ascii: "{")) }
  /// Closes an object.
  public mutating func endObject() { close(UInt8(ascii: "}")) }
  /// Opens an array.
  public mutating func beginArray() { open(UInt8(ascii: "[")) }
  /// Closes an array.
  public mutating func endArray() { close(UInt8(ascii: "]")) }

  /// Writes a member's name, of ASCII that needs no escapes; its value is what is written next.
  public mutating func key(_ name: StaticString) {
    put(name.utf8CodeUnitCount + 3) { output in
      output.append(UInt8(ascii: "\""))
      output.append(name)
      output.append(UInt8(ascii: "\""))
      output.append(UInt8(ascii: ":"))
    }
    needsComma = false
  }

  /// Writes a member's name, whatever it is; its value is what is written next.
  @_disfavoredOverload
  public mutating func key(_ name: String) {
    string(name)
    close(UInt8(ascii: ":"))
    needsComma = false
  }

  /// Writes a member whole. Its name is of ASCII that needs no escapes.
  @inlinable
  public mutating func member(_ name: StaticString, _ value: some JSONEncodable) {
    key(name)
    value.write(to: &self)
  }

  /// Writes a string, escaped as far as JSON needs.
  public mutating func string(_ value: String) { value.withSpan { quote($0) } }

  /// Writes an integer.
  public mutating func int(_ value: Int) {
    var digits = Digits(repeating: UInt8(ascii: "-"))
    var start = 20
    var rest = value.magnitude
    repeat {
      start -= 1
      digits[start] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
    } while rest > 0
    if value < 0 { start -= 1 }
    put(20) { output in
      for index in start..<20 { output.append(digits[index]) }
    }
  }

  /// Writes a number in the fewest digits that read back as the same. JSON has no infinity and no NaN; null is written
  /// for them.
  public mutating func double(_ value: Double) {
    guard value.isFinite else { return null() }
    value.description.withSpan { raw($0) }
  }

  /// Writes `true` or `false`.
  public mutating func bool(_ value: Bool) { literal(value ? "true" : "false") }

  /// Writes `null`.
  public mutating func null() { literal("null") }

  /// Writes a value of any `Encodable` type: see ``RawJSON/init(encoding:)``. If that throws, nothing was written.
  public mutating func encode(_ value: some Encodable) throws(EncodingFailure) {
    if let value = value as? any JSONEncodable {
      value.write(to: &self)
    } else {
      let bytes = try ValueEncoder.bytes(of: value)
      raw(bytes.span)
    }
  }

  /// Writes a fixed text that is JSON already: one value, or several members with their commas.
  public mutating func literal(_ json: StaticString) { put(json.utf8CodeUnitCount) { $0.append(json) } }

  /// Leaves room for a value that is written elsewhere, and says where it belongs.
  mutating func leaveRoom() -> Int {
    put(0) { _ in }
    return bytes.count
  }

  @inline(__always)
  private mutating func open(_ bracket: UInt8) {
    put(1) { $0.append(bracket) }
    needsComma = false
  }

  @inline(__always)
  private mutating func close(_ bracket: UInt8) {
    bytes.append(bracket)
    needsComma = true
  }

  /// Writes one value of so many bytes at most, after a comma if a value stands before it.
  @inline(__always)
  mutating func put(_ capacity: Int, _ write: (inout OutputSpan<UInt8>) -> Void) {
    bytes.append(addingCapacity: capacity + 1) { output in
      if needsComma { output.append(UInt8(ascii: ",")) }
      write(&output)
    }
    needsComma = true
  }
}

extension JSONWriter {
  /// Writes a value as the bytes it came in, line feeds between its tokens included.
  public mutating func raw(_ value: RawJSON) { value.withSpan { raw($0) } }

  /// Writes valid JSON text as it is; several values with commas between them count as one.
  public mutating func raw(_ text: Span<UInt8>) { put(text.count) { $0.append(copying: text) } }

  /// Writes text in quotes, escaping what must be: quotes, backslashes and control characters.
  mutating func quote(_ text: Span<UInt8>) {
    let plainEnd = firstToEscape(in: text, from: 0)
    // No escape takes more than six bytes.
    put(text.count + 2 + 5 * countToEscape(in: text, from: plainEnd)) { output in
      output.append(UInt8(ascii: "\""))
      var (start, end) = (0, plainEnd)
      while end < text.count {
        output.append(copying: text.extracting(start..<end))
        output.appendEscape(of: text[end])
        start = end + 1
        end = firstToEscape(in: text, from: start)
      }
      output.append(copying: text.extracting(start...))
      output.append(UInt8(ascii: "\""))
    }
  }
}

/// The offset of the first byte, from an offset on, that must be escaped, or the end's.
private func firstToEscape(in text: Span<UInt8>, from start: Int) -> Int {
  // The marks of bytes beyond ASCII are dropped: UTF-8 goes through as it is.
  text.firstOffset(from: start) { word in stops(in: word) & ~word }
}

/// How many bytes must be escaped, from an offset on.
private func countToEscape(in text: Span<UInt8>, from start: Int) -> Int {
  var count = 0
  var index = start
  while index < text.count {
    count += 1
    index = firstToEscape(in: text, from: index + 1)
  }
  return count
}

extension OutputSpan<UInt8> {
  /// Appends the escape of a byte.
  fileprivate mutating func appendEscape(of byte: UInt8) {
    append(UInt8(ascii: "\\"))
    switch byte {
    case 0x08: append(UInt8(ascii: "b"))
    case 0x0C: append(UInt8(ascii: "f"))
    case 0x0A: append(UInt8(ascii: "n"))
    case 0x0D: append(UInt8(ascii: "r"))
    case 0x09: append(UInt8(ascii: "t"))
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): append(byte)
    default:
      append("u00" as StaticString)
      for nibble in [byte >> 4, byte & 0xF] {
        append(nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "a") - 10 + nibble)
      }
    }
  }
}
