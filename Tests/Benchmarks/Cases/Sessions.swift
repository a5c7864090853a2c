internal import Flow
internal import Nagare
internal import RPC
internal import Randomness
internal import Screens
internal import WireJSON

/// A whole service in memory, from bytes to bytes, with deltas on. A repetition is one message and its response.
enum Sessions {
  /// Returns the cases with a short list and a long one, so that a cost that grows with the list shows.
  ///
  /// - Parameter longest: the number of items in the long list.
  /// - Returns: the cases.
  static func cases(longest: Int) -> [Case] {
    [
      Case("session.ping", repetitions: 200_000, counted: 10_000) { ping(together: 500) },
      Case("session.lone", repetitions: 200_000, counted: 10_000) { ping(together: 1) },
    ]
      + [("short", 1000), ("long", longest)].flatMap { name, size in
        [
          Case("session.append.\(name)", repetitions: 25, counted: 25, runs: 21, preparesEachRun: name == "short") {
            append(to: size)
          },
          Case("session.change.\(name)", repetitions: 500, counted: 100, runs: 21) { change(in: size) },
          Case("session.select.\(name)", repetitions: 500, counted: 100, runs: 21) { select(in: size) },
          Case("session.swipe.\(name)", repetitions: 500, counted: 100, runs: 21) { swipe(in: size) },
        ]
      }
      + [("short", 100), ("long", 3000)].map { name, count in
        Case("session.close.\(name)", repetitions: 500, counted: 100, runs: 21) { close(among: count) }
      }
  }

  /// Sends pings: many at once, as from a full pipe, or each alone.
  private static func ping(together count: Int) -> (Int) -> Void {
    let session = Session(size: 20)
    let requests = Array(repeatElement(Session.message("ping", "{}"), count: count).joined())
    return { repetitions in
      for _ in 0..<repetitions / count { session.say(requests) }
    }
  }

  private static func append(to size: Int) -> (Int) -> Void {
    let session = Session(size: size)
    let request = Session.message("loadMore", #"{"view":"list"}"#)
    return { repetitions in
      let before = session.bytesOut
      for _ in 0..<repetitions { session.say(request) }
      precondition(session.bytesOut - before > repetitions * 20 * 100)
    }
  }

  private static func change(in size: Int) -> (Int) -> Void {
    let session = Session(size: size)
    var random = SplitMix64(seed: 1)
    return { repetitions in
      for number in 0..<repetitions {
        let id = random.next() % UInt64(size)
        session.say(
          Session.message("change", #"{"view":"list","item":{"id":"m\#(id)","subject":"changed \#(number)"}}"#))
      }
    }
  }

  /// Opens a pager, and closes it.
  private static func select(in size: Int) -> (Int) -> Void {
    let session = Session(size: size)
    var random = SplitMix64(seed: 2)
    var opened = 0
    return { repetitions in
      for _ in 0..<repetitions {
        opened += 1
        // The last rows are excluded, because a pager would request more there.
        let id = random.next() % UInt64(size / 2)
        session.say(Session.message("select", #"{"view":"list","id":"m\#(id)"}"#))
        session.say(Session.message("close", #"{"view":"v\#(opened)"}"#))
      }
    }
  }

  /// Opens a pager of a list that already has `count` pagers, and closes the oldest.
  private static func close(among count: Int) -> (Int) -> Void {
    let session = Session(size: 20)
    let select = Session.message("select", #"{"view":"list","id":"m1"}"#)
    for _ in 0..<count { session.say(select) }
    var closed = 0
    return { repetitions in
      for _ in 0..<repetitions {
        closed += 1
        session.say(select)
        session.say(Session.message("close", #"{"view":"v\#(closed)"}"#))
      }
    }
  }

  private static func swipe(in size: Int) -> (Int) -> Void {
    let session = Session(size: size)
    session.say(Session.message("select", #"{"view":"list","id":"m\#(size / 2)"}"#))
    let directions = ["next", "previous"].map { Session.message("swipe", #"{"view":"v1","to":"\#($0)"}"#) }
    return { repetitions in
      for number in 0..<repetitions { session.say(directions[number & 1]) }
    }
  }
}

/// A service with one list of mails, and a client of it.
private final class Session {
  private static let pagesToCome = 1000
  private let service: Service
  private(set) var bytesOut = 0

  /// Opens a list and loads a number of items, 20 per page.
  init(size: Int) {
    var mails = Mails(bodySize: 80)
    let pages = mails.pages(size / 20 + Session.pagesToCome)
    let keys = pages.indices.map { index in RawJSON(trusting: Array("\(index)".utf8), 0..<"\(index)".utf8.count) }
    service = Service(clock: VirtualScheduler())
    var settings = ListSettings()
    settings.options.throttle = Milliseconds(0)
    settings.detail = "mail"
    let screen = Screen("mails", viewModel: "list") {
      List(settings) { request in
        let index = request.key?.int ?? 0
        return .just(Page(items: pages[index], next: index + 1 < keys.count ? keys[index + 1] : nil))
      }
    }
    service.add(screen)
    service.add(
      Screen(
        "mail", viewModel: "pager", openedByOthersLike: Pager.example))
    say(Session.message("initialize", #"{"protocolVersion":"1","capabilities":{"deltas":true}}"#))
    say(Session.message("open", #"{"screen":"mails","view":"list"}"#))
    say(Session.message("viewWillAppear", #"{"view":"list"}"#))
    let more = Session.message("loadMore", #"{"view":"list"}"#)
    for _ in 1..<size / 20 { say(more) }
  }

  static func message(_ method: String, _ params: String) -> [UInt8] {
    Array("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\(method)\",\"params\":\(params)}\n".utf8)
  }

  /// Sends a message, and reads all messages that it causes.
  func say(_ message: [UInt8]) {
    service.peer.receive(message.span)
    while service.peer.handleNext() {}
    while service.peer.backlog.readyBytes > 0 {
      service.peer.write { bytes in
        bytesOut += bytes.count
        return bytes.count
      }
    }
  }
}
