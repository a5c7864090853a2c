internal import WireJSON

/// How messages are told apart on a stream of bytes.
package enum Framing: Sendable {
  /// One message a line, ended by a line feed.
  case lines
  /// LSP's base protocol: `Content-Length: N`, an empty line, and N bytes.
  case headers
}

extension Framing {
  /// Appends a message as it goes over the wire.
  @inline(__always)
  package func frame(_ message: [UInt8], into output: inout [UInt8]) {
    switch self {
    case .lines:
      let start = output.count
      output.append(contentsOf: message)
      output.replaceLineEnds(from: start)
      output.append(0x0A)
    case .headers:
      output.append(contentLength: message.count)
      output.append(contentsOf: message)
    }
  }
}

// Computed, so that the compiler sees how long they are wherever they are copied.
private var emptyResultStart: StaticString { #"{"jsonrpc":"2.0","id":"# }
private var emptyResultEnd: StaticString { #","result":{}}"# }

extension [UInt8] {
  /// Appends the answer `{}` as it goes over the wire, in one go.
  @inline(__always)
  mutating func append(emptyResultWithID id: Span<UInt8>, framing: Framing) {
    let count = emptyResultStart.utf8CodeUnitCount + id.count + emptyResultEnd.utf8CodeUnitCount
    if framing == .headers { append(contentLength: count) }
    append(addingCapacity: count + 1) { output in
      output.append(emptyResultStart)
      output.append(copying: id)
      output.append(emptyResultEnd)
      if framing == .lines { output.append(0x0A) }
    }
  }

  /// Appends the header of LSP's base protocol for a message of so many bytes.
  mutating func append(contentLength count: Int) {
    append("Content-Length: ")
    append(decimal: count)
    append("\r\n\r\n")
  }

  /// Appends fixed text.
  @inline(__always)
  mutating func append(_ text: StaticString) {
    // The text's own bytes are copied within the call.
    text.withUTF8Buffer { unsafe append(contentsOf: $0) }
  }

  private mutating func append(decimal value: Int) {
    if value >= 10 { append(decimal: value / 10) }
    append(UInt8(ascii: "0") + UInt8(value % 10))
  }
}
