import Flow
import FlowTesting
import Testing

/// Asynchronous sequences as streams, on a virtual clock: no test awaits anything.
@Suite struct AsyncSequencesTests {
  /// Emits numbers from 1 on, one every 100 ms.
  struct Numbers: AsyncSequence, Sendable {
    struct Iterator: AsyncIteratorProtocol {
      let numbers: Numbers
      var last = 0

      mutating func next() async throws -> Int? {
        try await numbers.sleep(.milliseconds(100))
        if last == numbers.count {
          if numbers.fails { throw MarbleError() }
          return nil
        }
        last += 1
        return last
      }
    }

    let count: Int
    let fails: Bool
    let sleep: @Sendable (Duration) async throws -> Void

    func makeAsyncIterator() -> Iterator { Iterator(numbers: self) }
  }

  let m = Marbles()

  private func numbers(_ count: Int, fails: Bool = false) -> Observable<Int> {
    .values(of: Numbers(count: count, fails: fails, sleep: m.clock.sleep), on: m.clock)
  }

  @Test func `values and the end are emitted at their times`() { m.expect(numbers(2), "-12|") }

  @Test func `an error of the sequence fails the stream`() { m.expect(numbers(1, fails: true), "-1#") }

  @Test func `each subscription reads the sequence from its start`() {
    let stream = numbers(3)
    let first = m.record(stream)
    m.clock.run(until: .milliseconds(150))
    let second = m.record(stream)
    m.clock.run()
    first.expect(" -123|")
    second.expect("--123|")
  }

  @Test func `nothing is emitted after the subscription has ended`() {
    let recording = m.record(numbers(9))
    m.clock.run(until: .milliseconds(250))
    recording.dispose()
    m.clock.run()
    recording.expect("-12")
  }

  @Test func `a subscriber may leave while it receives a value`() { m.expect(numbers(9).take(2), "-1(2|)") }

  @Test func `values that are ready are emitted immediately`() {
    let (sequence, values) = AsyncStream.makeStream(of: Int.self)
    for number in 1...3 { values.yield(number) }
    values.finish()
    let recording = m.record(Observable.values(of: sequence, on: m.clock))
    m.clock.run()
    recording.expect("(123|)")
  }

  @Test func `a sequence may end or fail immediately`() {
    let (empty, end) = AsyncStream.makeStream(of: Int.self)
    end.finish()
    let ended = m.record(Observable.values(of: empty, on: m.clock))
    let failed = m.record(
      Observable.values(of: AsyncThrowingStream<Int, any Error>(unfolding: { throw MarbleError() }), on: m.clock))
    m.clock.run()
    ended.expect(" |")
    failed.expect("#")
  }

  @Test func `an endless sequence of ready values is read until the subscriber leaves`() {
    let endless = AsyncStream(unfolding: { 1 })
    var count = 0
    let stream = Observable.values(of: endless, on: m.clock).take(50_000)
    _ = stream.subscribe(onNext: { count += $0 })
    m.clock.run()
    #expect(count == 50_000)
  }

  /// A sequence that continues when its task is cancelled.
  struct Stubborn: AsyncSequence, AsyncIteratorProtocol, Sendable {
    let answer: AsyncStream<Int>

    func makeAsyncIterator() -> Stubborn { self }

    mutating func next() async -> Int? {
      // A separate task isn't cancelled with the task that waits for it.
      await Task { [answer] in
        var iterator = answer.makeAsyncIterator()
        return await iterator.next()
      }.value
    }
  }

  @Test func `a sequence that ignores cancellation emits nothing after the subscription has ended`() async {
    let (answer, answers) = AsyncStream.makeStream(of: Int.self)
    let recording = m.record(Observable.values(of: Stubborn(answer: answer), on: m.clock))
    m.clock.run()
    recording.dispose()
    answers.yield(1)
    for _ in 0..<100 { await Task.yield() }
    m.clock.run()
    recording.expect("-")
    #expect(recording.elements == [])
  }

  @Test func `an ended subscription leaves nothing in memory`() {
    let count = Token.Count()
    do {
      let token = Token("a", count)
      let subscription = numbers(9).subscribe(onNext: { _ in _ = token })
      m.clock.run(until: .milliseconds(150))
      subscription.dispose()
      m.clock.run()
    }
    #expect(count.alive == 0)
  }
}
