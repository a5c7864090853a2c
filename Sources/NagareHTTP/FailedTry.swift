internal import HTTPSettings
internal import Paging
internal import RPC
internal import Reactor

extension RPCError {
  /// A failed load. The code is a `LoadFailure.Code`, or the status of the server's answer.
  init(load code: Int, _ message: String, isRetryable: Bool) {
    self.init(code: code, message: message, data: ["retryable": isRetryable])
  }

  /// A failed load whose answer isn't a page.
  static func malformedResponse(_ message: String) -> RPCError {
    RPCError(load: LoadFailure.Code.malformedResponse.rawValue, message, isRetryable: false)
  }

  static var unknownState: RPCError {
    RPCError(
      load: LoadFailure.Code.unknownState.rawValue, "a later watch replaced this one", isRetryable: false)
  }

  static var cancelled: RPCError { RPCError(.requestCancelled, "the request was cancelled") }
}

/// The failure of a try, with its remedy.
struct FailedTry: Error {
  let error: RPCError
  /// Whether another try may succeed.
  let isTransient: Bool
  /// How long the server wants no requests.
  var pause: Duration?

  /// The failure if no answer came.
  init(_ failure: TransferFailure, shown: String, _ configuration: HTTPSourceConfiguration) {
    switch failure {
    case .noClient(let reason):
      let message = "\(shown) can't be loaded: \(reason); \(TransferFailure.clientRemedy)"
      self.init(RPCError(load: LoadFailure.Code.unreachable.rawValue, message, isRetryable: false), isTransient: false)
    case .timedOut:
      let code = LoadFailure.Code.timeout.rawValue
      let limit = configuration.timeout
      let message = "\(shown) didn't answer in full within \(limit) ms; try again later, or raise \"timeout\""
      self.init(RPCError(load: code, message, isRetryable: true), isTransient: true)
    case .tooLarge:
      let limit = configuration.maxResponseSize
      let message = "\(shown) answered more than \(limit) bytes; ask for smaller pages, or raise \"maxResponseSize\""
      self.init(.malformedResponse(message), isTransient: false)
    case .network(let reason, let isTransient):
      let remedy = isTransient ? "try again later, or check \"url\"" : "check \"url\" and the server's certificate"
      let message = "\(shown) can't be loaded: \(reason); \(remedy)"
      self.init(
        RPCError(load: LoadFailure.Code.unreachable.rawValue, message, isRetryable: isTransient),
        isTransient: isTransient)
    }
  }

  /// The failure if the status of the answer isn't 200.
  init(_ answer: HTTPAnswer, shown: String) {
    let isTransient = answer.isTransientFailure
    let now = answer["date"].flatMap(HTTPDate.seconds) ?? CurrentProcess.secondsSince1970
    let pause = isTransient ? answer["retry-after"].flatMap { RetryAfter.pause($0, now: now) } : nil
    let remedy =
      switch answer.status {
      case 401, 403: "check \"headers\" and the values of the environment variables that they name"
      case 404, 410: "check \"url\""
      case 429: "the server limits the number of requests; try again \(pause.map { "in \($0)" } ?? "later")"
      case 500...: "the server failed; try again \(pause.map { "in \($0)" } ?? "later")"
      default: "check \"url\" and \"headers\""
      }
    let words = answer.body.isEmpty ? "" : ", which begins with \(answer.beginning)"
    let error = RPCError(
      load: answer.status, "\(shown) answered \(answer.summary)\(words): \(remedy)", isRetryable: isTransient)
    self.init(error, isTransient: isTransient, pause: pause)
  }

  /// The failure if the answer redirects to a server that isn't allowed.
  init(_ answer: HTTPAnswer, shown: String, redirectsTo location: String) {
    let message =
      "\(shown) redirects (\(answer.status)) elsewhere, to \(location.prefix { $0 != "?" }); \(AllowedOrigins.remedy)"
    self.init(RPCError(load: answer.status, message, isRetryable: false), isTransient: false)
  }

  init(_ error: RPCError, isTransient: Bool, pause: Duration? = nil) {
    self.error = error
    self.isTransient = isTransient
    self.pause = pause
  }
}

extension TransferFailure {
  /// The remedy if there is no HTTP client.
  static let clientRemedy = "install libcurl, which is in Debian's package libcurl4"
}

extension HTTPAnswer {
  /// Whether another try may succeed after an answer with this status.
  var isTransientFailure: Bool { [408, 429, 500, 502, 503, 504].contains(status) }
}
