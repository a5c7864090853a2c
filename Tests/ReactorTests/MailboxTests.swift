import Synchronization
import Testing

@testable import Reactor

struct MailboxTests {
  let loop: EventLoop

  init() throws { loop = try EventLoop() }

  @Test func `work posted by other threads runs on the loop's thread, in each thread's order`() {
    let mailbox = loop.mailbox
    // Only this thread uses it, because only the loop runs posted work.
    let log = Mutex<[[Int]]>([[], [], []])
    let threads = (0..<3).map { thread in
      Thread {
        for number in 0..<1000 { mailbox.post { log.withLock { $0[thread].append(number) } } }
      }
    }
    var steps = 0
    loop.stepEnded = { [loop] in
      steps += 1
      if log.withLock({ $0.allSatisfy { $0.count == 1000 } }) { loop.stop() }
    }
    loop.run()
    for thread in threads { thread.join() }
    #expect(log.withLock { $0 } == [[Int]](repeating: Array(0..<1000), count: 3))
    #expect(steps >= 3000)
  }

  @Test func `work posted before the run waits for it, however much it is`() {
    let count = Mutex(0)
    for _ in 0..<100_000 { loop.mailbox.post { count.withLock { $0 += 1 } } }
    #expect(count.withLock { $0 } == 0)
    loop.stepEnded = { [loop] in if count.withLock({ $0 == 100_000 }) { loop.stop() } }
    loop.run()
    #expect(count.withLock { $0 } == 100_000)
  }

  @Test func `work posted by posted work waits for the next turn`() {
    let log = Mutex<[String]>([])
    let mailbox = loop.mailbox
    mailbox.post {
      mailbox.post { log.withLock { $0.append("second") } }
      log.withLock { $0.append("first") }
    }
    mailbox.post { log.withLock { $0.append("other") } }
    loop.stepEnded = { [loop] in if log.withLock({ $0.count == 3 }) { loop.stop() } }
    loop.run()
    #expect(log.withLock { $0 } == ["first", "other", "second"])
  }

  @Test func `a long turn leaves remaining posted work to the next one, in order`() throws {
    // Every turn of this loop counts as long.
    let loop = try EventLoop(longestTurn: .seconds(-1))
    let log = Mutex<[Int]>([])
    for number in 0..<100 { loop.mailbox.post { log.withLock { $0.append(number) } } }
    let turns = Mutex(0)
    loop.woken = { turns.withLock { $0 += 1 } }
    loop.stepEnded = { if log.withLock({ $0.count == 100 }) { loop.stop() } }
    loop.run()
    #expect(log.withLock { $0 } == Array(0..<100))
    #expect(turns.withLock { $0 } >= 50)
  }

  @Test func `a mailbox outlives its loop, and work posted then doesn't run`() throws {
    let mailbox = try EventLoop().mailbox
    let count = Mutex(0)
    mailbox.post { count.withLock { $0 += 1 } }
    #expect(mailbox.collect().count == 1)
    #expect(mailbox.collect().count == 0)
    #expect(count.withLock { $0 } == 0)
  }
}
