import Randomness
import Testing

@testable import NagareClient

/// Windows of lists of any length.
@Suite struct WindowTests {
  struct Letter: Codable, Equatable {
    let id: String
  }

  private static let long = 10_000_000

  private func open(
    _ fake: Fake, _ session: Session, _ value: String, start: Int = 0, count: Int = WindowTests.long
  ) async throws -> ListView<Letter> {
    let view = try await fake.open(session).as(ListView<Letter>.self)
    try fake.tell("items", #""value":\#(value),"revision":7,"start":\#(start),"count":\#(count),"exact":true"#)
    try await fake.settle(session)
    return view
  }

  private func tell(
    _ fake: Fake, _ base: Int, start: Int, count: Int = WindowTests.long, exact: Bool = true, _ splices: String = ""
  ) throws {
    let place = #""start":\#(start),"count":\#(count),"exact":\#(exact)"#
    try fake.tell("items", #""base":\#(base),"revision":\#(base + 1),\#(place),"splices":[\#(splices)]"#)
  }

  @Test func `a window has its rows at their positions in the list`() async throws {
    let (fake, session) = try await Fake.serve()
    let view = try await open(fake, session, #"[{"id":"a"},{"id":"b"},null]"#)
    let before = try view.window(\.items)
    #expect(before.count == Self.long && before.isExact && before.start == 0 && before.revision == 7)
    #expect(before.peek(0) == Letter(id: "a") && before.peek(2) == nil && before.peek(Self.long - 1) == nil)
    try tell(
      fake, 7, start: 4_999_950, exact: false,
      #"{"start":0,"deleteCount":2,"items":[]},{"start":1,"deleteCount":0,"items":[{"id":"x"},null]}"#)
    try await fake.settle(session)
    let now = try view.window(\.items)
    #expect(now.heldIndices == 4_999_950..<4_999_953 && !now.isExact && now.revision == 8)
    #expect(Array(now.held) == [nil, Letter(id: "x"), nil])
    #expect(now.peek(4_999_951) == Letter(id: "x") && now.peek(0) == nil && now.peek(4_999_949) == nil)
    #expect(before.peek(0) == Letter(id: "a"), "an old one stays as it was")
    #expect(try before != now && now == view.window(\.items))
    #expect("\(now)" == "Window(3 of 10000000 from 4999950)")
    // A row inserted above the window moves the window by one, and changes nothing else.
    try tell(fake, 8, start: 4_999_951, count: Self.long + 1)
    try await fake.settle(session)
    #expect(try view.window(\.items).peek(4_999_952) == Letter(id: "x"))
    #expect(try view.window(\.items).count == Self.long + 1)
  }

  @Test func `a window is a collection`() async throws {
    let (fake, session) = try await Fake.serve()
    let window = try await open(fake, session, #"[{"id":"a"},null]"#, start: 1, count: 4).window(\.items)
    var all: [Letter?] = []
    for letter in window { all.append(letter) }
    #expect(all == [nil, Letter(id: "a"), nil, nil] && Array(window) == all)
    #expect(window[1..<3].map { $0 } == [Letter(id: "a"), nil] && Array(window.reversed()).count == 4)
    #expect(window.indices == 0..<4 && !window.isEmpty)
  }

  @Test func `a list is read either as a window or as rows`() async throws {
    let (fake, session) = try await Fake.serve()
    let view = try await open(fake, session, #"[{"id":"a"}]"#, start: 4, count: 9)
    #expect(throws: OutputMismatch.self) { try view.items }
    let windows = view.windows(\.items)
    #expect(try await windows.first { _ in true }?.start == 4)
    try fake.tell("items", #""value":[{"id":"a"}],"revision":8"#)
    try await fake.settle(session)
    #expect(try view.items.map(\.id) == ["a"])
    #expect(throws: OutputMismatch.self) { try view.window(\.items) }
  }

  @Test(arguments: [
    #""base":6,"revision":8,"start":0,"count":5,"exact":true,"splices":[]"#,
    #""base":7,"revision":8,"start":0,"count":5,"exact":true,"splices":[{"start":9,"deleteCount":0,"items":[]}]"#,
    #""base":7,"revision":8,"start":4,"count":5,"exact":true,"splices":[]"#,
    #""base":7,"revision":8,"start":-1,"count":5,"exact":true,"splices":[]"#,
  ])
  func `a client that missed a revision requests the outputs`(_ lost: String) async throws {
    let (fake, session) = try await Fake.serve()
    let view = try await open(fake, session, #"[{"id":"a"},{"id":"b"}]"#, count: 5)
    try fake.tell("items", lost)
    let asked = try await fake.next("outputs")
    #expect(try Array(view.window(\.items).held) == [Letter(id: "a"), Letter(id: "b")])
    let now = #"{"value":[{"id":"c"}],"revision":9,"start":3,"count":6,"exact":false}"#
    try fake.answer(asked, #"{"outputs":{"items":\#(now)}}"#)
    try await fake.settle(session)
    #expect(try Array(view.window(\.items)) == [nil, nil, nil, Letter(id: "c"), nil, nil])
  }

  @Test func `the input viewport contains the revision of its row numbers`() async throws {
    let (fake, session) = try await Fake.serve()
    let view = try await open(fake, session, #"[{"id":"a"}]"#)
    view.viewport.send(5..<9)
    #expect(try await fake.next("viewport")["params"]?.text == #"{"start":5,"end":9,"view":"v","revision":7}"#)
    try tell(fake, 7, start: 3)
    try await fake.settle(session)
    async let moved = view.viewport(Viewport(start: 5, end: 9))
    let asked = try await fake.next("viewport")
    #expect(asked["params"]?["revision"]?.int == 8 && asked["params"]?["wait"]?.bool == true)
    try fake.answer(asked, #"{"outcome":"finished"}"#)
    #expect(try await moved == .finished)
    view.refresh.send()
    #expect(try await fake.next("refresh")["params"]?["revision"] == nil)
    async let jumped = view.jump(index: 700)
    let jump = try await fake.next("jump")
    #expect(jump["params"]?.text == #"{"index":700,"view":"v","wait":true}"#)
    let targets = view.values(\.scrollTo)
    try fake.tell("scrollTo", #""value":{"index":700,"id":null}"#)
    try fake.answer(jump, #"{"outcome":"nothing"}"#)
    #expect(try await jumped == .nothing)
    let target = try await targets.first { _ in true }
    #expect(target?.index == 700 && target?.id == nil)
  }

  @Test func `reading a row reports that it is in sight`() async throws {
    let (fake, session) = try await Fake.serve()
    let view = try await open(fake, session, "[null]")
    var window = try view.window(\.items)
    #expect(window[500] == nil)
    #expect(try await fake.next("viewport")["params"]?.text == #"{"end":501,"revision":7,"start":500,"view":"v"}"#)
    // Rows that are only peeked at aren't reported, nor rows that were reported already.
    _ = (window.peek(9), window[500])
    try await fake.settle(session)
    try tell(fake, 7, start: 480)
    try await fake.settle(session)
    window = try view.window(\.items)
    #expect(window[9_000_000] == nil)
    #expect(
      try await fake.next("viewport")["params"]?.text == #"{"end":9000001,"revision":8,"start":9000000,"view":"v"}"#)
    // After a jump, earlier reports don't count.
    view.jump.send(Jump(index: 5))
    _ = try await fake.next("jump")
    #expect(window[9_000_000] == nil)
    #expect(try await fake.next("viewport")["params"]?["start"]?.int == 9_000_000)
  }

  @Test func `rows that are reported together are neighbours`() {
    let sight = Sight()
    for index in 20..<40 { #expect(sight.look(at: index, 1) == (index == 20)) }
    #expect(sight.take()?.rows == 20..<40 && sight.take() == nil)
    #expect(!sight.look(at: 39, 1) && sight.look(at: 41, 1) && !sight.look(at: 40, 1))
    #expect(sight.take()?.rows == 22..<42, "it moves as far as it must")
    #expect(sight.look(at: 21, 1) && sight.take()?.rows == 21..<41)
    _ = (sight.look(at: 0, 1), sight.look(at: 5000, 1), sight.look(at: 5001, 1))
    #expect(sight.take()?.rows == 5000..<5002, "what was looked at last counts")
    for index in 0..<5000 { _ = sight.look(at: index, 1) }
    #expect(sight.take()?.rows == 4500..<5000, "there is an end to what is seen at a time")
    _ = (sight.look(at: 0, 1), sight.look(at: 2, 2))
    #expect(sight.take()?.rows == 2..<3, "numbers of another state are others")
  }

  @Test(arguments: 0..<5) func `a window equals an array after random changes`(_ seed: Int) async throws {
    let (fake, session) = try await Fake.serve()
    var random = SplitMix64(seed: seed)
    let view = try await open(fake, session, "[]", count: 0)
    var held: [String] = []
    for step in 0..<100 {
      let start = Int.random(in: 0...held.count, using: &random)
      let deleteCount = Int.random(in: 0...held.count - start, using: &random)
      let items = (0..<Int.random(in: 0...6, using: &random)).map {
        Bool.random(using: &random) ? "null" : #"{"id":"\#($0)"}"#
      }
      held.replaceSubrange(start..<start + deleteCount, with: items)
      let place = Int.random(in: 0...1_000_000, using: &random)
      let splice = #"{"start":\#(start),"deleteCount":\#(deleteCount),"items":[\#(items.joined(separator: ","))]}"#
      try tell(fake, 7 + step, start: place, count: place + held.count + step % 3, splice)
      guard step % 10 == 0 else { continue }
      try await fake.settle(session)
      let window = try view.window(\.items)
      #expect(window.start == place && window.count == place + held.count + step % 3)
      #expect(window.held.map { $0.map { #"{"id":"\#($0.id)"}"# } ?? "null" } == held)
    }
  }

  @Test func `a list of ten million rows can be read through a window`() async throws {
    let folder = try Folder()
    let config = try folder.write(
      "config.json",
      #"{"sources":{"long":{"type":"demo","rows":10000000}},"screens":{"items":{"viewModel":"list","source":"long"}}}"#)
    let session = try await Session.spawn([Place.nagare, "--clock", "virtual", "--config", config])
    let view = try await session.open("items", ["window": ["margin": 10]], as: ListView<RawJSON>.self)
    view.viewWillAppear.send()
    try await session.advance(1000)
    #expect(try view.window(\.items).count == 10_000_000)
    let targets = view.values(\.scrollTo)
    view.jump.send(Jump(index: 9_999_999))
    #expect(try await targets.first { _ in true }?.index == 9_999_999)
    try await session.advance(1000)
    #expect(try view.window(\.items).last??["id"] != nil)
    #expect(try view.window(\.items)[5_000_000] == nil)
    try await session.ping()
    try await session.advance(1000)
    let window = try view.window(\.items)
    #expect(window.heldIndices.contains(5_000_000) && window.held.count <= 21 && window[5_000_000]?["id"] != nil)
    #expect(await session.close() == .exit(status: 0))
  }
}
