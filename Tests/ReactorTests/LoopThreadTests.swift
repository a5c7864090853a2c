import Flow
import Testing

@testable import Reactor

@Suite struct LoopThreadTests {
  /// A counter that reports its deallocation.
  private final class Counter {
    var count = 0
    let gone: AsyncStream<Int>.Continuation

    init(_ gone: AsyncStream<Int>.Continuation) { self.gone = gone }

    deinit {
      gone.yield(count)
      gone.finish()
    }
  }

  private struct Refused: Error {}

  @Test func `a resident does its work in order, from any thread, until it moves out`() async throws {
    let (stream, gone) = AsyncStream<Int>.makeStream()
    let resident = try await Resident { _ in Counter(gone) }
    await withTaskGroup { group in
      for _ in 0..<8 {
        group.addTask { for _ in 0..<100 { resident.perform { $0.count += 1 } } }
      }
    }
    let count = await withCheckedContinuation { continuation in
      resident.perform { continuation.resume(returning: $0.count) }
    }
    #expect(count == 800)
    resident.moveOut()
    resident.perform { $0.count = -1 }
    #expect(await stream.first { _ in true } == 800)
  }

  @Test func `an error in making a resident is thrown`() async {
    await #expect(throws: Refused.self) { try await Resident<Counter> { _ in throw Refused() } }
  }

  @Test func `there is one loop, and its timers run`() async throws {
    let mailbox = try LoopThread.mailbox()
    #expect(try LoopThread.mailbox() === mailbox)
    await withCheckedContinuation { continuation in
      mailbox.send { loop in _ = loop.schedule(after: .milliseconds(1)) { continuation.resume() } }
    }
  }
}
