import Testing

@testable import NagareClient

/// Views: their inputs and outputs, with a fake server.
@Suite struct ViewTests {
  struct Letter: Codable, Equatable {
    let id: String
  }

  private func delta(_ base: Int, _ start: Int, _ deleteCount: Int, _ items: String, count: Int) -> String {
    #""base":\#(base),"revision":\#(base + 1),"count":\#(count),"#
      + #""splices":[{"start":\#(start),"deleteCount":\#(deleteCount),"items":\#(items)}]"#
  }

  @Test func `a list has sections and marks`() async throws {
    let (fake, session) = try await Fake.serve()
    let sections = #"[{"key":null,"start":0,"count":2},{"key":"x","start":2,"count":null}]"#
    let marks = #"{"count":null,"all":true,"ids":["a",2]}"#
    async let opened = session.open("rows", as: ListView<Letter>.self)
    try fake.answer(
      try await fake.next("open"),
      #"{"view":"v","screen":"rows","outputs":{"sections":{"value":\#(sections)},"marks":{"value":\#(marks)}}}"#)
    let view = try await opened
    #expect(try view.sections.map(\.count) == [2, nil] && view.sections[1].key?.string == "x")
    #expect(try view.marks.all && view.marks.count == nil && view.marks.ids == [ItemID("a"), ItemID(2)])
    view.mark.send(Mark(from: ItemID("a"), to: ItemID(2)))
    #expect(try await fake.next("mark")["params"]?.text == #"{"from":"a","to":2,"view":"v"}"#)
    view.unmark.send(Unmark(all: true))
    #expect(try await fake.next("unmark")["params"]?.text == #"{"all":true,"view":"v"}"#)
    view.remove.send(Remove(marked: true))
    #expect(try await fake.next("remove")["params"]?.text == #"{"marked":true,"view":"v"}"#)
    view.change.send(Change(marked: true, set: ["read": true].json))
    #expect(try await fake.next("change")["params"]?.text == #"{"marked":true,"set":{"read":true},"view":"v"}"#)
    async let removed = view.remove(ItemID("a"))
    let removal = try await fake.next("remove")
    #expect(removal["params"]?.text == #"{"id":"a","view":"v","wait":true}"#)
    try fake.answer(removal, #"{"outcome":"finished"}"#)
    #expect(try await removed == .finished)
    async let changed = view.change(Letter(id: "b"))
    let change = try await fake.next("change")
    #expect(change["params"]?.text == #"{"item":{"id":"b"},"view":"v","wait":true}"#)
    try fake.answer(change, #"{"outcome":"nothing"}"#)
    #expect(try await changed == .nothing)
  }

  @Test func `a list is updated by splices, and each item is decoded once`() async throws {
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
  func `a change after a missed revision requests the outputs`(_ change: String) async throws {
    let (fake, session) = try await Fake.serve()
    let view = try await fake.open(session)
    let lists = view.values(\.items)
    try fake.tell("items", change)
    try fake.answer(try await fake.next("outputs"), #"{"outputs":{"items":{"value":[{"id":"z"}],"revision":6}}}"#)
    try await view.until { try $0.items.count == 1 }
    #expect(try await lists.first { !$0.isEmpty }?.first?["id"]?.string == "z")
  }

  @Test func `the error for an item of another type contains its position`() async throws {
    let (fake, session) = try await Fake.serve()
    let view = try await fake.open(session, items: #"[{"id":"a"},{"id":7}]"#).as(ListView<Letter>.self)
    let error = #expect(throws: OutputMismatch.self) { try view.items }
    #expect(error?.description == #"the item at 1 is no Letter: 'id' must be a string; it is {"id":7}"#)
    try fake.tell("items", delta(0, 1, 1, #"[{"id":"b"}]"#, count: 2))
    try await fake.settle(session)
    #expect(try view.items.map(\.id) == ["a", "b"])
  }

  @Test func `numbers of an item are sent back unchanged`() async throws {
    let (fake, session) = try await Fake.serve()
    let digits = String(repeating: "7", count: 5000)
    let item = #"{"id":9007199254740993,"n":[1e400,1.0,-1E-400,0.12345678901234567890123,\#(digits)]}"#
    let view = try await fake.open(session, items: #"[{"id":9007199254740992},\#(item)]"#)
    let read = try view.items[1]
    view.change.send(Change(item: read))
    #expect(try await fake.next("change")["params"]?["item"]?.text == item)
    let id: ItemID = try #require(read["id"].flatMap { ItemID($0) })
    view.remove.send(Remove(id: id))
    #expect(try await fake.next("remove")["params"]?["id"]?.text == "9007199254740993")
  }

  @Test func `reading a value of another type, or a missing one, throws an error`() async throws {
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

  @Test func `a slow reader gets the latest value of a state, and every event`() async throws {
    let (fake, session) = try await Fake.serve()
    let view = try await fake.open(session)
    let (errors, rings) = (view.values(\.error), view.values("rang"))
    for number in 1...3 {
      try fake.tell("error", #""value":\#(failure(number))"#)
      try fake.tell("rang", #""value":\#(number)"#)
    }
    try await fake.settle(session)
    #expect(try await errors.first { _ in true }??.number == 3)
    #expect(try await rings.prefix(3).reduce(into: []) { $0.append($1.int) } == [1, 2, 3])
  }

  @Test func `an event without a value is received each time`() async throws {
    let (fake, session) = try await Fake.serve()
    let view = try await fake.open(session).as(SearchView<Letter>.self)
    let tops = view.values(\.scrollToTop)
    for _ in 1...3 { try fake.tell("scrollToTop", #""value":{}"#) }
    try fake.tell("closed", #""value":{}"#)
    try await fake.settle(session)
    #expect(try await tops.reduce(into: 0) { count, _ in count += 1 } == 3)
  }

  @Test func `the item of a pager may be missing`() throws {
    func page(_ item: String) throws -> PagerPage<Letter> {
      let flags = #""hasPrevious":false,"hasNext":false,"hasMore":false"#
      return try RawJSON(#"{"id":"a","index":null,"count":0,"item":\#(item),\#(flags)}"#).decode()
    }
    #expect(try page("null").item == nil)
    #expect(try page(#"{"id":"b"}"#).item == Letter(id: "b"))
  }

  @Test func `too many unread events throw an error`() async throws {
    let (fake, session) = try await Fake.serve()
    let view = try await fake.open(session)
    let rings = view.values("rang")
    for number in 0...EventBacklog.most { try fake.tell("rang", #""value":\#(number)"#) }
    try await fake.settle(session)
    await #expect(throws: TooManyEvents.self) { for try await _ in rings {} }
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

  @Test func `open returns the view that its input opened`() async throws {
    let (fake, session) = try await Fake.serve()
    let view = try await fake.open(session)
    var navigations = view.navigations().makeAsyncIterator()
    async let opening = view.select.open(ItemID("a"))
    let asked = try await fake.next("select")
    #expect(asked["params"]?.text == #"{"id":"a","view":"v"}"#)
    try fake.tell("navigate", #""value":{"view":"w","screen":"row","outputs":{"page":{"value":{"index":1}}}}"#)
    try fake.answer(asked)
    let opened = try await opening
    #expect(opened?.viewName == "w" && opened?.screen.viewModel == "pager" && opened?["page"]?["index"]?.int == 1)
    #expect(try await navigations.next()?.viewName == "w")
    view.select.send(ItemID("b"))
    #expect(try await fake.next("select")["id"] == nil)
    try fake.tell("navigate", #""value":{"view":"x","screen":"row","outputs":{"page":{"value":{"index":2}}}}"#)
    #expect(try await navigations.next()?.viewName == "x")
    async let nothing = view.refresh.open()
    try fake.answer(try await fake.next("ping"))
    try fake.answer(try await fake.next("refresh"))
    #expect(try await nothing == nil, "what was opened before was opened by something else")
  }

  @Test func `open ignores the view of an input sent just before`()
    async throws
  {
    let (fake, session) = try await Fake.serve()
    let view = try await fake.open(session)
    view.refresh.send()
    async let opened = view.refresh.open()
    _ = try await fake.next("refresh")
    let ping = try await fake.next("ping")
    try fake.tell("navigate", #""value":{"screen":"rows","view":"v1","outputs":{}}"#)
    try fake.answer(ping)
    try fake.answer(try await fake.next("refresh"))
    #expect(try await opened == nil)
    // All earlier messages are answered, so the client needs no ping to separate them.
    async let second = view.refresh.open()
    try fake.answer(try await fake.next("refresh"))
    #expect(try await second == nil)
  }

  @Test(arguments: Outcome.allCases) func `a call waits for its outcome`(_ outcome: Outcome) async throws {
    let (fake, session) = try await Fake.serve()
    let view = try await fake.open(session)
    async let called = view.refresh()
    let asked = try await fake.next("refresh")
    #expect(asked["params"]?.text == #"{"view":"v","wait":true}"#)
    try fake.answer(asked, #"{"outcome":"\#(outcome.rawValue)"}"#)
    #expect(try await called == outcome)
  }

  @Test func `a state keeps the last sent value, even null`() async throws {
    let (fake, session) = try await Fake.serve()
    let view = try await fake.open(session)
    for number in 1...2 { try fake.tell("error", #""value":\#(failure(number))"#) }
    try fake.tell("loading", #""value":true"#)
    try fake.tell("state", #""value":{"trigger":"refresh","phase":"requesting","count":0}"#)
    try fake.ask(7, "present", #"{"view":"v","task":{"kind":"confirm","title":"Remove it?"}}"#)
    #expect(try await fake.last()?["error"]?["code"]?.int == -32601)
    #expect(try view.error?.number == 2)
    async let over: Void = bounded { try await view.until { try $0.error == nil } }
    try fake.tell("error", #""value":null"#)
    try await over
  }

  private func failure(_ number: Int) -> String {
    #"{"code":1,"message":"m","retryable":false,"trigger":"reachBottom","number":\#(number)}"#
  }

  @Test func `the debug description of a view has its name and its screen's`() async throws {
    let (fake, session) = try await Fake.serve()
    #expect("\(try await fake.open(session))" == #"RemoteView("v", of: "rows")"#)
  }

  @Test func `inputs are encoded as their ports declare`() async throws {
    let (fake, session) = try await Fake.serve()
    let view = try await fake.open(session)
    view.viewport.send(Viewport(start: 0, end: 5))
    #expect(try await fake.next("viewport")["params"]?.text == #"{"start":0,"end":5,"view":"v"}"#)
    view.insert.send(Insert(item: try RawJSON(#"{"id":1}"#), before: ItemID(2)))
    #expect(try await fake.next("insert")["params"]?.text == #"{"item":{"id":1},"before":2,"view":"v"}"#)
    view.refresh.send()
    #expect(try await fake.next("refresh")["params"]?.text == #"{"view":"v"}"#)
    view.change.send(Change(item: try RawJSON(#"{"id":1}"#)))
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
