internal import Reactor
public import Nagare

/// An error with a code: what the server answers a request with, or what a handler answers the server with.
///
/// A source's or a task's handler throws it to have it shown on the screen; a load whose failure is retryable is tried
/// again before that.
public struct ResponseError: Error, Sendable {
  /// Which error: one of `RPCError.Code`, or a number of an app's own.
  public let code: Int
  /// A sentence for people.
  public let message: String
  /// What belongs to the code, as section 2.2 of the specification says; nil where nothing does.
  public let data: RawJSON?

  /// Which error, if it is one that the protocol knows.
  public var kind: RPCError.Code { RPCError.Code(rawValue: code) }
  /// Of `invalidParams`: the parameter's name.
  public var parameter: String? { data?.member("param")?.string }
  /// Of `invalidParams`: what the parameter should have been, for people.
  public var expected: String? { data?.member("expected")?.string }

  /// An error for the other side.
  ///
  /// - Parameters:
  ///   - code: which error, a number of the app's own.
  ///   - message: a sentence for people.
  ///   - retryable: whether the same may well succeed later.
  public init(code: Int, message: String, retryable: Bool = false) {
    self.init(code: code, message: message, data: retryable ? ["retryable": true].json : nil)
  }

  init(code: Int, message: String, data: RawJSON?) {
    (self.code, self.message, self.data) = (code, message, data)
  }

  init(_ error: RPCError) {
    self.init(code: error.code, message: error.message, data: error.data.map { RawJSON(copying: $0.json) })
  }

  /// As it goes over the wire.
  var rpcError: RPCError { RPCError(code: code, message: message, data: data) }
}

extension ResponseError: CustomStringConvertible {
  /// The sentence, and the code.
  public var description: String { "\(message) (\(code))" }
}

/// The server's process, or the connection to it, has ended, and nobody had asked for that.
public struct ServerDied: Error, Sendable, CustomStringConvertible {
  /// The program and its arguments; none where the server wasn't started here.
  public let command: [String]
  /// How it ended; nil where nobody knows.
  public let end: ServerEnd?
  /// The last that it said on its standard error.
  public let standardError: String

  /// What has ended, how, and with which last words.
  public var description: String {
    guard !command.isEmpty else { return "the connection to the server has ended" }
    let fate = end.map { "has ended: \($0)" } ?? "has closed its standard output"
    return "`\(command.joined(separator: " "))` \(fate)" + (standardError.isEmpty ? "" : "\n\(standardError)")
  }
}

/// How a server's process came to its end.
public enum ServerEnd: Hashable, Sendable, CustomStringConvertible {
  /// It has exited, with its status.
  case exit(status: Int)
  /// A signal has ended it.
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

  /// `exit status 3`, `signal 9 (Killed)`.
  public var description: String { "\(processEnd)" }
}

/// The session was closed here.
public struct SessionClosed: Error, Sendable, CustomStringConvertible {
  /// What has happened.
  public var description: String { "the session is closed" }
}

/// What was waited for can't come any more, because the view was closed.
public struct ViewClosed: Error, Sendable, CustomStringConvertible {
  /// The name of the view.
  public let view: String
  /// Which view was closed.
  public var description: String { "the view \"\(view)\" is closed" }
}

/// What the server wrote is no message of the protocol, or of a version that this library doesn't speak.
public struct ProtocolError: Error, Sendable, CustomStringConvertible {
  /// What was wrong with it.
  public let description: String
}

/// A value isn't of the type that was asked for, or there is no such value.
public struct OutputMismatch: Error, Sendable, CustomStringConvertible {
  /// Which value, and what it should be.
  public let description: String
}

/// A stream of events wasn't read for so long that it was given up: more than 10,000 of them waited.
public struct TooManyEvents: Error, Sendable, CustomStringConvertible {
  /// The output that says them.
  public let output: String
  /// Which events waited.
  public var description: String {
    "\(EventBacklog.most) events of \"\(output)\" have waited for somebody to read them"
  }
}

/// How many events wait for a reader before they are too many.
enum EventBacklog { static let most = 10_000 }
