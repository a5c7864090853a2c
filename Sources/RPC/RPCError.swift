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

  /// The numbers that this protocol gives a meaning: JSON-RPC's own, LSP's for a cancelled request, and ours.
  public enum Code: Int, Sendable, CaseIterable {
    /// Not JSON, not UTF-8, too deep, or a broken header.
    case parseError = -32700
    /// JSON, but not a request; or a request after `shutdown`.
    case invalidRequest = -32600
    /// No such method, or the view has no such input.
    case methodNotFound = -32601
    /// A parameter is missing or of the wrong type, or names an item that isn't there.
    case invalidParams = -32602
    /// A fault of the server.
    case internalError = -32603
    /// The request was cancelled.
    case requestCancelled = -32800
    /// No view of that name is open.
    case noSuchView = -32001
    /// No screen has that name.
    case noSuchScreen = -32002
    /// A view of that name is open already.
    case viewTaken = -32003
    /// A limit was passed.
    case limitPassed = -32005

    /// One sentence on what it means.
    public var summary: String {
      switch self {
      case .parseError: "Not JSON, not UTF-8, too deep, or a broken header."
      case .invalidRequest: "JSON, but not a request; or a request after shutdown."
      case .methodNotFound: "No such method, or the view has no such input."
      case .invalidParams: "A parameter is missing or of the wrong type, or names an item that isn't there."
      case .internalError: "A fault of the server."
      case .requestCancelled: "The request was cancelled."
      case .noSuchView: "No view of that name is open."
      case .noSuchScreen: "No screen has that name."
      case .viewTaken: "A view of that name is open already."
      case .limitPassed: "A limit was passed."
      }
    }
  }
}

extension RPCError: JSONEncodable {
  /// Writes the error object.
  public func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("code")
    writer.int(code)
    writer.key("message")
    writer.string(message)
    if let data {
      writer.key("data")
      data.write(to: &writer)
    }
    writer.endObject()
  }
}
