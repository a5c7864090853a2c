import Flow
import Synchronization
import Testing

@testable import Reactor

struct AsyncValuesTests {
  /// Numbers from 0 up to an end. It counts how many were requested.
  private struct Numbers: AsyncSequence, AsyncIteratorProtocol {
    final class Asked: Sendable {
      let count = Mutex(0)
    }

    var count: Int
    var failure: (any Error)?
    let asked = Asked()

    func makeAsyncIterator() -> Numbers { self }

    mutating func next() async throws -> Int? {
      await Task.yield()
      let number = asked.count.withLock { count in
        count += 1
        return count - 1
      }
      if number < count { return number }
      if let failure { throw failure }
      return nil
    }
  }

  /// A sequence of one value that records its own deallocation.
  private struct Lasting: AsyncSequence {
    struct AsyncIterator: AsyncIteratorProtocol {
      let life: Life
      var isFirst = true

      mutating func next() async -> Int? {
        defer { isFirst = false }
        return isFirst ? 1 : nil
      }
    }

    final class Life: Sendable {
      let end: AsyncStream<Void>.Continuation

      init(_ end: AsyncStream<Void>.Continuation) { self.end = end }

      deinit { end.finish() }
    }

    let end: AsyncStream<Void>.Continuation

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(life: Life(end)) }
  }

  private struct Refusal: Error, CustomStringConvertible {
    let description = "refused"
  }

  @Test func `values arrive on the loop's thread, each in a step, and then the end`() async throws {
    let steps = try await withLoop { loop in
      var events: [String] = []
      var steps: [[String]] = []
      _ = Observable.values(of: Numbers(count: 3), on: loop).subscribe { events.append("\($0)") }
      loop.run(untilStepEndsWith: {
        steps.append(events)
        return events.last == "completed"
      })
      return steps.map { $0.last }
    }
    #expect(steps == ["next(0)", "next(1)", "next(2)", "completed"])
  }

  @Test func `an error of the sequence is the stream's error, and an empty sequence only completes`() async throws {
    let log = try await withLoop { loop in
      var log: [String] = []
      _ = Observable.values(of: Numbers(count: 1, failure: Refusal()), on: loop).subscribe { log.append("\($0)") }
      loop.run(untilStepEndsWith: { log.count == 2 })
      _ = Observable.values(of: Numbers(count: 0), on: loop).subscribe { log.append("\($0)") }
      loop.run(untilStepEndsWith: { log.count == 3 })
      return log
    }
    #expect(log == ["next(0)", "error(refused)", "completed"])
  }

  @Test func `the sequence is read separately for each subscriber`() async throws {
    let sums = try await withLoop { loop in
      var made = 0
      let stream = Observable.deferred {
        made += 1
        return .values(of: Numbers(count: 3), on: loop)
      }.reduce(0, +)
      var sums: [Int] = [made]
      for _ in 0..<2 { _ = stream.subscribe(onNext: { sums.append($0) }) }
      loop.run(untilStepEndsWith: { sums.count == 3 })
      return sums
    }
    #expect(sums == [0, 3, 3])
  }

  @Test func `one value is requested at a time`() async throws {
    let numbers = Numbers(count: 100)
    let isInStep = try await withLoop { loop in
      var (told, isInStep) = (0, true)
      _ = Observable.values(of: numbers, on: loop).subscribe(onNext: { number in
        told += 1
        isInStep = isInStep && numbers.asked.count.withLock { $0 } == told && number == told - 1
      })
      loop.run(untilStepEndsWith: { told == 100 })
      return isInStep
    }
    #expect(isInStep)
  }

  @Test func `a subscriber that leaves cancels the task, and receives nothing more`() async throws {
    let numbers = Numbers(count: .max)
    let (values, waiting) = try await withLoop { loop in
      var values: [Int] = []
      _ = Observable.values(of: numbers, on: loop).take(3).subscribe(onNext: { values.append($0) })
      loop.run(untilStepEndsWith: { values.count == 3 })
      return (values, loop.handles.count)
    }
    #expect(values == [0, 1, 2])
    #expect(waiting == 0)
    #expect(numbers.asked.count.withLock { $0 } == 3)
  }

  @Test func `a sequence that ignores cancellation emits nothing after the subscription has ended`() async throws {
    let (isTold, count) = try await withLoop { loop in
      let (answer, answers) = AsyncStream.makeStream(of: Int.self)
      let (asked, asking) = AsyncStream.makeStream(of: Void.self)
      let sequence = AsyncStream(unfolding: {
        asking.yield()
        // A separate task isn't cancelled with the task that waits for it.
        return await Task {
          var iterator = answer.makeAsyncIterator()
          return await iterator.next()
        }.value
      })
      var isTold = false
      let subscription = Observable.values(of: sequence, on: loop).subscribe { _ in isTold = true }
      Task.detached { [mailbox = loop.mailbox] in
        for await _ in asked { break }
        mailbox.post {}
      }
      loop.run(untilStepEndsWith: { true })
      subscription.dispose()
      answers.yield(1)
      Task.detached { [mailbox = loop.mailbox] in
        try await Task.sleep(for: .milliseconds(50))
        mailbox.post {}
      }
      loop.run(untilStepEndsWith: { true })
      return (isTold, loop.handles.count)
    }
    #expect(!isTold)
    #expect(count == 0)
  }

  @Test func `cancellation ends a waiting sequence`() async throws {
    let (values, continuation) = AsyncStream.makeStream(of: Int.self)
    let isTold = try await withLoop { loop in
      var isTold = false
      let subscription = Observable.values(of: values, on: loop).subscribe { _ in isTold = true }
      continuation.onTermination = { [mailbox = loop.mailbox] _ in mailbox.post {} }
      subscription.dispose()
      loop.run(untilStepEndsWith: { true })
      return isTold
    }
    #expect(!isTold)
  }

  @Test func `a deallocated loop leaves the sequence`() async throws {
    let (ended, end) = AsyncStream.makeStream(of: Void.self)
    let mailbox = try await withLoop { loop in
      _ = Observable.values(of: Lasting(end: end), on: loop).subscribe()
      return loop.mailbox
    }
    for await _ in ended {}
    withExtendedLifetime(mailbox) {}
  }

  @Test func `a stream becomes a sequence for a task, with the same end`() async throws {
    for failure in [nil, Refusal()] as [Refusal?] {
      let values = try await withLoop { loop in
        let source = PublishSubject<Int>()
        let values = source.values(on: loop)
        for value in 1...3 { source.onNext(value) }
        source.on(failure.map { .error($0) } ?? .completed)
        source.onNext(4)
        return values
      }
      var log: [String] = []
      do {
        for try await value in values { log.append("\(value)") }
        log.append("completed")
      } catch {
        log.append("\(error)")
      }
      #expect(log == ["1", "2", "3", failure == nil ? "completed" : "refused"])
    }
  }

  @Test func `a stream that has ended becomes a sequence, too, and nothing waits`() async throws {
    let (values, waiting) = try await withLoop { loop in
      let values = Observable.of(1, 2).values(on: loop)
      loop.run(untilStepEndsWith: { loop.handles.count == 0 })
      return (values, loop.handles.count)
    }
    var all: [Int] = []
    for try await value in values { all.append(value) }
    #expect(all == [1, 2] && waiting == 0)
  }

  @Test func `releasing the sequence or cancelling its task ends the subscription`() async throws {
    @Sendable func take(_ count: Int, of values: AsyncThrowingStream<Int, any Error>) async throws {
      for try await value in values where value == count { return }
    }
    for count in [2, 9] {
      let isLeft = try await withLoop { loop in
        let source = PublishSubject<Int>()
        let task = Task.detached { [values = source.values(on: loop)] in try await take(count, of: values) }
        for value in 1...2 { source.onNext(value) }
        if count > 2 { task.cancel() }
        loop.run(untilStepEndsWith: { !source.hasObservers })
        return loop.handles.count == 0
      }
      #expect(isLeft)
    }
  }

  @Test func `the end of the loop ends the sequence`() async throws {
    let values = try await withLoop { loop in
      let source = BehaviorSubject(1)
      return source.values(on: loop)
    }
    var all: [Int] = []
    for try await value in values { all.append(value) }
    #expect(all == [1])
  }

  @Test func `the number of values kept for a slow reader can be limited`() async throws {
    let values = try await withLoop { loop in
      Observable.from(0..<100).values(on: loop, bufferingPolicy: .bufferingNewest(2))
    }
    var all: [Int] = []
    for try await value in values { all.append(value) }
    #expect(all == [98, 99])
  }

  @Test func `a stream of a sequence of a stream has the same values`() async throws {
    let values = try await withLoop { loop in
      var values: [Int] = []
      let stream = Observable.from(0..<1000)
      _ = Observable.values(of: stream.values(on: loop), on: loop).toArray().subscribe(onNext: { values = $0 })
      loop.run(untilStepEndsWith: { !values.isEmpty })
      return values
    }
    #expect(values == Array(0..<1000))
  }
}
