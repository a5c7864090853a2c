internal import Dispatch
internal import Foundation
internal import Synchronization

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// Why no answer came.
enum TransferFailure: Error, Sendable {
  case cancelled
  case timedOut(Duration)
  /// The answer has more bytes than these.
  case tooLarge(Int)
  /// What the system says, and whether it may pass.
  case network(String, isPassing: Bool)
}

/// The system's HTTP client. It neither follows redirects nor keeps anything: no cookies, no passwords, no answers.
@MainActor
final class Network {
  /// What one transfer may take.
  struct Limits: Sendable {
    /// In bytes, unpacked.
    let size: Int
    let deadline: ContinuousClock.Instant
    /// The time that the deadline was made of, for the message.
    let timeout: Duration
  }

  private let transfers = Transfers()
  private let session: URLSession

  init(maxConcurrent: Int) {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.urlCache = nil
    configuration.urlCredentialStorage = nil
    configuration.httpCookieStorage = nil
    configuration.httpShouldSetCookies = false
    configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
    configuration.httpMaximumConnectionsPerHost = maxConcurrent
    // The deadlines are kept here; the system's are no longer than a day.
    configuration.timeoutIntervalForRequest = 3600
    session = URLSession(configuration: configuration, delegate: transfers, delegateQueue: nil)
  }

  /// Asks once. Cancelling the task closes the connection.
  func get(_ url: URL, _ headers: [String: String], _ limits: Limits) async throws(TransferFailure) -> HTTPAnswer {
    var request = URLRequest(url: url)
    for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
    let task = session.dataTask(with: request)
    let timer = Task { [transfers] in
      try await Task.sleep(until: limits.deadline)
      transfers.fail(task, .timedOut(limits.timeout))
    }
    defer { timer.cancel() }
    let outcome = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        transfers.begin(task, limit: limits.size, continuation)
        if Task.isCancelled { transfers.fail(task, .cancelled) } else { task.resume() }
      }
    } onCancel: { [transfers] in
      transfers.fail(task, .cancelled)
    }
    return try outcome.get()
  }
}

/// The transfers that run, which the system's threads report on.
private final class Transfers: NSObject, URLSessionDataDelegate {
  typealias Outcome = Result<HTTPAnswer, TransferFailure>

  private struct Transfer {
    let limit: Int
    let continuation: CheckedContinuation<Outcome, Never>
    var answer = HTTPAnswer(status: 0)

    /// Adds a part of the body; gives the limit back if that passes it.
    mutating func add(_ data: Data) -> Int? {
      guard answer.body.count + data.count <= limit else { return limit }
      answer.body += data
      return nil
    }
  }

  private let running = Mutex<[Int: Transfer]>([:])

  func begin(_ task: URLSessionTask, limit: Int, _ continuation: CheckedContinuation<Outcome, Never>) {
    running.withLock { $0[task.taskIdentifier] = Transfer(limit: limit, continuation: continuation) }
  }

  func fail(_ task: URLSessionTask, _ failure: TransferFailure) {
    guard let transfer = take(task) else { return }
    transfer.continuation.resume(returning: .failure(failure))
    // Linux makes its caller wait while data floods in.
    DispatchQueue.global().async { task.cancel() }
  }

  private func take(_ task: URLSessionTask) -> Transfer? {
    running.withLock { $0.removeValue(forKey: task.taskIdentifier) }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    // The redirect itself is the answer.
    completionHandler(nil)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
    completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    // That the server asks for a password is its answer, for which Linux would put an error.
    guard (task.response as? HTTPURLResponse)?.statusCode == 401 else {
      return completionHandler(.performDefaultHandling, nil)
    }
    finish(task, nil)
    completionHandler(.cancelAuthenticationChallenge, nil)
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    let answer = HTTPAnswer(response)
    running.withLock { $0[dataTask.taskIdentifier]?.answer = answer }
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    let exceeded = running.withLock { $0[dataTask.taskIdentifier]?.add(data) ?? nil }
    if let exceeded { fail(dataTask, .tooLarge(exceeded)) }
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    finish(task, error)
  }

  private func finish(_ task: URLSessionTask, _ error: (any Error)?) {
    guard var transfer = take(task) else { return }
    // Of a redirect that leads nowhere Linux says nothing before.
    if transfer.answer.status == 0, let response = task.response { transfer.answer = HTTPAnswer(response) }
    transfer.continuation.resume(
      returning: error.map { .failure(TransferFailure($0)) } ?? .success(transfer.answer))
  }
}

extension HTTPAnswer {
  /// Status and headers, the body yet to come.
  fileprivate init(_ response: URLResponse) {
    let response = response as? HTTPURLResponse
    status = response?.statusCode ?? 0
    for case (let name as String, let value as String) in response?.allHeaderFields ?? [:] {
      headers[name.lowercased()] = value
    }
  }
}

extension TransferFailure {
  /// What the system's error means. Linux numbers few, but has the reason in words.
  fileprivate init(_ error: any Error) {
    let error = error as NSError
    let reason = error.userInfo[NSLocalizedDescriptionKey] as? String ?? error.localizedDescription
    let isAboutTrust = (NSURLErrorClientCertificateRequired...NSURLErrorSecureConnectionFailed).contains(error.code)
    self = .network(reason, isPassing: !isAboutTrust && !reason.contains("SSL"))
  }
}
