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

  /// Whether the same request may succeed later, which `data.retryable` says.
  package var isRetryable: Bool { (data as? RawJSON)?.member("retryable")?.bool ?? false }

  /// A kind of error: JSON-RPC's own, LSP's for a cancelled request, and whatever an application adds in extensions.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The number on the wire.
    public let rawValue: Int

    /// Names a number.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Not JSON, not UTF-8, too deep, or a broken header. The data's `offset` is in bytes from the message's start.
    public static let parseError = Code(rawValue: -32700)
    /// JSON, but not a request.
    public static let invalidRequest = Code(rawValue: -32600)
    /// No such method.
    public static let methodNotFound = Code(rawValue: -32601)
    /// A parameter is missing or of the wrong type.
    public static let invalidParams = Code(rawValue: -32602)
    /// An error of the server.
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
    if let data { writer.member("data", data) }
    writer.endObject()
  }
}

extension RPCError {
  /// The error with the number of the message that it answers as the last member of its data. Data that aren't an object
  /// stay as they are.
  func naming(message number: Int) -> RPCError {
    let members = data?.json ?? ["message": number].json
    guard members.kind == .object else { return self }
    var writer = JSONWriter()
    writer.beginObject()
    for (name, value) in members.members where name != "message" {
      writer.key(name.string)
      writer.raw(value)
    }
    writer.member("message", number)
    writer.endObject()
    return RPCError(code: code, message: message, data: RawJSON(trusting: writer.bytes, 0..<writer.bytes.count))
  }
}

/// What is wrong with a parameter: the `data` of ``RPCError/Code/invalidParams``.
public struct ParameterErrorData: Record, Equatable, Sendable {
  /// The parameter's name.
  public let param: String
  /// What it should have been.
  public let expected: String

  /// Names a parameter and what it should have been.
  public init(param: String, expected: String) {
    self.param = param
    self.expected = expected
  }

  /// Its members.
  public static let fields = Fields(ParameterErrorData.init, Field("param", \.param), Field("expected", \.expected))
}

/// Which limit was passed: the `data` of ``RPCError/Code/limitPassed``.
package struct LimitErrorData: Record, Sendable {
  /// The limit's name.
  package let limit: String
  /// The most that is allowed, in bytes or pieces.
  package let max: Int

  /// Names a limit and its value.
  package init(limit: String, max: Int) {
    self.limit = limit
    self.max = max
  }

  /// Its members.
  package static let fields = Fields(LimitErrorData.init, Field("limit", \.limit), Field("max", \.max))
}
