/// How messages are separated in a stream of bytes.
package enum Framing: Sendable {
  /// One message per line, ended by a line feed.
  case lines
  /// LSP's base protocol: `Content-Length: N`, an empty line, and N bytes.
  case headers
}

extension Framing {
  /// Appends a message in its form on the wire.
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
