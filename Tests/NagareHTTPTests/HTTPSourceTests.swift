import Flow
import HTTPSettings
import Paging
import RPC
import Testing
import WireJSON

@testable import NagareHTTP

/// Tries, pauses and time limits, in virtual time.
struct HTTPSourceTests {
  private let clock = VirtualScheduler()
  private let transport = FakeTransport()

  private func source(_ members: String = "") throws -> HTTPSource {
    let json = try RawJSON(#"{"url":"http://h/items?page={page}"\#(members)}"#)
    return HTTPSource(
      try HTTPSourceConfiguration(json: json), by: transport, on: clock, seed: 1, environment: { _ in nil })
  }

  /// The result of a page: the field `items`, or the error's code and message.
  private final class Outcome {
    var text: String?
    var subscription: (any Disposable)?
  }

  private func page(_ source: HTTPSource) -> Outcome {
    let outcome = Outcome()
    outcome.subscription = source.page(PageRequest(key: nil, query: nil, size: 2)).subscribe {
      outcome.text = $0.items.text
    } onError: { error in
      outcome.text = (error as? RPCError).map { "\($0.code) \($0.message)" } ?? "\(error)"
    }
    return outcome
  }

  @Test func `a try that takes too long is cancelled, and the next follows after a pause`() throws {
    let outcome = page(try source(#","timeout":1000,"retries":1"#))
    clock.advance(by: .milliseconds(999))
    #expect(transport.running == 1 && outcome.text == nil)
    clock.advance(by: .milliseconds(1))
    #expect(transport.running == 0 && transport.requests.count == 1)
    clock.advance(by: .milliseconds(500))
    #expect(transport.running == 1 && transport.requests.count == 2)
    clock.advance(by: .milliseconds(1000))
    #expect(outcome.text?.hasPrefix("-32011 http://h/items?page=1 didn't answer in full within 1000 ms") == true)
  }

  @Test func `the time limit includes all redirects of a try, and its failure names the address`() throws {
    let outcome = page(try source(#","timeout":1000,"retries":0"#))
    for number in 1...3 {
      clock.advance(by: .milliseconds(300))
      transport.requests.last?.answer(302, ["location": "/\(number)?secret"])
    }
    clock.advance(by: .milliseconds(100))
    #expect(
      transport.requests.map(\.url) == [
        "http://h/items?page=1", "http://h/1?secret", "http://h/2?secret", "http://h/3?secret",
      ])
    #expect(transport.running == 0)
    #expect(outcome.text?.hasPrefix("-32011 http://h/3?… didn't answer") == true)
  }

  @Test func `pauses double, and half of each is random`() throws {
    let outcome = page(try source(#","retries":10"#))
    var starts: [Duration] = []
    while outcome.text == nil {
      starts.append(clock.now)
      transport.requests.last?.answer(503)
      let count = transport.requests.count
      while transport.requests.count == count, outcome.text == nil { clock.advance(by: .milliseconds(1)) }
    }
    let pauses = zip(starts.dropFirst(), starts).map { $0 - $1 }
    for (number, pause) in pauses.enumerated() {
      let longest = min(Duration.milliseconds(500) * (1 << number), .seconds(8))
      #expect(longest / 2 <= pause && pause <= longest + .milliseconds(1))
    }
    #expect(pauses.count >= 5 && clock.now < .seconds(25))
    #expect(outcome.text?.hasPrefix("503 ") == true)
  }

  @Test func `all requests wait while a server wants no requests`() throws {
    let source = try source(#","retries":1"#)
    let first = page(source)
    transport.requests[0].answer(429, ["retry-after": "10"])
    let second = page(source)
    clock.advance(by: .milliseconds(9999))
    #expect(transport.requests.count == 1)
    clock.advance(by: .milliseconds(1))
    #expect(transport.requests.count == 3)
    for request in transport.requests.dropFirst() { request.answer(200, [:], #"[{"id":1}]"#) }
    #expect(first.text == #"[{"id":1}]"# && second.text == first.text)
  }

  @Test func `requests fail if a server wants no requests for too long`() throws {
    let source = try source(#","retries":1"#)
    let first = page(source)
    transport.requests[0].answer(
      503, ["retry-after": "Sun, 06 Nov 1994 09:49:37 GMT", "date": "Sun, 06 Nov 1994 08:49:37 GMT"])
    #expect(first.text?.hasPrefix("503 ") == true)
    #expect(page(source).text == first.text && transport.requests.count == 1)
    clock.advance(by: .seconds(3600))
    _ = page(source)
    #expect(transport.requests.count == 2)
  }

  @Test func `a page can be cancelled at any moment without leftovers`() throws {
    // The moments: waiting in the queue, running, redirected, pausing, waiting as the server requested, and done.
    let moments: [(FakeTransport.Request) -> Void] = [
      { _ in }, { $0.answer(302, ["location": "/x"]) }, { $0.answer(503) }, { $0.answer(429, ["retry-after": "5"]) },
      { $0.answer(200) }, { $0.end(.network("broken", isTransient: true)) }, { _ = $0.begin(200) },
    ]
    for (number, moment) in moments.enumerated() {
      let transport = FakeTransport()
      let clock = VirtualScheduler()
      let json = try RawJSON(#"{"url":"http://h/items?page={page}","maxConcurrent":1}"#)
      let source = HTTPSource(
        try HTTPSourceConfiguration(json: json), by: transport, on: clock, seed: 1, environment: { _ in nil })
      let (first, second) = (page(source), page(source))
      #expect(transport.requests.count == 1)
      moment(transport.requests[0])
      first.subscription?.dispose()
      #expect(transport.running <= 1, "moment \(number)")
      second.subscription?.dispose()
      let count = transport.requests.count
      clock.advance(by: .seconds(100))
      #expect(transport.running == 0 && transport.requests.count == count, "moment \(number)")
      let third = page(source)
      transport.requests.last?.answer(200)
      #expect(third.text == "[]", "moment \(number)")
    }
  }

  @Test func `a limited number of requests run at once, the others in their order`() throws {
    let source = try source(#","maxConcurrent":2,"retries":0"#)
    let outcomes = (0..<6).map { _ in page(source) }
    outcomes[3].subscription?.dispose()
    for number in 0..<5 {
      #expect(transport.running == min(2, 5 - number))
      transport.requests[number].answer(200, [:], "[{\"id\":\(number)}]")
    }
    #expect(outcomes.map(\.text) == (0...2).map { "[{\"id\":\($0)}]" } + [nil] + (3...4).map { "[{\"id\":\($0)}]" })
  }

  @Test func `an answer that is too large fails only its page`() throws {
    let outcome = page(try source(#","maxResponseSize":10,"retries":3"#))
    _ = transport.requests[0].begin(200)
    #expect(transport.requests[0].send("[         ") == .taken)
    #expect(transport.requests[0].send("]") == .refused)
    transport.requests[0].end(.network("libcurl's words", isTransient: true))
    #expect(outcome.text?.hasPrefix("-32012 http://h/items?page=1 answered more than 10 bytes") == true)
    #expect(transport.requests.count == 1)
  }

  @Test func `without libcurl the failure names the remedy, and there are no further tries`() throws {
    let outcome = page(try source())
    transport.requests[0].end(.noClient("libcurl.so.4 isn't there"))
    #expect(
      outcome.text
        == "-32010 http://h/items?page=1 can't be loaded: libcurl.so.4 isn't there; \(TransferFailure.clientRemedy)")
    clock.advance(by: .seconds(30))
    #expect(transport.requests.count == 1)
  }
}
