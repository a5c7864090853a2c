internal import Flow
internal import HTTPSettings
internal import Paging
internal import RPC
internal import Randomness
internal import Reactor
internal import WireJSON

/// Loads pages from a web server.
final class HTTPSource {
  private static let mostRedirects = 5
  private static let cacheSize = 16 << 20

  private let configuration: HTTPSourceConfiguration
  private let transport: any Transport
  private let clock: any Scheduler
  private let allowedOrigins: AllowedOrigins
  private let headers: RequestHeaders
  private let backoff: Backoff
  private let concurrencyLimit: ConcurrencyLimit
  private var random: SplitMix64
  private var cache = AnswerCache(limit: cacheSize)
  /// The time until which the server wants no requests, and the error meanwhile.
  private var closed: (until: Duration, error: RPCError)?

  /// Creates a source; nothing is sent yet. `environment` returns the values of secret headers. `seed` is for the
  /// random part of the pauses.
  init(
    _ configuration: HTTPSourceConfiguration, by transport: any Transport, on clock: any Scheduler, seed: UInt64,
    environment: (String) -> String?
  ) {
    self.configuration = configuration
    self.transport = transport
    self.clock = clock
    allowedOrigins = AllowedOrigins(configuration)
    headers = RequestHeaders(configuration.headers, environment: environment)
    backoff = Backoff(retries: configuration.retries)
    concurrencyLimit = ConcurrencyLimit(configuration.maxConcurrent)
    random = SplitMix64(seed: seed)
  }

  /// The field that is the items' id.
  var id: String { configuration.id }

  /// Returns a random number from 0 to 1.
  func chance() -> Double { .random(in: 0...1, using: &random) }

  /// Connects to the server's events, after the event with the last known id.
  func connect(_ stream: EventStream, _ criteria: Criteria, lastID: String?) throws(RPCError) {
    if let error = headers.error { throw error }
    guard let template = configuration.live?.events else { return }
    let url = try PageAddress.events(criteria, template)
    var values = headers.values(withSecrets: allowedOrigins.isHome(url))
    values.set("text/event-stream", for: "Accept")
    values.set(lastID, for: "Last-Event-ID")
    stream.begin(url, values, by: transport)
  }

  /// Loads a page. Tries again as often as necessary and as the configuration allows. Disposing of the subscription
  /// closes the connection. Fails with an `RPCError`.
  func page(_ request: PageRequest) -> Observable<HTTPPage> {
    .deferred { [self] in
      do throws(RPCError) {
        if let error = headers.error { throw error }
        if request.filters?.matchNothing == true {
          return .just(HTTPPage(items: .emptyArray, next: nil, previous: nil, total: 0))
        }
        let address = try PageAddress(of: request, configuration)
        guard allowedOrigins.allows(address.url) else {
          throw .wrongParameter("key", "an address of the same server, as the previous page returned it")
        }
        return answer(address).flatMap { [self] answer in page(address, answer) }
      } catch {
        return .error(error)
      }
    }
  }

  private func page(_ address: PageAddress, _ answer: HTTPAnswer) -> Observable<HTTPPage> {
    do throws(RPCError) {
      return .just(
        try AnswerReader(configuration: configuration, allowedOrigins: allowedOrigins, address: address, answer: answer)
          .page())
    } catch {
      return .error(error)
    }
  }

  private func answer(_ address: PageAddress) -> Observable<HTTPAnswer> {
    let start = clock.now
    var tries = 0
    return Observable.deferred { [self] in
      tries += 1
      return whenOpen(since: start, attempt(address))
    }
    .retry { [self] failures in
      failures.flatMap { [self] failure in
        guard let failure = failure as? FailedTry else { return Observable<Int>.error(failure) }
        if let pause = failure.pause { closed = (clock.now + pause, failure.error) }
        let pause = backoff.pause(after: tries, elapsed: clock.now - start, asked: failure.pause, chance: chance())
        guard failure.isTransient, let pause else { return .error(failure.error) }
        return .timer(pause, on: clock)
      }
    }
  }

  /// Delays a try while the server wants no requests. Fails if that would take too long.
  private func whenOpen(since start: Duration, _ attempt: Observable<HTTPAnswer>) -> Observable<HTTPAnswer> {
    guard let closed, closed.until > clock.now else { return attempt }
    guard closed.until - start < backoff.mostElapsed else { return .error(closed.error) }
    return Observable.timer(closed.until - clock.now, on: clock).flatMap { _ in attempt }
  }

  /// Makes one try, including redirects. Fails with a ``FailedTry``.
  private func attempt(_ address: PageAddress) -> Observable<HTTPAnswer> {
    concurrencyLimit.limit(
      .deferred { [self] in
        var (url, shown, redirects) = (address.url, address.shown, 0)
        func follow() -> Observable<HTTPAnswer> {
          get(url).catch { [self] failure in
            .error((failure as? TransferFailure).map { FailedTry($0, shown: shown, configuration) } ?? failure)
          }
          .flatMap { [self] answer in
            guard let location = answer.redirect else {
              return answer.status == 200 ? .just(answer) : .error(FailedTry(answer, shown: shown))
            }
            guard let target = WebAddress(location, relativeTo: url), allowedOrigins.allows(target) else {
              return .error(FailedTry(answer, shown: shown, redirectsTo: location))
            }
            redirects += 1
            guard redirects <= HTTPSource.mostRedirects else {
              let message = "\(address.shown) redirects more than \(HTTPSource.mostRedirects) times; check \"url\""
              return .error(FailedTry(.malformedResponse(message), isTransient: false))
            }
            (url, shown) = (target, target.withoutQuery)
            return follow()
          }
        }
        let late = Observable<HTTPAnswer>.deferred { [self] in
          .error(FailedTry(.timedOut, shown: shown, configuration))
        }
        return follow().timeout(.milliseconds(configuration.timeout), other: late, on: clock)
      })
  }

  private func get(_ url: WebAddress) -> Observable<HTTPAnswer> {
    let known = cache[url.text]
    var values = headers.values(withSecrets: allowedOrigins.isHome(url))
    values.set(known?["etag"], for: "If-None-Match")
    values.set(known?["last-modified"], for: "If-Modified-Since")
    return transport.answer(url, values, limit: configuration.maxResponseSize).map { [self] answer in
      if answer.status == 304, let known { return known }
      cache.keep(answer, of: url.text)
      return answer
    }
  }
}

extension HTTPAnswer {
  /// The address to which the answer redirects; nil if it doesn't.
  var redirect: String? { [301, 302, 303, 307, 308].contains(status) ? self["location"] : nil }
}

extension [String: String] {
  /// Sets a header. Replaces one whose name differs only in case. Does nothing if the value is nil.
  mutating func set(_ value: String?, for name: String) {
    guard let value else { return }
    for known in keys where known.lowercased() == name.lowercased() { self[known] = nil }
    self[name] = value
  }
}
