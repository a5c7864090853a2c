public import WireJSON

/// An error as JSON-RPC 2.0 answers it (section 5.1): a number, a sentence, and what a program needs to act on it.
public struct RPCError: Error, Sendable {
  /// Which kind of error: one of ``Code``, or a number that the other side made up.
  public let code: Int
  /// One sentence for a person: what is wrong and where, and how to mend it.
  public let message: String
  /// What a program needs to act on it; its form goes with the code.
  public let data: (any JSONEncodable & Sendable)?

  /// An error of a known kind.
  public init(_ code: Code, _ message: String, data: (any JSONEncodable & Sendable)? = nil) {
    self.init(code: code.rawValue, message: message, data: data)
  }

  /// An error with any number.
  public init(code: Int, message: String, data: (any JSONEncodable & Sendable)? = nil) {
    self.code = code
    self.message = message
    self.data = data
  }

  /// A kind of error: JSON-RPC's own, LSP's for a cancelled request, and whatever an application adds in extensions.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The number on the wire.
    public let rawValue: Int

    /// Names a number.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Not JSON, not UTF-8, too deep, or a broken header.
    public static let parseError = Code(rawValue: -32700)
    /// JSON, but not a request.
    public static let invalidRequest = Code(rawValue: -32600)
    /// No such method.
    public static let methodNotFound = Code(rawValue: -32601)
    /// A parameter is missing or of the wrong type.
    public static let invalidParams = Code(rawValue: -32602)
    /// A fault of the server.
    public static let internalError = Code(rawValue: -32603)
    /// The request was cancelled.
    public static let requestCancelled = Code(rawValue: -32800)
    /// A limit was passed.
    public static let limitPassed = Code(rawValue: -32005)
  }
}

extension RPCError: JSONEncodable {
  /// Writes the error object.
  public func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("code", code)
    writer.member("message", message)
    if let data {
      writer.key("data")
      data.write(to: &writer)
    }
    writer.endObject()
  }
}
