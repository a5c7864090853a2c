import Testing

@testable import NagareClient

/// What a view shows and says, against a server that says what the test tells it to.
@Suite struct ViewTests {
  struct Letter: Codable, Equatable {
    let id: String
  }

  private func delta(_ base: Int, _ start: Int, _ deleteCount: Int, _ items: String, count: Int) -> String {
    #""base":\#(base),"revision":\#(base + 1),"count":\#(count),"#
      + #""splices":[{"start":\#(start),"deleteCount":\#(deleteCount),"items":\#(items)}]"#
  }

  @Test func `a list is kept by changes, and decoded once`() async throws {
    let (fake, session) = try await Fake.serve()
    let view = try await fake.open(session, items: #"[{"id":"a"},{"id":"b"}]"#).as(ListView<Letter>.self)
    let before = try view.items
    try fake.tell("items", delta(0, 1, 1, #"[{"id":"x"},{"id":"y"}]"#, count: 3))
    try await fake.settle(session)
    #expect(try view.items.map(\.id) == ["a", "x", "y"])
    #expect(before.map(\.id) == ["a", "b"])
    #expect(view["items"]?.text == #"[{"id":"a"},{"id":"x"},{"id":"y"}]"#)
  }

  @Test(arguments: [#""base":5,"revision":6,"count":1,"splices":[]"#, #""base":0,"revision":1,"count":7,"splices":[]"#])
  func `a change of what was never heard has the view catch up`(_ change: String) async throws {
    let (fake, session) = try await Fake.serve()
    let view = try await fake.open(session)
    let lists = view.values(\.items)
    try fake.tell("items", change)
    try fake.answer(try await fake.next("outputs"), #"{"outputs":{"items":{"value":[{"id":"z"}],"revision":6}}}"#)
    try await view.until { try $0.items.count == 1 }
    #expect(try await lists.first { !$0.isEmpty }?.first?["id"]?.string == "z")
  }

  @Test func `an item of another type is told by its place`() async throws {
    let (fake, session) = try await Fake.serve()
    let view = try await fake.open(session, items: #"[{"id":"a"},{"id":7}]"#).as(ListView<Letter>.self)
    let error = #expect(throws: OutputMismatch.self) { try view.items }
    #expect(error?.description == #"the item at 1 is no Letter: 'id' must be a string; it is {"id":7}"#)
    try fake.tell("items", delta(0, 1, 1, #"[{"id":"b"}]"#, count: 2))
    try await fake.settle(session)
    #expect(try view.items.map(\.id) == ["a", "b"])
  }

  @Test func `a value of another type, or none, is told`() async throws {
    let (fake, session) = try await Fake.serve()
    let view = try await fake.open(session)
    try fake.tell("state", #""value":5"#)
    try await fake.settle(session)
    let error = #expect(throws: OutputMismatch.self) { try view.state }
    #expect(error?.description == #""state" of "rows" is no LoadState: the value must be an object; it is 5"#)
    let pager = view.as(PagerView<Letter>.self)
    let missing = #expect(throws: OutputMismatch.self) { try pager.page }
    #expect(missing?.description.hasSuffix("whose current values are error, items, loading, state") == true)
  }

  @Test func `who reads slowly gets the latest value, and every event`() async throws {
    let (fake, session) = try await Fake.serve()
    let view = try await fake.open(session)
    let (loading, errors) = (view.values(\.loading), view.values(\.error))
    for number in 0..<3 {
      try fake.tell("loading", #""value":\#(number == 1)"#)
      try fake.tell("error", #""value":{"code":\#(number),"message":"m","retryable":false,"trigger":"refresh"}"#)
    }
    try await fake.settle(session)
    #expect(try await loading.first { _ in true } == false)
    #expect(try await errors.prefix(3).reduce(into: []) { $0.append($1?.code) } == [0, 1, 2])
  }

  @Test func `events that nobody reads are given up`() async throws {
    let (fake, session) = try await Fake.serve()
    let view = try await fake.open(session)
    let errors = view.values("error")
    for _ in 0...EventBacklog.most { try fake.tell("error", #""value":{"code":1}"#) }
    try await fake.settle(session)
    await #expect(throws: TooManyEvents.self) { for try await _ in errors {} }
  }

  @Test func `a stream ends with its view`() async throws {
    let (fake, session) = try await Fake.serve()
    let view = try await fake.open(session)
    try fake.tell("closed", #""value":{}"#)
    for try await _ in view.values(\.loading).dropFirst() {}
    await #expect(throws: ViewClosed.self) { try await view.until { try $0.loading } }
    try await view.untilClosed()
    for try await _ in view.navigations() {}
  }

  @Test func `an input gives the view that it opened`() async throws {
    let (fake, session) = try await Fake.serve()
    let view = try await fake.open(session)
    var navigations = view.navigations().makeAsyncIterator()
    async let opening = view.select(ItemID("a"))
    let asked = try await fake.next("select")
    #expect(asked["params"]?.text == #"{"id":"a","view":"v"}"#)
    try fake.tell("navigate", #""value":{"view":"w","screen":"row","outputs":{"page":{"value":{"index":1}}}}"#)
    try fake.answer(asked)
    let opened = try await opening
    #expect(opened?.viewName == "w" && opened?.screen.viewModel == "pager" && opened?["page"]?["index"]?.int == 1)
    #expect(try await navigations.next()?.viewName == "w")
    async let nothing = view.refresh()
    try fake.answer(try await fake.next("refresh"))
    #expect(try await nothing == nil)
  }

  @Test func `a failure is over when the next task begins`() async throws {
    let (fake, session) = try await Fake.serve()
    let view = try await fake.open(session, "tasks")
    try fake.tell("error", #""value":{"code":-32012,"message":"m","retryable":false,"trigger":"rename"}"#)
    try await view.until { try $0.error != nil }
    async let over: Void = bounded { try await view.until { try $0.error == nil } }
    try fake.ask(7, "present", #"{"view":"v","task":{"kind":"confirm","title":"T"}}"#)
    #expect(try await fake.last()?["error"]?["code"]?.int == -32601)
    #expect(try view.error == nil)
    try await over
  }

  @Test func `a list's failure stands while the user is asked`() async throws {
    let (fake, session) = try await Fake.serve()
    let view = try await fake.open(session)
    try fake.tell("error", #""value":{"code":1,"message":"m","retryable":false,"trigger":"reachBottom"}"#)
    try fake.ask(7, "present", #"{"view":"v","task":{"kind":"confirm","title":"Remove it?"}}"#)
    #expect(try await fake.last()?["error"]?["code"]?.int == -32601)
    #expect(try view.error?.code == 1)
  }

  @Test func `a view is printed by its name and its screen's`() async throws {
    let (fake, session) = try await Fake.serve()
    #expect("\(try await fake.open(session))" == #"RemoteView("v", of: "rows")"#)
  }

  @Test func `inputs go over as their ports say`() async throws {
    let (fake, session) = try await Fake.serve()
    let view = try await fake.open(session)
    view.viewport.send(Viewport(start: 0, end: 5))
    #expect(try await fake.next("viewport")["params"]?.text == #"{"start":0,"end":5,"view":"v"}"#)
    view.insert.send(Insert(item: try RawJSON(#"{"id":1}"#), before: ItemID(2)))
    #expect(try await fake.next("insert")["params"]?.text == #"{"item":{"id":1},"before":2,"view":"v"}"#)
    view.refresh.send()
    #expect(try await fake.next("refresh")["params"]?.text == #"{"view":"v"}"#)
    view.change.send(try RawJSON(#"{"id":1}"#))
    #expect(try await fake.next("change")["params"]?.text == #"{"item":{"id":1},"view":"v"}"#)
  }

  @Test func `waiting can be cancelled`() async throws {
    let (fake, session) = try await Fake.serve()
    let view = try await fake.open(session)
    let waiting = Task { try await view.until { try $0.loading } }
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
    try await fake.settle(session)
  }
}
