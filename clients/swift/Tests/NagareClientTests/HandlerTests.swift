import Synchronization
import Testing

@testable import NagareClient

/// Requests that the server sends to the client, with a fake server.
@Suite struct HandlerTests {
  private struct Odd: Error {}

  /// Returns the client's answer to a request of the server.
  private func answer(_ handlers: Handlers, _ method: String, _ params: String) async throws -> RawJSON? {
    let (fake, session) = try await Fake.serve(answering: handlers)
    try fake.ask(7, method, params)
    let answer = try #require(try await fake.last())
    #expect(answer["id"]?.int == 7)
    try await fake.settle(session)
    return answer["result"] ?? answer["error"]
  }

  private func task(_ kind: String) -> String { #"{"view":"v","task":{"kind":"\#(kind)","title":"T"}}"# }

  @Test func `a task goes to the presenter of its kind`() async throws {
    var handlers = Handlers()
    handlers.present("prompt") { task in .completed("\(task.view) \(task.text("title") ?? "")") }
    handlers.present("alert", "confirm") { _ in .completed }
    handlers.present { task in
      if task.kind == "broken" { throw Odd() }
      if task.kind == "refused" { throw ResponseError(code: 4, message: "No", retryable: true) }
      return .cancelled
    }
    #expect(try await answer(handlers, "present", task("prompt"))?.text == #"{"outcome":"completed","value":"v T"}"#)
    #expect(try await answer(handlers, "present", task("confirm"))?.text == #"{"outcome":"completed"}"#)
    #expect(try await answer(handlers, "present", task("other"))?.text == #"{"outcome":"cancelled"}"#)
    #expect(try await answer(handlers, "present", task("broken"))?.text == #"{"code":-32603,"message":"Odd()"}"#)
    #expect(
      try await answer(handlers, "present", task("refused"))?.text
        == #"{"code":4,"message":"No","data":{"retryable":true}}"#)
  }

  @Test func `requests without a handler are refused`() async throws {
    var handlers = Handlers()
    handlers.present("prompt") { _ in .completed }
    handlers.source("mine") { _ in SourcePage([RawJSON]()) }
    for (method, params) in [
      ("present", task("alert")), ("source/page", #"{"source":"yours"}"#),
      ("source/remove", #"{"source":"mine","id":1}"#),
      ("sparkle", "{}"),
    ] { #expect(try await answer(handlers, method, params)?["code"]?.int == -32601) }
  }

  @Test func `a source that keeps states receives the last known state`() async throws {
    var handlers = Handlers()
    handlers.source(
      "mine",
      ClientSource { _ in
        SourcePage([RawJSON](), state: "4")
      } watch: { watch in
        if watch.since == "old" { throw ResponseError(code: -32014, message: "nobody knows") }
        let missed: [SourceChange] =
          watch.since == nil ? [] : [.remove(ItemID("a")), .insert("b".json, after: ItemID("c"))]
        return SourceWatched(AsyncStream<SourceStep> { $0.finish() }, state: watch.query, missed: missed)
      })
    func watch(_ since: String) async throws -> String? {
      try await answer(handlers, "source/watch", #"{"source":"mine","query":"5","since":\#(since)}"#)?.text
    }
    #expect(try await watch("null") == #"{"state":"5"}"#)
    let changes = try await watch(#""3""#)
    #expect(changes?.contains(#"{"remove":"a"}"#) == true && changes?.contains(#""after":"c""#) == true)
    #expect(try await watch(#""old""#)?.contains("-32014") == true)
    #expect(try await answer(handlers, "source/page", #"{"source":"mine"}"#)?["state"]?.string == "4")
  }

  @Test func `a source returns full items, and receives the filters`() async throws {
    var handlers = Handlers()
    handlers.source(
      "mine",
      ClientSource(
        page: { request in SourcePage([RawJSON](), next: request.filters?.json ?? "none".json) },
        item: { id in id == ItemID("a") ? ["id": "a", "body": "x"].json : nil }))
    handlers.source("plain") { _ in SourcePage([RawJSON]()) }
    #expect(
      try await answer(handlers, "source/item", #"{"source":"mine","id":"a"}"#)?["item"]?["body"]?.string == "x")
    #expect(try await answer(handlers, "source/item", #"{"source":"mine","id":"b"}"#)?["code"]?.int == -32015)
    #expect(try await answer(handlers, "source/item", #"{"source":"plain","id":"a"}"#)?["code"]?.int == -32601)
    let asked = #"{"source":"mine","key":null,"query":null,"filters":{"l":[1.0]},"size":3}"#
    #expect(try await answer(handlers, "source/page", asked)?["next"]?.text == #"{"l":[1.0]}"#)
  }

  @Test func `an edit is answered with the item that the source stored`() async throws {
    var handlers = Handlers()
    handlers.source(
      "mine",
      ClientSource(
        page: { _ in SourcePage([RawJSON](), isOpen: true) },
        insertMaking: { _, before in before == nil ? .id(ItemID(7)) : .asSent },
        changeMaking: { item in .item(["id": "a", "read": "yes"].json) }))
    let first = #"{"source":"mine","item":{"id":"new"},"before":null}"#
    #expect(try await answer(handlers, "source/insert", first)?.text == #"{"id":7}"#)
    let second = #"{"source":"mine","item":{"id":"new"},"before":"a"}"#
    #expect(try await answer(handlers, "source/insert", second)?.text == "{}")
    let change = #"{"source":"mine","item":{"id":"a"}}"#
    #expect(try await answer(handlers, "source/change", change)?["item"]?["read"]?.string == "yes")
    #expect(try await answer(handlers, "source/page", #"{"source":"mine"}"#)?.text == #"{"items":[],"open":true}"#)
  }

  @Test func `an edit of marked items calls its function`() async throws {
    let made = Mutex<[String]>([])
    let say: @Sendable (MarkedItems, RawJSON?) -> Void = { marked, set in
      made.withLock { $0.append("\(marked) \(set?.text ?? "")") }
    }
    var handlers = Handlers()
    handlers.source("plain", ClientSource(page: { _ in SourcePage([RawJSON]()) }, remove: { _ in }))
    handlers.source(
      "mine",
      ClientSource(
        page: { _ in SourcePage([RawJSON]()) }, changeMarked: { marked, set in say(marked, set) },
        removeMarked: { marked in say(marked, nil) }))
    for (method, params) in [
      ("source/remove", #"{"source":"mine","ids":["a",2]}"#),
      ("source/remove", #"{"source":"mine","all":true,"except":[1],"query":"q"}"#),
      ("source/change", #"{"source":"mine","all":true,"except":[],"set":{"read":true}}"#),
    ] { #expect(try await answer(handlers, method, params)?.text == "{}") }
    let some = MarkedItems.some([ItemID("a"), ItemID(2)])
    let all = MarkedItems.all(except: [ItemID(1)], query: "q", filters: nil)
    let every = MarkedItems.all(except: [], query: nil, filters: nil)
    #expect(made.withLock(\.self) == ["\(some) ", "\(all) ", "\(every) {\"read\":true}"])
    #expect(try await answer(handlers, "source/remove", #"{"source":"plain","ids":[1]}"#)?["code"]?.int == -32601)
    #expect(try await answer(handlers, "source/remove", #"{"source":"mine","id":1}"#)?["code"]?.int == -32601)
  }

  @Test func `a source returns pages`() async throws {
    var handlers = Handlers()
    handlers.source("mine") { request in
      let said = "\(request.key?.text ?? "first") \(request.query ?? "everything") \(request.size)"
      return SourcePage([["id": said]], next: 2, previous: request.key, total: 9)
    }
    #expect(
      try await answer(handlers, "source/page", #"{"source":"mine","key":null,"query":null,"size":3}"#)?.text
        == #"{"items":[{"id":"first everything 3"}],"next":2,"total":9}"#)
    #expect(
      try await answer(handlers, "source/page", #"{"source":"mine","key":[1],"query":"q","size":3}"#)?.text
        == #"{"items":[{"id":"[1] q 3"}],"next":2,"previous":[1],"total":9}"#)
  }

  @Test func `the client sends its capabilities`() {
    var handlers = Handlers()
    #expect(handlers.capabilities.text == #"{"deltas":true,"present":false,"sources":[],"windows":true}"#)
    handlers.source("b") { _ in SourcePage([RawJSON]()) }
    handlers.source("a") { _ in SourcePage([RawJSON]()) }
    handlers.present { _ in .completed }
    #expect(handlers.capabilities.text == #"{"deltas":true,"present":true,"sources":["a","b"],"windows":true}"#)
  }

  @Test func `a handler is cancelled when its answer is no longer needed`() async throws {
    let requests = Requests()
    var handlers = Handlers()
    handlers.present { _ in .completed(with: try await requests.ask("present", .emptyObject)) }
    let (fake, session) = try await Fake.serve(answering: handlers)
    try fake.ask(7, "present", task("prompt"))
    try await settle(fake, session) { !requests.all.isEmpty }
    try fake.say(#"{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":7}}"#)
    #expect(try await fake.last()?["error"]?["code"]?.int == -32800)
    try await settle(fake, session) { requests.all[0].isCancelled }
  }

  @Test func `a handler is cancelled when the server dies`() async throws {
    let (ended, hasEnded) = AsyncStream<Void>.makeStream()
    let requests = Requests()
    var handlers = Handlers()
    handlers.present { _ in
      defer { hasEnded.finish() }
      return .completed(with: try await requests.ask("present", .emptyObject))
    }
    let (fake, session) = try await Fake.serve(answering: handlers)
    try fake.ask(7, "present", task("prompt"))
    try await settle(fake, session) { !requests.all.isEmpty }
    fake.end()
    for await _ in ended {}
    #expect(requests.all[0].isCancelled)
  }

  @Test func `edits of a source run one after another`() async throws {
    let requests = Requests()
    var handlers = Handlers()
    handlers.source(
      "mine",
      ClientSource(page: { _ in SourcePage([RawJSON]()) }) { item, before in
        _ = try await requests.ask("insert", item)
      } change: { item in
        _ = try await requests.ask("change", item)
      } remove: { id in
        _ = try await requests.ask("remove", id.raw)
      })
    let (fake, session) = try await Fake.serve(answering: handlers)
    try fake.ask(1, "source/remove", #"{"source":"mine","id":"a"}"#)
    try fake.ask(2, "source/insert", #"{"source":"mine","item":{"id":"b"},"before":null}"#)
    try fake.ask(3, "source/change", #"{"source":"mine","item":{"id":"b","n":1}}"#)
    try fake.ask(4, "source/remove", #"{"source":"mine","id":"c"}"#)
    try await settle(fake, session) { requests.all.count == 1 }
    try fake.say(#"{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":4}}"#)
    #expect(try await fake.last()?["id"]?.int == 4)
    for (number, method) in [(1, "remove"), (2, "insert"), (3, "change")] {
      try await settle(fake, session) { requests.all.count == 1 }
      let asked = try #require(requests.take { _ in true })
      #expect(asked.method == method)
      asked.give(.success(.emptyObject))
      #expect(try await fake.last()?["id"]?.int == number)
    }
    try await fake.settle(session)
    #expect(requests.all.isEmpty)
  }

  private func settle(_ fake: Fake, _ session: Session, until condition: () -> Bool) async throws {
    while !condition() { try await fake.settle(session) }
  }
}
