internal import Flow
internal import HTTPSettings
internal import Paging
internal import RPC
internal import Randomness
internal import Reactor
internal import WireJSON

/// The pages of a web server.
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
  /// Until when the server asked to be left alone.
  private var closed: (until: Duration, error: RPCError)?

  /// Prepares to ask; nothing is sent yet. The environment has the values of the headers that are secret. The seed makes
  /// the pauses' share of chance.
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

  /// The member of an item that is its id.
  var id: String { configuration.id }

  /// A number from 0 to 1, left to chance.
  func chance() -> Double { .random(in: 0...1, using: &random) }

  /// Connects to where the server tells of changes, from the event on whose id is the last that is known.
  func connect(_ stream: EventStream, _ criteria: Criteria, lastID: String?) throws(RPCError) {
    if let error = headers.error { throw error }
    guard let template = configuration.live?.events else { return }
    let url = try PageAddress.events(criteria, template)
    var values = headers.values(withSecrets: allowedOrigins.isHome(url))
    values.set("text/event-stream", for: "Accept")
    values.set(lastID, for: "Last-Event-ID")
    stream.begin(url, values, by: transport)
  }

  /// Loads a page, in as many tries as it takes and the configuration allows. Disposing of it closes the connection. Fails
  /// with an `RPCError`.
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

  /// Waits as long as the server has asked to be left alone, unless that is too long.
  private func whenOpen(since start: Duration, _ attempt: Observable<HTTPAnswer>) -> Observable<HTTPAnswer> {
    guard let closed, closed.until > clock.now else { return attempt }
    guard closed.until - start < backoff.mostElapsed else { return .error(closed.error) }
    return Observable.timer(closed.until - clock.now, on: clock).flatMap { _ in attempt }
  }

  /// One try, redirects included. Fails with a ``FailedTry``.
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
  /// Where the answer redirects to; nil if it doesn't.
  var redirect: String? { [301, 302, 303, 307, 308].contains(status) ? self["location"] : nil }
}

extension [String: String] {
  /// Sets a header, in whatever case its name is written already; nil leaves the headers as they are.
  mutating func set(_ value: String?, for name: String) {
    guard let value else { return }
    for known in keys where known.lowercased() == name.lowercased() { self[known] = nil }
    self[name] = value
  }
}
