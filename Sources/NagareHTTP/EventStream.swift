internal import Foundation
internal import Synchronization

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// One connection on which a server tells of changes, from its beginning to its end.
final class EventStream: NSObject, URLSessionDataDelegate {
  /// What comes of it.
  enum Word: Sendable {
    /// The server has answered that it will tell.
    case opened
    case found(EventParser.Finding)
  }

  /// Why it has ended.
  enum End: Error, Sendable {
    /// The server, or the way to it: it may well go on later.
    case passing(String)
    /// The server doesn't tell, and says so.
    case refused(String)
  }

  private struct State {
    var parser: EventParser
    /// How many bytes wait for whoever reads, with what it takes to keep them.
    var waiting = 0
    var isEnded = false
  }

  /// What comes, in its order. It throws ``End``.
  let words: AsyncThrowingStream<Word, any Error>
  private let continuation: AsyncThrowingStream<Word, any Error>.Continuation
  private let state: Mutex<State>
  private let limit: Int
  private let session = Mutex<URLSession?>(nil)

  /// Connects. The limit is for the bytes of an event, and for all those that nobody has read yet.
  init(_ request: URLRequest, limit: Int, lastID: String?) {
    (words, continuation) = AsyncThrowingStream<Word, any Error>.makeStream()
    self.limit = limit
    state = Mutex(State(parser: EventParser(limit: limit, lastID: lastID)))
    super.init()
    let configuration = URLSessionConfiguration.ephemeral
    (configuration.urlCache, configuration.urlCredentialStorage, configuration.httpCookieStorage) = (nil, nil, nil)
    configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
    // The longest silence.
    configuration.timeoutIntervalForRequest = 3600
    configuration.timeoutIntervalForResource = 1_000_000_000
    let session = URLSession(configuration: configuration, delegate: self, delegateQueue: nil)
    self.session.withLock { $0 = session }
    continuation.onTermination = { [weak self] _ in self?.close() }
    session.dataTask(with: request).resume()
  }

  /// Gives the connection back.
  func close() {
    guard
      let session = session.withLock({ session in
        defer { session = nil }
        return session
      })
    else { return }
    // Linux makes its caller wait while data floods in.
    DispatchQueue.global().async { session.invalidateAndCancel() }
  }

  /// Takes note that something was read.
  func read(_ finding: EventParser.Finding) { state.withLock { $0.waiting -= finding.size } }

  private func end(_ end: End) {
    state.withLock { $0.isEnded = true }
    continuation.finish(throwing: end)
    close()
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    completionHandler(nil)
    end(.refused("it redirects (\(response.statusCode)); name the address that it leads to"))
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    let status = (response as? HTTPURLResponse)?.statusCode ?? 0
    let type = response.mimeType ?? "nothing"
    if status == 200, type.lowercased() == "text/event-stream" {
      continuation.yield(.opened)
      return completionHandler(.allow)
    }
    completionHandler(.cancel)
    let isPassing = [408, 429, 500, 502, 503, 504].contains(status)
    let reason = "it answered \(status), \(type), and not 200, text/event-stream"
    end(isPassing ? .passing(reason) : .refused(reason))
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    let findings = state.withLock { state in
      // What comes after the end keeps the end from being heard.
      if state.isEnded { return [EventParser.Finding]() as [EventParser.Finding]? }
      if state.waiting > limit { return nil }
      let findings = state.parser.read(Array(data))
      state.waiting += findings.reduce(0) { $0 + $1.size }
      return findings
    }
    guard let findings else { return end(.passing("it told more at once than anybody reads")) }
    for finding in findings { continuation.yield(.found(finding)) }
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    end(.passing(error?.localizedDescription ?? "it has closed the connection"))
  }
}

extension EventParser.Finding {
  /// How many bytes it takes while it waits, about.
  fileprivate var size: Int {
    guard case .event(let event) = self else { return 100 }
    return 100 + (event.id?.utf8.count ?? 0) + (event.data?.count ?? 0)
  }
}
