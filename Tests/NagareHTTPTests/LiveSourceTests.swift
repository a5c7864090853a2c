import Flow
import HTTPSettings
import Paging
import RPC
import Testing
import WireJSON

@testable import NagareHTTP

/// Reports of changes, in virtual time.
final class LiveSourceTests {
  private let clock = VirtualScheduler()
  private let transport = FakeTransport()
  private var said: [String] = []
  private var answers: [String] = []
  private var isHeld = false

  private func live(_ settings: String) throws -> LiveSource {
    let json = try RawJSON(#"{"url":"http://h/items","live":\#(settings),"retries":0,"timeout":1000}"#)
    let configuration = try HTTPSourceConfiguration(json: json)
    let source = HTTPSource(configuration, by: transport, on: clock, seed: 1, environment: { _ in nil })
    let live = LiveSource(source, try #require(configuration.live), limit: 1000, on: clock)
    live.isHeld = { [unowned self] in isHeld }
    live.say = { [unowned self] params in
      var writer = JSONWriter()
      params(&writer)
      said.append(String(decoding: writer.bytes, as: UTF8.self))
    }
    return live
  }

  private func watch(_ live: LiveSource, since: String? = nil) {
    let params = SourceWatchParams(source: "web", WatchRequest(Criteria(), state: since))
    _ = live.watch(params) { [unowned self] error in answers.append(error.map { "\($0.code)" } ?? "told") }
  }

  private static let head = ["content-type": "text/event-stream; charset=utf-8"]
  private static func event(_ id: String) -> String { "id: \(id)\ndata: {\"changes\":[]}\n\n" }

  private func open(_ request: FakeTransport.Request?) { #expect(request?.begin(200, LiveSourceTests.head) == true) }

  @Test func `a stream without a byte for an hour is closed and opened again`() throws {
    let live = try live(#"{"events":"http://h/events"}"#)
    watch(live, since: "a")
    open(transport.requests.first)
    clock.advance(by: .seconds(3599))
    #expect(transport.requests[0].send(": still here\n") == .taken)
    clock.advance(by: .seconds(3599))
    #expect(transport.running == 1 && transport.requests.count == 1)
    clock.advance(by: .seconds(2))
    #expect(transport.running == 1 && transport.requests.count == 2)
    #expect(transport.requests[1].headers["Last-Event-ID"] == "a")
  }

  @Test func `nothing is read while output is queued`() throws {
    let live = try live(#"{"events":"http://h/events"}"#)
    watch(live, since: "a")
    open(transport.requests.first)
    #expect(transport.requests[0].send(LiveSourceTests.event("b")) == .taken)
    isHeld = true
    #expect(transport.requests[0].send(LiveSourceTests.event("c")) == .paused)
    #expect(said.count == 1)
    isHeld = false
    #expect(live.resume())
    #expect(!live.resume())
    #expect(transport.requests[0].resumed == 1)
    #expect(transport.requests[0].send(LiveSourceTests.event("c")) == .taken)
    #expect(said.count == 2)
    // If output isn't read for hours, the server doesn't count as silent.
    isHeld = true
    #expect(transport.requests[0].send(LiveSourceTests.event("d")) == .paused)
    clock.advance(by: .seconds(10_000))
    #expect(transport.requests.count == 1 && transport.running == 1)
  }

  @Test func `nothing is requested while output is queued`() throws {
    let live = try live(#"{"poll":100}"#)
    let page = HTTPPage(items: try RawJSON("[]"), next: nil, previous: nil, total: nil)
    watch(live)
    live.record(page, of: PageRequest(Criteria(), size: 2))
    clock.advance(by: .milliseconds(100))
    transport.requests.last?.answer(200, [:], #"[{"id":1}]"#)
    #expect(said.count == 1)
    isHeld = true
    clock.advance(by: .seconds(10))
    #expect(transport.requests.count == 1)
    isHeld = false
    #expect(live.resume())
    #expect(transport.requests.count == 2)
    transport.requests.last?.end(.network("broken", isTransient: true))
    clock.advance(by: .milliseconds(100))
    #expect(transport.requests.count == 3)
  }

  @Test func `connections without an event are opened again after growing pauses`() throws {
    let live = try live(#"{"events":"http://h/events"}"#)
    watch(live)
    var pauses: [Duration] = []
    for _ in 0..<12 {
      let start = clock.now
      open(transport.requests.last)
      transport.requests.last?.end()
      let count = transport.requests.count
      while transport.requests.count == count { clock.advance(by: .milliseconds(10)) }
      pauses.append(clock.now - start)
    }
    for (number, pause) in pauses.enumerated() {
      let longest = min(Duration.milliseconds(500) * (1 << number), .seconds(30))
      #expect(max(longest / 2, .milliseconds(500)) <= pause && pause <= longest + .milliseconds(10))
    }
    open(transport.requests.last)
    #expect(transport.requests.last?.send("retry: 20000\n" + LiveSourceTests.event("a")) == .taken)
    let (start, count) = (clock.now, transport.requests.count)
    transport.requests.last?.end()
    while transport.requests.count == count { clock.advance(by: .milliseconds(10)) }
    #expect(clock.now - start == .seconds(20))
    #expect(transport.requests.last?.headers["Last-Event-ID"] == "a")
  }

  @Test(arguments: [
    (TransferFailure.network("a certificate is wrong", isTransient: false), "-32012"),
    (.noClient("it isn't there"), "-32012"),
  ])
  func `a permanent failure refuses the watch`(failure: TransferFailure, answer: String) throws {
    let live = try live(#"{"events":"http://h/events"}"#)
    watch(live)
    transport.requests[0].end(failure)
    clock.advance(by: .seconds(100))
    #expect(answers == [answer] && transport.requests.count == 1)
    watch(live)
    #expect(transport.requests.count == 2)
  }

  @Test func `a watch can end at any moment without leftovers`() throws {
    let moments: [(LiveSourceTests) -> Void] = [
      { _ in }, { $0.open($0.transport.requests[0]) }, { $0.transport.requests[0].end() },
      { test in
        test.open(test.transport.requests[0])
        test.transport.requests[0].end()
        test.clock.advance(by: .milliseconds(600))
      },
      { test in
        test.open(test.transport.requests[0])
        test.isHeld = true
        _ = test.transport.requests[0].send(LiveSourceTests.event("a"))
      },
    ]
    for settings in [#"{"events":"http://h/events"}"#, #"{"poll":100}"#] {
      for (number, moment) in moments.enumerated() where settings.contains("events") || number == 0 {
        let test = LiveSourceTests()
        let live = try test.live(settings)
        test.watch(live)
        moment(test)
        live.end(Criteria())
        test.isHeld = false
        #expect(!live.resume())
        let count = test.transport.requests.count
        test.clock.advance(by: .seconds(10_000))
        #expect(test.transport.running == 0 && test.transport.requests.count == count, "moment \(number)")
        #expect(test.answers.count == 1, "moment \(number)")
      }
    }
  }

  @Test func `a page waits two seconds at most for the events to be confirmed`() throws {
    let live = try live(#"{"events":"http://h/events"}"#)
    watch(live)
    var prepared = 0
    let request = PageRequest(Criteria(), size: 2)
    let first = live.prepare(request).subscribe(onNext: { prepared += 1 })
    clock.advance(by: .milliseconds(1999))
    #expect(prepared == 0)
    clock.advance(by: .milliseconds(1))
    #expect(prepared == 1)
    // Everything may have changed between the page and the server's confirmation.
    open(transport.requests[0])
    #expect(said.count == 1 && said[0].contains(#""changes":"all""#))
    let second = live.prepare(request).subscribe(onNext: { prepared += 1 })
    #expect(prepared == 2)
    first.dispose()
    second.dispose()
  }
}
