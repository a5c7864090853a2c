import Foundation
import Testing

@testable import NagareClient

/// Messages that the server can't read fail at once, and nothing else fails with them.
@Suite struct LimitTests {
  private static let config = """
    {"sources": {"mine": {"type": "client", "live": true, "items": true, "writes": ["change"]}},
     "screens": {"rows": {"viewModel": "list", "source": "mine", "throttle": 0, "detail": "row"},
                 "row": {"viewModel": "pager", "source": "mine"}}}
    """

  private static func nested(_ depth: Int) throws -> RawJSON {
    try RawJSON(
      validating: Array((String(repeating: "[", count: depth) + String(repeating: "]", count: depth)).utf8),
      maxDepth: 100_000)
  }

  private static func values() throws -> [(value: RawJSON, limit: String, most: Int)] {
    [
      (String(repeating: "x", count: 2000).json, "messageSize", 2000),
      (String(repeating: "流", count: 700).json, "messageSize", 2000),
      (try nested(30), "depth", 20), (try nested(50_000), "messageSize", 2000),
    ]
  }

  private func server(_ source: ClientSource, _ folder: Folder) async throws -> Session {
    var handlers = Handlers()
    handlers.source("mine", source)
    let config = try folder.write("nagare.json", LimitTests.config)
    return try await Session.spawn(
      Place.server + ["--config", config, "--max-message-size", "2000", "--max-depth", "20"], answering: handlers)
  }

  @Test func `a request over a limit fails at once`() async throws {
    let folder = try Folder()
    let session = try await server(ClientSource { _ in SourcePage([["id": 1]]) }, folder)
    #expect(session.limits["messageSize"]?.int == 2000 && session.limits["depth"]?.int == 20)
    let rows = try await session.open("rows", as: ListView<RawJSON>.self)
    for (value, limit, most) in try LimitTests.values() {
      let item = ["id": 1.json, "value": value].json
      let change = await #expect(throws: ResponseError.self) { try await rows.change(item) }
      let dispatch = await #expect(throws: ResponseError.self) { try await session.dispatch("a", value) }
      let open = await #expect(throws: ResponseError.self) { try await session.open("rows", ["query": value].json) }
      for error in [change, dispatch, open] {
        #expect(error?.kind == .limitPassed && error?.message.contains("start the server with") == true)
        #expect(error?.data?["limit"]?.string == limit && error?.data?["max"]?.int == most)
      }
      rows.change.send(Change(item: item))
    }
    try await session.ping()
    #expect(await session.close() == .exit(status: 0))
  }

  @Test func `a message exactly at a limit is sent`() async throws {
    let folder = try Folder()
    let session = try await server(ClientSource { _ in SourcePage([["id": 1]]) }, folder)
    func ping(_ fill: RawJSON) async throws { _ = try await session.handle.request("ping", ["fill": fill].json) }
    // The next request has the id 3.
    let around = #"{"jsonrpc":"2.0","id":3,"method":"ping","params":{"fill":""}}"#.utf8.count
    try await ping(String(repeating: "x", count: 2000 - around).json)
    await #expect(throws: ResponseError.self) { try await ping(String(repeating: "x", count: 2001 - around).json) }
    try await ping(LimitTests.nested(18))
    await #expect(throws: ResponseError.self) { try await ping(LimitTests.nested(19)) }
    #expect(await session.close() == .exit(status: 0))
  }

  @Test(arguments: [false, true])
  func `an answer over a limit is sent as an error`(_ isDeep: Bool) async throws {
    let value = try isDeep ? LimitTests.nested(30) : String(repeating: "x", count: 2000).json
    let large = ["id": 1.json, "value": value].json
    let source = ClientSource { request in
      SourcePage([request.query == nil ? large : ["id": 1].json])
    } change: { _ in
      throw ResponseError(code: 7, message: String(repeating: "x", count: 3000))
    } item: { _ in
      large
    } watch: { _ in
      SourceWatched(AsyncStream<SourceStep> { _ in })
    }
    let folder = try Folder()
    let session = try await server(source, folder)
    let rows = try await session.open("rows", as: ListView<RawJSON>.self)
    #expect(try await rows.viewWillAppear() == .failed)
    #expect(try rows.error?.code == -32005 && rows.error?.message.contains("the server reads") == true)
    let good = try await session.open("rows", ["query": "a"], as: ListView<RawJSON>.self)
    #expect(try await good.viewWillAppear() == .finished)
    #expect(try await good.change(["id": 1, "a": 1].json) == .failed)
    #expect(try good.error?.code == -32005)
    #expect(await session.close() == .exit(status: 0))
  }

  @Test(arguments: [false, true])
  func `a change over a limit reloads the list`(_ isDeep: Bool) async throws {
    let value = try isDeep ? LimitTests.nested(30) : String(repeating: "x", count: 2000).json
    let (steps, tell) = AsyncStream<SourceStep>.makeStream()
    let rows = Rows()
    let source = ClientSource { _ in
      SourcePage(await rows.all)
    } watch: { _ in
      SourceWatched(steps)
    }
    let folder = try Folder()
    let session = try await server(source, folder)
    let view = try await session.open("rows", as: ListView<RawJSON>.self)
    let lists = view.values(\.items)
    try await view.viewWillAppear()
    await rows.set([["id": 1, "short": 1].json])
    tell.yield(SourceStep(.change(["id": 1.json, "value": value].json)))
    _ = try await lists.first { $0.first?["short"] != nil }
    tell.yield(SourceStep(.insert(["id": 2])))
    _ = try await lists.first { $0.count == 2 }
    #expect(await session.close() == .exit(status: 0))
  }

  @Test func `a message that the server cannot read fails its request`() async throws {
    let (fake, session) = try await Fake.serve()
    let view = try await fake.open(session)
    view.refresh.send()
    let first = Task { try await session.ping() }
    _ = try await fake.next("refresh")
    let asked = try await fake.next("ping")
    let second = Task { try await session.discover() }
    _ = try await fake.next("rpc.discover")
    // The earlier messages were `initialize`, `screens`, `open`, the notification and the ping.
    try fake.say(
      #"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"too deep","data":{"offset":9,"message":6}}}"#)
    let error = await #expect(throws: ResponseError.self) { try await second.value }
    #expect(error?.kind == .parseError && error?.data?["message"]?.int == 6)
    for data in ["null", "{}", #"{"message":4}"#, #"{"message":99}"#, #"{"message":"5"}"#, "[5]"] {
      try fake.say(#"{"jsonrpc":"2.0","id":null,"error":{"code":-32005,"message":"no","data":\#(data)}}"#)
    }
    try fake.answer(asked)
    try await first.value
  }

  @Test func `an item that is nested deeper in splices than in its page is read`() async throws {
    let (fake, session) = try await Fake.serve()
    let view = try await fake.open(session)
    let deep = try LimitTests.nested(600)
    try fake.tell(
      "items",
      #""base":0,"revision":1,"count":1,"splices":[{"start":0,"deleteCount":0,"items":[{"id":1,"a":\#(deep.text)}]}]"#)
    try await fake.settle(session)
    #expect(try view.items.count == 1)
  }
}

private actor Rows {
  private(set) var all = [["id": 1].json]

  func set(_ rows: [RawJSON]) { all = rows }
}
