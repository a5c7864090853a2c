import Foundation
import Testing

@testable import ArticlesExample
@testable import NagareClient

/// Server processes.
@Suite struct ProcessTests {
  @Test func `the error for a missing program names it`() async {
    let there = await #expect(throws: SystemError.self) { try await Session.spawn(["/nowhere/nagare"]) }
    #expect(there?.description == "can't start /nowhere/nagare: No such file or directory")
    let path = await #expect(throws: SystemError.self) { try await Session.spawn(["nagare-of-nowhere"]) }
    #expect(path?.description == "can't start nagare-of-nowhere (is it in PATH?): No such file or directory")
  }

  @Test func `a server that ends at once throws an error with its output`() async throws {
    let folder = try Folder()
    let config = try folder.write("x.json", "{")
    let error = await #expect(throws: ServerDied.self) { try await Session.spawn([Place.nagare, "--config", config]) }
    #expect(error?.end == .exit(status: 78) && error?.standardError.contains("x.json") == true)
    #expect(error?.description.contains("--config \(config)` has ended: exit status 78\n\(config):") == true)
  }

  @Test func `the error contains the reason for a crash before a long backtrace`() async throws {
    let script = "echo 'Main.swift:7: Precondition failed: no account' >&2; seq 5000 >&2; exit 1"
    let error = await #expect(throws: ServerDied.self) { try await Session.spawn(["sh", "-c", script]) }
    #expect(error?.standardError.hasPrefix("Main.swift:7: Precondition failed: no account\n…\n") == true)
    #expect(error?.standardError.hasSuffix("\n5000") == true)
  }

  @Test func `the server's standard error is passed to the log function`() async throws {
    let (lines, log) = AsyncStream<String>.makeStream()
    let session = try await Session.spawn([Place.nagare, "--log"], log: { log.yield($0) })
    #expect(await lines.first { $0.contains("initialize") } != nil)
    #expect(await session.close() == .exit(status: 0))
  }

  @Test func `a server that hangs is killed`() async throws {
    let script = """
      import json, sys, time, signal
      for line in sys.stdin:
          message = json.loads(line)
          if message["method"] == "shutdown": time.sleep(600)
          print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": {"protocolVersion": "1", "screens": []}}), flush=True)
      """
    let session = try await Session.spawn(["python3", "-c", script])
    #expect(await session.close(patience: .milliseconds(1)) == .signal(15))
    await #expect(throws: SessionClosed.self) { try await session.ping() }
  }

  /// The server is the tutorial's, and this client uses its view model's types.
  @Test func `a view has the types of its view model`() async throws {
    let program = "\(Place.built)/ArticlesExample"
    let session = try await Session.spawn([program])
    let articles = try await session.open("articles", as: Articles.self)
    #expect(try await articles.refresh() == .finished)
    #expect(try articles.items.count == 3 && !articles.loading)
    let first: Article = try #require(try articles.items.first)
    #expect(first.title == "Article 0 on page 1")
    let opened = articles.values(\.opened)
    try await articles.select("1.2")
    #expect(try await opened.first { _ in true }?.title == "Article 2 on page 1")
    let lists = articles.values(\.items)
    try await articles.reachBottom()
    #expect(try await lists.first { $0.count == 6 }?.last?.id == "2.2")
    #expect(try articles.error == nil)
    let error = await #expect(throws: ResponseError.self) { try await articles.select("nothing") }
    #expect(error?.kind == .invalidParams && error?.parameter == "id")
    #expect(await session.close() == .exit(status: 0))
  }

  @Test func `many sessions and threads share the loop`() async throws {
    try await withThrowingTaskGroup { group in
      for _ in 0..<8 {
        group.addTask {
          let session = try await Session.spawn([Place.nagare, "--clock", "virtual"])
          let view = try await session.open("items", ["pageSize": 5], as: ListView<RawJSON>.self)
          view.viewWillAppear.send()
          for page in 1...20 {
            try await session.advance(1300)
            #expect(try view.items.count == page * 5)
            view.reachBottom.send()
          }
          #expect(await session.close() == .exit(status: 0))
        }
      }
      try await group.waitForAll()
    }
  }
}
