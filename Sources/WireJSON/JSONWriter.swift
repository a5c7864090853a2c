/// Writes JSON text into its own buffer, and adds the commas.
/// ```swift
/// var writer = JSONWriter()
/// writer.beginObject()
/// writer.key("view")
/// writer.string("v1")
/// writer.endObject()
/// writer.bytes  // {"view":"v1"}
/// ```
/// The caller must close what it opens, in the right order, and write a key before each field's value.
public struct JSONWriter: Sendable {
  /// The text written so far, in UTF-8.
  public private(set) var bytes: [UInt8]
  private var needsComma = false

  /// Makes an empty writer with room for `capacity` bytes.
  public init(reserving capacity: Int = 0) {
    bytes = []
    bytes.reserveCapacity(capacity)
  }

  /// The text written so far.
  public var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Makes room for `count` more bytes.
  public mutating func reserve(_ count: Int) { bytes.reserveCapacity(bytes.count + count) }

  /// Removes the text written so far, and keeps the memory unless `keepingCapacity` is false.
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

  /// Writes the name of a field. The name must be ASCII that needs no escapes. The next value written is the field's
  /// value.
  public mutating func key(_ name: StaticString) {
    put(name.utf8CodeUnitCount + 3) { output in
      output.append(UInt8(ascii: "\""))
      output.append(name)
      output.append(UInt8(ascii: "\""))
      output.append(UInt8(ascii: ":"))
    }
    needsComma = false
  }

  /// Writes the name of a field, with any characters. The next value written is the field's value.
  @_disfavoredOverload
  public mutating func key(_ name: String) {
    string(name)
    close(UInt8(ascii: ":"))
    needsComma = false
  }

  /// Writes a field with its value. The name must be ASCII that needs no escapes.
  @inlinable
  public mutating func member(_ name: StaticString, _ value: some JSONEncodable) {
    key(name)
    value.write(to: &self)
  }

  /// Writes a string, with the necessary escapes only.
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

  /// Writes a number with the fewest digits that read back as the same value. Infinity and NaN, which JSON doesn't
  /// have, are written as null.
  public mutating func double(_ value: Double) {
    guard value.isFinite else { return null() }
    value.description.withSpan { raw($0) }
  }

  /// Writes `true` or `false`.
  public mutating func bool(_ value: Bool) { literal(value ? "true" : "false") }

  /// Writes `null`.
  public mutating func null() { literal("null") }

  /// Writes a value of any `Encodable` type: see ``RawJSON/init(encoding:)``. If this throws, nothing is written.
  public mutating func encode(_ value: some Encodable) throws(EncodingFailure) {
    if let value = value as? any JSONEncodable {
      value.write(to: &self)
    } else {
      let bytes = try ValueEncoder.bytes(of: value)
      raw(bytes.span)
    }
  }

  /// Writes a fixed text that is valid JSON: one value, or several fields with commas between them.
  public mutating func literal(_ json: StaticString) { put(json.utf8CodeUnitCount) { $0.append(json) } }

  /// Reserves the position of a value that is written elsewhere. Returns its offset.
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

  /// Writes one value of at most `capacity` bytes, after a comma if a value precedes it.
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
  /// Writes a value byte for byte, including line feeds between its tokens.
  public mutating func raw(_ value: RawJSON) { value.withSpan { raw($0) } }

  /// Writes valid JSON text unchanged. Several values with commas between them count as one.
  public mutating func raw(_ text: Span<UInt8>) { put(text.count) { $0.append(copying: text) } }

  /// Writes text in quotes, and escapes quotes, backslashes and control characters.
  mutating func quote(_ text: Span<UInt8>) {
    let plainEnd = firstToEscape(in: text, from: 0)
    // An escape has at most six bytes.
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

/// The offset of the first byte from `start` on that must be escaped; the end's offset if there is none.
private func firstToEscape(in text: Span<UInt8>, from start: Int) -> Int {
  // The marks of non-ASCII bytes are removed, because UTF-8 needs no escapes.
  text.firstOffset(from: start) { word in stops(in: word) & ~word }
}

/// The number of bytes from `start` on that must be escaped.
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
