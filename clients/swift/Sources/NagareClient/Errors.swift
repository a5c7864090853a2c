internal import Reactor
public import Nagare

/// An error with a code: the server's answer to a request, or a handler's answer to the server.
///
/// A handler of a source or a task throws it to show a failure on the screen. The server first repeats a load whose
/// failure is retryable.
public struct ResponseError: Error, Sendable {
  /// The code: one of `RPCError.Code`, or an app's own number.
  public let code: Int
  /// A sentence for people.
  public let message: String
  /// Details that depend on the code, or nil. Section 2.2 of the specification lists them.
  public let data: RawJSON?

  /// The kind of the error, if the protocol defines the code.
  public var kind: RPCError.Code { RPCError.Code(rawValue: code) }
  /// For `invalidParams`: the parameter's name.
  public var parameter: String? { data?.member("param")?.string }
  /// For `invalidParams`: a description of the expected value, for people.
  public var expected: String? { data?.member("expected")?.string }

  /// Creates an error to answer the server with.
  ///
  /// - Parameters:
  ///   - code: the app's own number for the error.
  ///   - message: a sentence for people.
  ///   - retryable: whether the same request may succeed later.
  public init(code: Int, message: String, retryable: Bool = false) {
    self.init(code: code, message: message, data: retryable ? ["retryable": true].json : nil)
  }

  init(code: Int, message: String, data: RawJSON?) {
    (self.code, self.message, self.data) = (code, message, data)
  }

  init(_ error: RPCError) {
    self.init(code: error.code, message: error.message, data: error.data.map { RawJSON(copying: $0.json) })
  }

  /// The error in the form of a JSON-RPC response.
  var rpcError: RPCError { RPCError(code: code, message: message, data: data) }
}

extension ResponseError: CustomStringConvertible {
  /// The message, and the code.
  public var description: String { "\(message) (\(code))" }
}

/// The server's process, or the connection to it, ended unexpectedly.
public struct ServerDied: Error, Sendable, CustomStringConvertible {
  /// The program and its arguments; empty if this client didn't start the server.
  public let command: [String]
  /// How the process ended; nil if it is unknown.
  public let end: ServerEnd?
  /// The last output on the server's standard error.
  public let standardError: String

  /// The command, how it ended, and its last output.
  public var description: String {
    guard !command.isEmpty else { return "the connection to the server has ended" }
    let fate = end.map { "has ended: \($0)" } ?? "has closed its standard output"
    return "`\(command.joined(separator: " "))` \(fate)" + (standardError.isEmpty ? "" : "\n\(standardError)")
  }
}

/// How a server's process ended.
public enum ServerEnd: Hashable, Sendable, CustomStringConvertible {
  /// The process exited with this status.
  case exit(status: Int)
  /// A signal ended the process.
  case signal(Int)

  init(_ end: ChildProcess.End) {
    switch end {
    case .exit(let status): self = .exit(status: status)
    case .signal(let number): self = .signal(number)
    }
  }

  private var processEnd: ChildProcess.End {
    switch self {
    case .exit(let status): .exit(status: status)
    case .signal(let number): .signal(number)
    }
  }

  /// A text such as `exit status 3` or `signal 9 (Killed)`.
  public var description: String { "\(processEnd)" }
}

/// The session was closed by this client.
public struct SessionClosed: Error, Sendable, CustomStringConvertible {
  /// A sentence for people.
  public var description: String { "the session is closed" }
}

/// The view was closed, so the awaited condition can't become true.
public struct ViewClosed: Error, Sendable, CustomStringConvertible {
  /// The name of the view.
  public let view: String
  /// A sentence with the view's name.
  public var description: String { "the view \"\(view)\" is closed" }
}

/// A message of the server is invalid, or the server's protocol version is unknown.
public struct ProtocolError: Error, Sendable, CustomStringConvertible {
  /// A description of the fault.
  public let description: String
}

/// A value isn't of the requested type, or the output has no current value.
public struct OutputMismatch: Error, Sendable, CustomStringConvertible {
  /// The name of the output, and the expected type.
  public let description: String
}

/// A stream of events ended because more than 10,000 events were unread.
public struct TooManyEvents: Error, Sendable, CustomStringConvertible {
  /// The name of the output.
  public let output: String
  /// A sentence with the output's name.
  public var description: String {
    "\(EventBacklog.most) events of \"\(output)\" have waited for somebody to read them"
  }
}

/// The maximum number of unread events of a stream.
enum EventBacklog { static let most = 10_000 }
