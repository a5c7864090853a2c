/// How messages are told apart on a stream of bytes.
public enum Framing: Sendable {
  /// One message a line, ended by a line feed.
  case lines
  /// LSP's base protocol: `Content-Length: N`, an empty line, and N bytes.
  case headers
}
