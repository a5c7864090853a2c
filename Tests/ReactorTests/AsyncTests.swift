import Flow
import Synchronization
import Testing

@testable import Reactor

struct AsyncTests {
  @Test func `the value and the completion arrive on the loop's thread, in one step`() async throws {
    let steps = try await withLoop { loop in
      var events: [String] = []
      var steps: [[String]] = []
      _ = Observable<Int>.async(on: loop) {
        await Task.yield()
        return 7
      }
      .subscribe { events.append("\($0)") }
      steps.append(events)
      loop.run(untilStepEndsWith: {
        steps.append(events)
        return events.count > 0
      })
      return steps
    }
    #expect(steps == [[], ["next(7)", "completed"]])
  }

  @Test func `an error that the work throws is the stream's error`() async throws {
    struct Refusal: Error {}
    let failure = try await withLoop { loop in
      var failure: (any Error)?
      _ = Observable<Int>.async(on: loop) { throw Refusal() }.subscribe(onError: { failure = $0 })
      loop.run(untilStepEndsWith: { failure != nil })
      return failure
    }
    #expect(failure is Refusal)
  }

  @Test func `the work runs once for each subscriber, and not before`() async throws {
    let starts = Mutex(0)
    let values = try await withLoop { loop in
      let stream = Observable<Int>.async(on: loop) {
        starts.withLock { starts in
          starts += 1
          return starts
        }
      }
      var values: Set<Int> = [starts.withLock { $0 }]
      for _ in 0..<3 { _ = stream.subscribe(onNext: { values.insert($0) }) }
      loop.run(untilStepEndsWith: { values.count == 4 })
      return values
    }
    #expect(values == [0, 1, 2, 3])
  }

  @Test func `disposing of the subscription cancels the task`() async throws {
    let wasCancelled = Mutex(false)
    let isTold = try await withLoop { loop in
      let mailbox = loop.mailbox
      var isTold = false
      let subscription = Observable<Int>.async(on: loop) {
        // The work ends only by cancellation.
        while !Task.isCancelled { await Task.yield() }
        wasCancelled.withLock { $0 = true }
        mailbox.post {}
        return 1
      }
      .subscribe { _ in isTold = true }
      subscription.dispose()
      loop.run(untilStepEndsWith: { wasCancelled.withLock { $0 } })
      return isTold
    }
    #expect(!isTold)
  }

  @Test func `nothing is emitted after disposal, not even a result that was ready`() async throws {
    let (isTold, waiting) = try await withLoop { loop in
      var isTold = false
      let subscription = Observable<Int>.async(on: loop) { 1 }.subscribe { _ in isTold = true }
      var letters: [Mailbox.Work] = []
      while letters.isEmpty { letters = loop.mailbox.collect() }
      subscription.dispose()
      for letter in letters { letter(loop) }
      return (isTold, loop.handles.count)
    }
    #expect(!isTold)
    #expect(waiting == 0)
  }

  @Test func `an inner stream that is left is cancelled, and the newest one is emitted`() async throws {
    let (values, waiting) = try await withLoop { loop in
      let pages = PublishSubject<Int>()
      var values: [Int] = []
      let subscription =
        pages
        .flatMapLatest { page in
          Observable<Int>.async(on: loop) {
            while page < 3, !Task.isCancelled { await Task.yield() }
            return page
          }
        }
        .subscribe(onNext: { values.append($0) })
      for page in 1...3 { pages.onNext(page) }
      loop.run(untilStepEndsWith: { !values.isEmpty })
      subscription.dispose()
      return (values, loop.handles.count)
    }
    #expect(values == [3])
    #expect(waiting == 0)
  }

  @Test func `a thousand tasks at a time all arrive`() async throws {
    let values = try await withLoop { loop in
      var values: Set<Int> = []
      for number in 0..<1000 {
        _ = Observable<Int>.async(on: loop) {
          await Task.yield()
          return number
        }
        .subscribe(onNext: { values.insert($0) })
      }
      loop.run(untilStepEndsWith: { values.count == 1000 })
      return values
    }
    #expect(values == Set(0..<1000))
  }
}
