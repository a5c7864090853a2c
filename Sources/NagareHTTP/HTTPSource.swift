internal import Paging
internal import Foundation
internal import HTTPSettings
internal import RPC
internal import WireJSON

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// The pages of a web server.
@MainActor
final class HTTPSource {
  private static let mostRedirects = 5
  private static let cacheSize = 16 << 20

  private let configuration: HTTPSourceConfiguration
  private let reach: Reach
  private let headers: RequestHeaders
  private let backoff: Backoff
  private let network: Network
  private let permits: Permits
  private var cache = AnswerCache(limit: cacheSize)
  /// Until when the server asked to be left alone.
  private var closed: (until: ContinuousClock.Instant, error: RPCError)?

  /// Prepares to ask; nothing is sent yet. The environment has the values of the headers that are secret.
  init(_ configuration: HTTPSourceConfiguration, environment: [String: String]) {
    self.configuration = configuration
    reach = Reach(configuration)
    headers = RequestHeaders(configuration.headers, environment: environment)
    backoff = Backoff(retries: configuration.retries)
    network = Network(maxConcurrent: configuration.maxConcurrent)
    permits = Permits(configuration.maxConcurrent)
  }

  /// The member of an item that is its id.
  var id: String { configuration.id }
  /// How many bytes an answer may have, and an event.
  var limit: Int { configuration.maxResponseSize }
  /// How a list learns of changes.
  var live: HTTPLive? { configuration.live }

  /// What is asked for the server to tell of changes, from the event on whose id is the last that is known.
  func request(forEvents criteria: Criteria, lastID: String?) throws(RPCError) -> URLRequest {
    if let error = headers.error { throw error }
    guard let template = configuration.live?.events else { throw .cancelled }
    let url = try PageAddress.events(criteria, template)
    var request = URLRequest(url: url)
    for (name, value) in headers.values(withSecrets: reach.isHome(url)) {
      request.setValue(value, forHTTPHeaderField: name)
    }
    request.setValue("text/event-stream", forHTTPHeaderField: "Accept")
    request.setValue(lastID, forHTTPHeaderField: "Last-Event-ID")
    return request
  }

  /// Loads a page, in as many tries as it takes and the configuration allows. Cancelling the task closes the connection.
  func page(_ request: PageRequest) async throws(RPCError) -> HTTPPage {
    if let error = headers.error { throw error }
    if request.filters?.matchNothing == true {
      return HTTPPage(items: .emptyArray, next: nil, previous: nil, total: 0)
    }
    let address = try PageAddress(of: request, configuration)
    guard reach.allows(address.url) else {
      throw .wrongParameter("key", "an address of the same server, as the page before gave it")
    }
    let answer = try await answer(address)
    return try AnswerReader(configuration: configuration, reach: reach, address: address, answer: answer).page()
  }

  private func answer(_ address: PageAddress) async throws(RPCError) -> HTTPAnswer {
    let start = ContinuousClock.now
    var tries = 0
    while true {
      try await waitUntilOpen(since: start)
      tries += 1
      do throws(FailedTry) {
        return try await attempt(address)
      } catch {
        if let pause = error.pause { closed = (.now + pause, error.error) }
        let pause = backoff.pause(
          after: tries, elapsed: .now - start, asked: error.pause, chance: .random(in: 0...1))
        guard error.isPassing, let pause else { throw error.error }
        try await sleep(pause)
      }
    }
  }

  /// Waits as long as the server has asked to be left alone, unless that is too long.
  private func waitUntilOpen(since start: ContinuousClock.Instant) async throws(RPCError) {
    guard let closed, closed.until > .now else { return }
    guard closed.until - start < backoff.patience else { throw closed.error }
    try await sleep(closed.until - .now)
  }

  private func sleep(_ pause: Duration) async throws(RPCError) {
    do {
      try await Task.sleep(for: pause)
    } catch {
      throw .cancelled
    }
  }

  /// One try, redirects included.
  private func attempt(_ address: PageAddress) async throws(FailedTry) -> HTTPAnswer {
    await permits.take()
    defer { permits.giveBack() }
    let deadline = ContinuousClock.now + .milliseconds(configuration.timeout)
    var (url, shown) = (address.url, address.shown)
    for _ in 0...HTTPSource.mostRedirects {
      let answer: HTTPAnswer
      do throws(TransferFailure) {
        answer = try await get(url, until: deadline)
      } catch {
        throw FailedTry(error, shown: shown, configuration)
      }
      guard [301, 302, 303, 307, 308].contains(answer.status), let location = answer["location"] else {
        if answer.status == 200 { return answer }
        throw FailedTry(answer, shown: shown, now: Int(Date().timeIntervalSince1970))
      }
      guard let target = URL(string: location, relativeTo: url)?.absoluteURL, reach.allows(target) else {
        let message = "\(shown) redirects (\(answer.status)) elsewhere, to \(location.prefix { $0 != "?" })"
        throw FailedTry(
          RPCError(load: answer.status, "\(message); \(Reach.remedy)", isRetryable: false), isPassing: false)
      }
      (url, shown) = (target, target.withoutQuery)
    }
    let message = "\(address.shown) redirects more than \(HTTPSource.mostRedirects) times; check \"url\""
    throw FailedTry(.malformedResponse(message), isPassing: false)
  }

  private func get(_ url: URL, until deadline: ContinuousClock.Instant) async throws(TransferFailure) -> HTTPAnswer {
    var values = headers.values(withSecrets: reach.isHome(url))
    let known = cache[url.absoluteString]
    values["If-None-Match"] = known?["etag"]
    values["If-Modified-Since"] = known?["last-modified"]
    let limit = configuration.maxResponseSize
    let answer = try await network.get(url, values, limit: limit, until: deadline)
    if answer.status == 304, let known { return known }
    cache.keep(answer, of: url.absoluteString)
    return answer
  }
}
