import Testing

@testable import NagareHTTP

struct BackoffTests {
  private let backoff = Backoff(retries: 10)

  @Test func `pauses double up to a limit`() {
    let pauses = (1...7).map { backoff.pause(after: $0, elapsed: .zero, asked: nil, chance: 1) }
    #expect(pauses == [0.5, 1, 2, 4, 8, 8, 8].map { .seconds($0) })
  }

  @Test func `randomness shortens a pause to its half at most`() {
    #expect(backoff.pause(after: 2, elapsed: .zero, asked: nil, chance: 0) == .milliseconds(500))
    #expect(backoff.pause(after: 2, elapsed: .zero, asked: nil, chance: 0.5) == .milliseconds(750))
  }

  @Test func `the server's Retry-After makes a pause longer, never shorter`() {
    #expect(backoff.pause(after: 1, elapsed: .zero, asked: .seconds(20), chance: 1) == .seconds(20))
    #expect(backoff.pause(after: 1, elapsed: .zero, asked: .zero, chance: 1) == .milliseconds(500))
  }

  @Test func `no pause exceeds the time limit of the request`() {
    #expect(backoff.pause(after: 1, elapsed: .zero, asked: .seconds(25), chance: 1) == nil)
    #expect(backoff.pause(after: 1, elapsed: .seconds(24), asked: nil, chance: 1) == .milliseconds(500))
    #expect(backoff.pause(after: 1, elapsed: .seconds(25), asked: nil, chance: 1) == nil)
  }

  @Test func `the number of tries is limited`() {
    #expect(Backoff(retries: 0).pause(after: 1, elapsed: .zero, asked: nil, chance: 1) == nil)
    #expect(Backoff(retries: 1).pause(after: 1, elapsed: .zero, asked: nil, chance: 1) != nil)
    #expect(Backoff(retries: 1).pause(after: 2, elapsed: .zero, asked: nil, chance: 1) == nil)
  }
}
