import Foundation
import Testing

@testable import NagareClient

/// How a started server ends, in virtual time, even if other processes hold its streams open.
@Suite struct EndTests {
  /// How `clients/behaviour/ending.py` reacts to `shutdown`.
  enum Shutdown: String, CaseIterable { case answers, ignores }
  /// What makes the server end.
  enum Cause: String, CaseIterable {
    case exit
    case input
    case signal = "SIGTERM"
    case kill = "SIGKILL"
  }

  private static let streams = ["stdin", "stdout", "stderr"]

  @Test(arguments: Shutdown.allCases, Cause.allCases)
  func `a server is ended step by step`(_ shutdown: Shutdown, _ cause: Cause) async throws {
    for held in [[], EndTests.streams] {
      let server = try await Ending(shutdown, cause, held)
      let pending = Task { try await server.session.handle.request("wait") }
      try await server.gets("wait")
      async let closing = server.session.close(patience: .seconds(10))
      try await server.gets("shutdown")
      if shutdown == .ignores { await server.move(5) }
      try await server.gets("exit")
      if cause != .exit { try await server.gets("end of input") }
      if cause == .signal || cause == .kill {
        await server.move(shutdown == .answers ? 10 : 5)
        try await server.gets("SIGTERM")
      }
      if cause == .kill { await server.move(10) }
      #expect(await closing == (cause == .kill ? .signal(9) : .exit(status: 0)))
      try await server.isGone()
      await #expect(throws: SessionClosed.self) { try await pending.value }
      await #expect(throws: SessionClosed.self) { try await server.session.ping() }
    }
  }

  @Test(arguments: EndTests.streams)
  func `a stream held open by another process does not delay the end`(_ held: String) async throws {
    let server = try await Ending(.answers, .exit, [held])
    #expect(await server.session.close() == .exit(status: 0))
    try await server.gets("shutdown", "exit")
    try await server.isGone()
  }

  @Test(arguments: [[], ["stdout"], streams])
  func `a death is detected at once, and earlier output is still read`(_ held: [String]) async throws {
    let server = try await Ending(.answers, .exit, held)
    let handle = server.session.handle
    let waiting = Task { try await handle.request("wait") }
    try await server.gets("wait")
    let error = await #expect(throws: ServerDied.self) { try await handle.request("die") }
    #expect(error?.end == .exit(status: 3))
    #expect(try await waiting.value["now"]?.int == 7)
    await #expect(throws: ServerDied.self) { try await server.session.ping() }
    #expect(await server.session.close() == .exit(status: 3))
    try await server.isGone()
  }

  @Test func `releasing a session ends its server`() async throws {
    var server: Ending? = try await Ending(.ignores, .kill, [])
    let record = try #require(server?.record)
    server = nil
    for await line in record { #expect(line == "end of input" || line == "SIGTERM") }
  }
}

/// A session with a server that records what it receives.
private final class Ending: Sendable {
  let session: Session
  let record: AsyncStream<String>
  private let folder: Folder
  private let holder: pid_t?

  init(_ shutdown: EndTests.Shutdown, _ cause: EndTests.Cause, _ held: [String]) async throws {
    let folder = try Folder()
    let fifo = "\(folder.path)/record"
    try #require(unsafe mkfifo(fifo, 0o600) == 0)
    let (record, lines) = AsyncStream<String>.makeStream()
    // Opens the FIFO for both directions, so that opening doesn't block. It is closed when the server has opened its
    // own end.
    let both = try #require(FileHandle(forUpdatingAtPath: fifo))
    Thread.detachNewThread {
      guard let reading = FileHandle(forReadingAtPath: fifo) else { return lines.finish() }
      var rest = Data()
      while case let data = reading.availableData, !data.isEmpty {
        rest += data
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
          lines.yield(String(decoding: rest[..<end], as: UTF8.self))
          rest.removeSubrange(...end)
        }
      }
      lines.finish()
    }
    let command = ["python3", "-S", "\(Place.behaviour)/ending.py", fifo, shutdown.rawValue, cause.rawValue] + held
    session = try await Session(answering: Handlers(), clock: { _ in VirtualScheduler() }) {
      try ChildLink(command, in: "", log: nil, on: $0)
    }
    try both.close()
    self.record = record
    self.folder = folder
    var first: Substring?
    if !held.isEmpty { first = await record.first { _ in true }?.split(separator: " ").last }
    holder = first.flatMap { pid_t($0) }
  }

  deinit {
    if let holder { kill(holder, SIGKILL) }
  }

  /// Checks the next lines that the server received.
  func gets(_ lines: String...) async throws {
    for line in lines {
      let found = try await bounded { [record] in await record.first { _ in true } }
      #expect(found == line)
    }
  }

  /// Checks that no process of the server's session still runs.
  func isGone() async throws {
    let found = try await bounded { [record] in Optional(await record.first { _ in true }) }
    #expect(found == .some(nil))
  }

  /// Advances the clock by some seconds.
  func move(_ seconds: Int) async {
    await withCheckedContinuation { continuation in
      session.handle.connection.perform { connection in
        (connection.clock as? VirtualScheduler)?.advance(by: .seconds(seconds))
        continuation.resume()
      }
    }
  }
}
