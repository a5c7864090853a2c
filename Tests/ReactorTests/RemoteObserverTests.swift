import Flow
import Synchronization
import Testing

@testable import Reactor

struct RemoteObserverTests {
  private struct Refusal: Error, CustomStringConvertible {
    let description = "refused"
  }

  @Test func `events of another thread arrive on the loop's thread in order, each in a step`() async throws {
    let (values, steps) = try await withLoop { loop in
      let subject = PublishSubject<Int>()
      let remote = RemoteObserver(subject, on: loop)
      var values: [Int] = []
      var steps = 0
      _ = subject.subscribe(onNext: { values.append($0) })
      let thread = Thread { for value in 0..<1000 { remote.onNext(value) } }
      loop.run(untilStepEndsWith: {
        steps += 1
        return values.count == 1000
      })
      thread.join()
      return (values, steps)
    }
    #expect(values == Array(0..<1000) && steps == 1000)
  }

  @Test func `the end arrives, too, and later events are dropped`() async throws {
    for failure in [nil, Refusal()] as [Refusal?] {
      let log = try await withLoop { loop in
        let subject = PublishSubject<Int>()
        var log: [String] = []
        _ = subject.subscribe { log.append("\($0)") }
        let remote = RemoteObserver(subject, on: loop)
        let mailbox = loop.mailbox
        let isSent = Mutex(false)
        Thread {
          remote.onNext(1)
          if let failure { remote.onError(failure) } else { remote.onCompleted() }
          remote.on(.next(2))
          mailbox.post { isSent.withLock { $0 = true } }
        }.join()
        loop.run(untilStepEndsWith: { isSent.withLock { $0 } })
        return log
      }
      #expect(log == ["next(1)", failure == nil ? "completed" : "error(refused)"])
    }
  }

  @Test func `a remote observer can feed a stream made by create, up to its end`() async throws {
    let (values, waiting) = try await withLoop { loop in
      let thread = Mutex<Thread?>(nil)
      let stream = Observable<Int>.create { observer in
        let remote = RemoteObserver(observer, on: loop)
        thread.withLock { $0 = Thread { for value in 1...100 { remote.onNext(value) } } }
        return AnyDisposable.empty
      }
      var values: [Int] = []
      _ = stream.take(3).subscribe(onNext: { values.append($0) })
      loop.run(untilStepEndsWith: { loop.handles.count == 0 })
      thread.withLock { $0?.join() }
      return (values, loop.handles.count)
    }
    #expect(values == [1, 2, 3] && waiting == 0)
  }

  @Test func `a remote observer retains the other observer until its own deallocation`() async throws {
    let states = try await withLoop { loop in
      weak var subject: PublishSubject<Int>?
      var remote: RemoteObserver<Int>?
      do {
        let made = PublishSubject<Int>()
        remote = RemoteObserver(made, on: loop)
        subject = made
      }
      var states = [subject != nil, loop.handles.count == 1]
      remote?.onNext(1)
      remote = nil
      loop.run(untilStepEndsWith: { loop.handles.count == 0 })
      states.append(subject == nil)
      return states
    }
    #expect(states == [true, true, true])
  }

  @Test func `a remote observer may outlive its loop`() async throws {
    let remote = try await withLoop { loop in RemoteObserver(PublishSubject<Int>(), on: loop) }
    remote.onNext(1)
  }
}
