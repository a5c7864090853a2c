internal import Dispatch
internal import Foundation
internal import Synchronization

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// Why no answer came.
enum TransferFailure: Error, Sendable {
  case cancelled
  case timedOut
  case tooLarge
  /// What the system says, and whether it may pass.
  case network(String, isPassing: Bool)
}

/// The system's HTTP client. It neither follows redirects nor keeps anything: no cookies, no passwords, no answers.
@MainActor
final class Network {
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
    // Later than any deadline that is kept here.
    configuration.timeoutIntervalForRequest = 3600
    session = URLSession(configuration: configuration, delegate: transfers, delegateQueue: nil)
  }

  /// Asks once, for so many bytes at most, unpacked, which must have come in full by the deadline. Cancelling the task
  /// closes the connection. The answer comes whatever its status.
  func get(
    _ url: URL, _ headers: [String: String], limit: Int, until deadline: ContinuousClock.Instant
  ) async throws(TransferFailure) -> HTTPAnswer {
    var request = URLRequest(url: url)
    for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
    let task = session.dataTask(with: request)
    let timer = Task { [transfers] in
      try await Task.sleep(until: deadline)
      transfers.fail(task, .timedOut)
    }
    defer { timer.cancel() }
    let outcome = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        transfers.begin(task, limit: limit, continuation)
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

    /// Adds a part of the body, unless that passes the limit.
    mutating func add(_ data: Data) -> Bool {
      guard answer.body.count + data.count <= limit else { return false }
      answer.body += data
      return true
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
    let isAdded = running.withLock { $0[dataTask.taskIdentifier]?.add(data) }
    if isAdded == false { fail(dataTask, .tooLarge) }
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
    let isAboutTrust =
      (NSURLErrorClientCertificateRequired...NSURLErrorSecureConnectionFailed).contains(error.code)
      || ["certificate", "wrong version number"].contains(where: reason.contains)
    self = .network(reason, isPassing: !isAboutTrust)
  }
}
