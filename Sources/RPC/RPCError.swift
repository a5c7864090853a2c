public import WireJSON

/// An error as JSON-RPC 2.0 sends it (section 5.1): a number, a sentence, and data for programs.
public struct RPCError: Error, Sendable {
  /// The kind of error: one of ``Code``, or another number that the other side has sent.
  public let code: Int
  /// One sentence for a person: what is wrong, where, and what to do.
  public let message: String
  /// Data for programs that handle the error. Its form depends on the code.
  public let data: (any JSONEncodable & Sendable)?

  /// Makes an error of a known kind.
  public init(_ code: Code, _ message: String, data: (any JSONEncodable & Sendable)? = nil) {
    self.init(code: code.rawValue, message: message, data: data)
  }

  /// Makes an error with any number.
  public init(code: Int, message: String, data: (any JSONEncodable & Sendable)? = nil) {
    self.code = code
    self.message = message
    self.data = data
  }

  /// Whether the same request may succeed later, by `data.retryable`.
  package var isRetryable: Bool { (data as? RawJSON)?.member("retryable")?.bool ?? false }

  /// A kind of error: JSON-RPC's own, LSP's for a cancelled request, and those that applications add in extensions.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The number on the wire.
    public let rawValue: Int

    /// Makes a kind of a number.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The text isn't JSON or UTF-8, is nested too deep, or has a broken header. The data's `offset` is in bytes from
    /// the message's start.
    public static let parseError = Code(rawValue: -32700)
    /// The text is JSON, but not a valid request.
    public static let invalidRequest = Code(rawValue: -32600)
    /// The method doesn't exist.
    public static let methodNotFound = Code(rawValue: -32601)
    /// A parameter is missing or of the wrong type.
    public static let invalidParams = Code(rawValue: -32602)
    /// The server has failed.
    public static let internalError = Code(rawValue: -32603)
    /// The request was cancelled.
    public static let requestCancelled = Code(rawValue: -32800)
    /// A limit was exceeded.
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
  /// Returns the error with the number of the faulty message as the last field of its data. Data that isn't an object
  /// stays unchanged.
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

/// The error in a parameter: the `data` of ``RPCError/Code/invalidParams``.
public struct ParameterErrorData: Record, Equatable, Sendable {
  /// The parameter's name.
  public let param: String
  /// The expected value, in words that follow "must be".
  public let expected: String

  /// Makes the data for a parameter.
  public init(param: String, expected: String) {
    self.param = param
    self.expected = expected
  }

  /// The fields on the wire.
  public static let fields = Fields(ParameterErrorData.init, Field("param", \.param), Field("expected", \.expected))
}

/// The limit that was exceeded: the `data` of ``RPCError/Code/limitPassed``.
package struct LimitErrorData: Record, Sendable {
  /// The limit's name.
  package let limit: String
  /// The maximum, in bytes or as a count.
  package let max: Int

  /// Makes the data for a limit.
  package init(limit: String, max: Int) {
    self.limit = limit
    self.max = max
  }

  /// The fields on the wire.
  package static let fields = Fields(LimitErrorData.init, Field("limit", \.limit), Field("max", \.max))
}
