import Foundation
import Testing

@testable import NagareClient

/// Requests in both directions, with a fake server.
@Suite struct SessionTests {
  @Test(arguments: [RPCError.Code.invalidParams.rawValue, RPCError.Code.noSuchView.rawValue, 7])
  func `an error has its code and data`(_ code: Int) async throws {
    let (fake, session) = try await Fake.serve()
    let view = try await fake.open(session)
    let calling = Task { try await view.refresh() }
    try fake.refuse(
      try await fake.next("refresh"), #"{"code":\#(code),"message":"no","data":{"param":"id","expected":"an id"}}"#)
    let error = await #expect(throws: ResponseError.self) { try await calling.value }
    #expect(error?.code == code && error?.message == "no" && error?.kind == RPCError.Code(rawValue: code))
    #expect(error?.parameter == "id" && error?.expected == "an id" && error?.description == "no (\(code))")
  }

  @Test func `cancelling a call cancels its request`() async throws {
    let (fake, session) = try await Fake.serve()
    let view = try await fake.open(session)
    let calling = Task { try await view.refresh() }
    let asked = try await fake.next("refresh")
    calling.cancel()
    await #expect(throws: CancellationError.self) { try await calling.value }
    let cancelled = try await fake.next("$/cancelRequest")
    #expect(cancelled["params"]?["id"]?.int == asked["id"]?.int && cancelled["id"] == nil)
    try fake.refuse(asked, #"{"code":-32800,"message":"cancelled"}"#)
    try await fake.settle(session)
  }

  @Test func `a cancelled task sends no request`() async throws {
    let (fake, session) = try await Fake.serve()
    let (go, gone) = AsyncStream<Void>.makeStream()
    let calling = Task {
      for await _ in go {}
      try await session.advance(1)
    }
    calling.cancel()
    gone.finish()
    await #expect(throws: CancellationError.self) { try await calling.value }
    try await fake.settle(session)
  }

  @Test func `a view is closed if its open call was cancelled`() async throws {
    let (fake, session) = try await Fake.serve()
    let opening = Task { try await session.open("rows") }
    let asked = try await fake.next("open")
    opening.cancel()
    _ = try await fake.next("$/cancelRequest")
    await #expect(throws: CancellationError.self) { try await opening.value }
    try fake.answer(asked, #"{"view":"v","screen":"rows","outputs":{}}"#)
    let closed = try await fake.next("close")
    #expect(closed["params"]?["view"]?.string == "v" && closed["id"] == nil)
  }

  @Test func `an unknown version of the protocol is refused`() async throws {
    let (fake, descriptor) = try Fake.pair()
    let connecting = Task { try await Session.connect(reading: descriptor, writing: descriptor) }
    try await fake.greet(version: "2")
    let error = await #expect(throws: ProtocolError.self) { try await connecting.value }
    #expect(error?.description == #"the server speaks version "2", not "1""#)
  }

  @Test(arguments: [
    "Warning: hello", #"{"jsonrpc""#, #"{"jsonrpc":"2.0","method":"navigate","params":{"view":"v","value":5}}"#,
    #"{"jsonrpc":"2.0","method":"items","params":{"view":"v","base":0,"splices":[{"start":0}]}}"#,
    #"{"jsonrpc":"2.0","method":"loading","params":{"view":"v"}}"#,
  ])
  func `an invalid message of the server ends the session`(_ nonsense: String) async throws {
    let (fake, session) = try await Fake.serve()
    let view = try await fake.open(session)
    let pinging = Task { try await session.ping() }
    let waiting = Task { try await view.untilClosed() }
    _ = try await fake.next("ping")
    try fake.say(nonsense)
    let error = await #expect(throws: ProtocolError.self) { try await pinging.value }
    #expect(error?.description.contains("the server") == true)
    await #expect(throws: ProtocolError.self) { try await waiting.value }
  }

  @Test func `unknown messages and fields are ignored`() async throws {
    let (fake, session) = try await Fake.serve()
    let view = try await fake.open(session)
    for line in [
      " \r", #"{"jsonrpc":"2.0","method":"sparkle","params":{"view":"v","value":1}}"#,
      #"{"jsonrpc":"2.0","method":"loading","params":{"view":"nobody","value":true}}"#,
      #"{"jsonrpc":"2.0","method":"$/sparkle"}"#, #"{"jsonrpc":"2.0","id":99,"result":{}}"#,
    ] { try fake.say(line) }
    try fake.tell("loading", #""value":true,"new":1"#)
    try await fake.settle(session)
    #expect(try view.loading == true)
  }

  @Test func `the end of a connection ends all waiting calls`() async throws {
    let (fake, session) = try await Fake.serve()
    let view = try await fake.open(session)
    let errors = view.values(\.error)
    let waiting: [@Sendable () async throws -> Void] = [
      { try await session.ping() }, { try await view.refresh() }, { try await view.until { try !$0.items.isEmpty } },
      { try await view.untilClosed() }, { for try await _ in errors {} },
    ]
    try await withThrowingTaskGroup { group in
      for wait in waiting { group.addTask { await #expect(throws: ServerDied.self) { try await wait() } } }
      fake.end()
      try await group.waitForAll()
    }
    #expect(try view.isClosed && view.items.isEmpty)
    let error = await #expect(throws: ServerDied.self) { try await session.ping() }
    #expect(error?.description == "the connection to the server has ended")
    await #expect(throws: ServerDied.self) { for try await _ in view.values(\.loading).dropFirst() {} }
  }

  @Test func `closing a session sends shutdown and exit`() async throws {
    let (fake, session) = try await Fake.serve()
    let view = try await fake.open(session)
    async let closing = session.close()
    try fake.answer(try await fake.next("shutdown"))
    #expect(try await fake.next("exit")["id"] == nil)
    #expect(await closing == nil)
    #expect(try await fake.last() == nil)
    await #expect(throws: SessionClosed.self) { try await view.refresh() }
    await #expect(throws: SessionClosed.self) { try await view.untilClosed() }
    #expect(await session.close() == nil)
  }

  @Test func `closing does not wait for a server that does not end`() async throws {
    let (fake, session) = try await Fake.serve()
    #expect(await session.close(patience: .milliseconds(1)) == nil)
    _ = try await fake.next("shutdown")
    _ = try await fake.next("exit")
    #expect(try await fake.last() == nil)
  }

  @Test func `a session ends when its last reference is released`() async throws {
    let (fake, descriptor) = try Fake.pair()
    let using = Task { _ = try await Session.connect(reading: descriptor, writing: descriptor) }
    try await fake.greet()
    try await using.value
    #expect(try await fake.last() == nil)
  }

  @Test func `a stream keeps its session alive`() async throws {
    let (fake, descriptor) = try Fake.pair()
    var streams: (AsyncThrowingStream<Bool, any Error>, AsyncThrowingStream<AnyRemoteView, any Error>)?
    do {
      async let greeting: Void = fake.greet()
      let session = try await Session.connect(reading: descriptor, writing: descriptor)
      try await greeting
      let view = try await fake.open(session)
      streams = (view.values(\.loading), view.navigations())
    }
    try fake.tell("loading", #""value":true"#)
    #expect(try await streams?.0.first { $0 } == true)
    try fake.tell("navigate", #""value":{"view":"w","screen":"row","outputs":{}}"#)
    #expect(try await streams?.1.first { _ in true }?.viewName == "w")
    streams = nil
    #expect(try await fake.last() == nil)
  }

  @Test func `a session has a method for each method of the protocol`() async throws {
    let (fake, session) = try await Fake.serve()
    async let dispatched = session.dispatch("a", 5)
    let asked = try await fake.next("dispatch")
    #expect(asked["params"]?.text == #"{"action":{"type":"a","value":5},"wait":true}"#)
    try fake.answer(asked, #"{"outcome":"nothing"}"#)
    #expect(try await dispatched == .nothing)
    session.sendAction("b")
    let sent = try await fake.next("dispatch")
    #expect(sent["params"]?.text == #"{"action":{"type":"b","value":null}}"# && sent["id"] == nil)
    async let now = session.advance(300)
    try fake.answer(try await fake.next("clock/advance"), #"{"now":900}"#)
    #expect(try await now == 900)
    async let document = session.discover()
    try fake.answer(try await fake.next("rpc.discover"), #"{"openrpc":"1.3.2"}"#)
    #expect(try await document["openrpc"]?.string == "1.3.2")
    #expect(session.screens.map(\.name) == ["rows", "row", "tasks"] && session.server["name"]?.string == "fake")
  }
}
