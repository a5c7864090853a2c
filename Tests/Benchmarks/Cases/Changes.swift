internal import Flow
internal import Nagare
internal import PageSources
internal import Paging
internal import RPC
internal import Randomness
internal import Screens
internal import WireJSON

/// A whole service in memory, from bytes to bytes, with deltas on. Its client reports changes of a live source. Half of
/// the changes are changed items; the others insert some before others, and remove them again. Outputs are sent every
/// 100 ms, after ten messages of 100 changes. A repetition is one change.
enum Changes {
  /// Returns the cases with a short list, a medium one and a long one.
  ///
  /// - Parameter longest: the number of items in the long list.
  /// - Returns: the cases.
  static func cases(longest: Int) -> [Case] {
    [
      Case("live.change.short", repetitions: 50_000, counted: 5000, runs: 5) { change(1000, of: 1000) },
      Case("live.change.middle", repetitions: 50_000, counted: 5000, runs: 5) { change(1000, of: longest / 10) },
      Case("live.change.long", repetitions: 50_000, counted: 5000, runs: 5) { change(1000, of: longest) },
      Case("live.sections", repetitions: 50_000, counted: 5000, runs: 5) {
        change(1000, of: longest, sections: SectionRule(by: "id", prefix: 4))
      },
      Case("live.scattered", repetitions: 50_000, counted: 5000, runs: 5) { change(longest, of: longest) },
    ]
  }

  /// Changes a number of rows in the middle of a list.
  private static func change(_ changing: Int, of size: Int, sections: SectionRule? = nil) -> (Int) -> Void {
    let session = LiveSession(size: size, sections: sections)
    var random = SplitMix64(seed: 3)
    let messages = (0..<100).map { number in
      (0..<100).map { index in
        let row = (size - changing) / 2 + Int(random.next() % UInt64(changing))
        if index % 2 == 0 { return #"{"change":{"id":"m\#(row)","subject":"changed \#(number)"}}"# }
        let id = "n\(number % 10 * 50 + index / 2)"
        return number / 10 % 2 == 0
          ? #"{"insert":{"id":"\#(id)","subject":"new"},"before":"m\#(row)"}"# : #"{"remove":"\#(id)"}"#
      }.joined(separator: ",")
    }
    return { repetitions in
      let before = session.bytesOut
      for number in 0..<repetitions / 100 {
        session.say(changes: messages[number % messages.count])
        if number % 10 == 9 { session.pass(.milliseconds(100)) }
      }
      precondition(session.bytesOut - before > repetitions * 10)
    }
  }
}

/// A service with one live list of mails, and a client that answers for them.
private final class LiveSession {
  private let service: Service
  private let clock = VirtualScheduler()
  private var state = 0
  private(set) var bytesOut = 0

  /// Opens a list and loads a number of items, 20 per page.
  init(size: Int, sections: SectionRule?) {
    var mails = Mails(bodySize: 80)
    let pages = mails.pages(size / 20)
    service = Service(clock: clock)
    let client = ClientSource(name: "mails", id: "id", peer: service.peer, on: clock) { true }
    service.onSourceChange["mails"] = client.receive
    var source = Source<RawJSON> { request in
      let index = request.key?.int ?? 0
      let next = index + 1 < pages.count ? try? RawJSON(encoding: index + 1) : nil
      return .just(Page(items: pages[index], next: next, state: "0"))
    }
    (source.changes, source.capabilities.live) = (client.source.changes, true)
    var settings = ListSettings()
    settings.options.throttle = Milliseconds(0)
    settings.options.sections = sections
    service.add(Screen("mails", viewModel: "list") { [source] in List(settings, source) })
    say(
      #"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"1","capabilities":{"deltas":true}}}"#
    )
    say(#"{"jsonrpc":"2.0","id":2,"method":"open","params":{"screen":"mails","view":"list"}}"#)
    say(#"{"jsonrpc":"2.0","method":"viewWillAppear","params":{"view":"list"}}"#)
    say(#"{"jsonrpc":"2.0","id":1,"result":{"state":"0"}}"#)
    for _ in 1..<pages.count { say(#"{"jsonrpc":"2.0","method":"loadMore","params":{"view":"list"}}"#) }
  }

  /// Sends changes of the source.
  func say(changes: String) {
    let since = state
    state += 1
    say(
      """
      {"jsonrpc":"2.0","method":"source/changed","params":{"source":"mails","query":null,"since":"\(since)",\
      "state":"\(state)","changes":[\(changes)]}}
      """)
  }

  /// Moves the clock.
  func pass(_ time: Duration) {
    clock.run(until: clock.now + time, afterEach: service.endStep)
    write()
  }

  private func say(_ message: String) {
    service.peer.receive(Array("\(message)\n".utf8).span)
    while service.peer.handleNext() {}
    write()
  }

  private func write() {
    while service.peer.backlog.readyBytes > 0 {
      service.peer.write { bytes in
        bytesOut += bytes.count
        return bytes.count
      }
    }
  }
}
