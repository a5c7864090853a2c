internal import Flow
internal import Nagare
internal import Paging
internal import RPC
internal import Randomness
internal import Screens
internal import WireJSON

/// A whole service in memory, from bytes to bytes, whose client holds a window of a list. A repetition is one
/// `viewport` and everything that it requests.
enum Windows {
  /// The cases with a short list and a long one, so that a cost that grows with the list shows.
  static let cases =
    // Among 1,000 rows in the middle, which are already loaded.
    [("short", 1000), ("long", 10_000_000)].map { name, size in
      Case("window.move.\(name)", repetitions: 2000, counted: 200, runs: 11) {
        move(in: size, among: 1000, mostItems: 2000)
      }
    }
    // Anywhere, so pages are loaded and evicted.
    + [("short", 100_000), ("long", 10_000_000)].map { name, size in
      Case("window.read.\(name)", repetitions: 500, counted: 100, runs: 11) {
        move(in: size, among: size, mostItems: 400)
      }
    }

  private static func move(in size: Int, among rows: Int, mostItems: Int) -> (Int) -> Void {
    let session = WindowSession(size: size, mostItems: mostItems)
    var random = SplitMix64(seed: 4)
    func show(_ row: Int) {
      session.say("viewport", #"{"view":"list","start":\#(row),"end":\#(row + 40)}"#)
    }
    let first = (size - rows) / 2
    if rows <= mostItems { for row in stride(from: 0, to: rows, by: 40) { show(first + row) } }
    return { repetitions in
      let before = session.bytesOut
      for _ in 0..<repetitions { show(first + Int(random.next() % UInt64(rows - 40))) }
      precondition(session.bytesOut - before > repetitions * 1000)
    }
  }
}

/// A service with one list of mails, seen through a window.
private final class WindowSession {
  private let service = Service(clock: VirtualScheduler())
  private(set) var bytesOut = 0

  init(size: Int, mostItems: Int) {
    var mails = Mails(bodySize: 80)
    var source = Source<RawJSON> { request in
      let start = min(request.position ?? 0, size)
      var page = Page<RawJSON>(items: mails.mails(start..<min(start + request.size, size)), total: size)
      page.position = start
      return .just(page)
    }
    source.capabilities.positions = true
    var settings = ListSettings()
    settings.options.mostItems = mostItems
    settings.margin = 50
    service.add(Screen("mails", viewModel: "list") { [source] in List(settings, source) })
    say("initialize", #"{"protocolVersion":"1","capabilities":{"deltas":true,"windows":true}}"#)
    say("open", #"{"screen":"mails","view":"list"}"#)
    say("viewWillAppear", #"{"view":"list"}"#)
  }

  /// Sends a message, and reads all messages that it causes.
  func say(_ method: String, _ params: String) {
    service.peer.receive(
      Array("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\(method)\",\"params\":\(params)}\n".utf8).span)
    while service.peer.handleNext() {}
    while service.peer.backlog.readyBytes > 0 {
      service.peer.write { bytes in
        bytesOut += bytes.count
        return bytes.count
      }
    }
  }
}
