internal import Paging
internal import HTTPSettings
internal import RPC
internal import WireJSON

extension RPCError {
  /// A failed load, by one of `LoadFailure.Code`, or the status that the server answered.
  init(load code: Int, _ message: String, isRetryable: Bool) {
    self.init(code: code, message: message, data: ["retryable": isRetryable])
  }

  /// The server's answer is no page.
  static func malformedResponse(_ message: String) -> RPCError {
    RPCError(load: LoadFailure.Code.malformedResponse.rawValue, message, isRetryable: false)
  }

  static var unknownState: RPCError {
    RPCError(
      load: LoadFailure.Code.unknownState.rawValue, "a later watch has taken this one's place", isRetryable: false)
  }

  static var cancelled: RPCError { RPCError(.requestCancelled, "the request was cancelled") }
}

extension Reach {
  static let remedy = "name its host in \"allowRedirectsTo\" if that is right"
}

/// Why a try failed, and what to do about it.
struct FailedTry: Error {
  let error: RPCError
  /// Whether another try may succeed.
  let isPassing: Bool
  /// How long the server asks to be left alone.
  var pause: Duration?

  /// No answer came.
  init(_ failure: TransferFailure, shown: String, _ configuration: HTTPSourceConfiguration) {
    switch failure {
    case .cancelled: self.init(.cancelled, isPassing: false)
    case .timedOut:
      let code = LoadFailure.Code.timeout.rawValue
      let limit = configuration.timeout
      let message = "\(shown) didn't answer in full within \(limit) ms; try again later, or raise \"timeout\""
      self.init(RPCError(load: code, message, isRetryable: true), isPassing: true)
    case .tooLarge:
      let limit = configuration.maxResponseSize
      let message = "\(shown) answered more than \(limit) bytes; ask for smaller pages, or raise \"maxResponseSize\""
      self.init(.malformedResponse(message), isPassing: false)
    case .network(let reason, let isPassing):
      let remedy = isPassing ? "try again later, or check \"url\"" : "check \"url\" and the server's certificate"
      let message = "\(shown) can't be loaded: \(reason); \(remedy)"
      self.init(
        RPCError(load: LoadFailure.Code.unreachable.rawValue, message, isRetryable: isPassing), isPassing: isPassing)
    }
  }

  /// The server answered that it has no page.
  init(_ answer: HTTPAnswer, shown: String, now: Int) {
    let isPassing = [408, 429, 500, 502, 503, 504].contains(answer.status)
    let now = answer["date"].flatMap(HTTPDate.seconds) ?? now
    let pause = isPassing ? answer["retry-after"].flatMap { RetryAfter.pause($0, now: now) } : nil
    let remedy =
      switch answer.status {
      case 401, 403: "check \"headers\", and that the environment variables they name hold what the server wants"
      case 404, 410: "check \"url\""
      case 429: "it wants fewer requests; try again \(pause.map { "in \($0)" } ?? "later")"
      case 500...: "the fault is the server's; try again \(pause.map { "in \($0)" } ?? "later")"
      default: "check \"url\" and \"headers\""
      }
    let words = answer.body.isEmpty ? "" : ", which begins with \(answer.beginning)"
    let error = RPCError(
      load: answer.status, "\(shown) answered \(answer.summary)\(words): \(remedy)", isRetryable: isPassing)
    self.init(error, isPassing: isPassing, pause: pause)
  }

  init(_ error: RPCError, isPassing: Bool, pause: Duration? = nil) {
    self.error = error
    self.isPassing = isPassing
    self.pause = pause
  }
}
