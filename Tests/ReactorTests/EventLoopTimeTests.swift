import Flow
import Testing

@testable import Reactor

struct EventLoopTimeTests {
  let loop: EventLoop

  init() throws { loop = try EventLoop() }

  @Test func `timers run in the order of their times, and at the same time in the order of setting`() {
    var order: [Int] = []
    for (number, milliseconds) in [3, 1, 2, 1, 0, 3].enumerated() {
      loop.timer { order.append(number) }.arm(at: .milliseconds(milliseconds - 10))
    }
    let last = loop.schedule(after: .zero) { [loop] in loop.stop() }
    #expect(loop.run(atMostTurns: 100))
    #expect(order == [4, 1, 3, 2, 0, 5])
    last.dispose()
  }

  @Test func `a timer runs when it is due, not before`() {
    var time: Duration?
    let due = loop.now + .milliseconds(3)
    let timer = loop.timer { [loop] in
      time = loop.now
      loop.stop()
    }
    timer.arm(at: due)
    loop.run()
    #expect(time.map { $0 >= due } == true)
  }

  @Test func `a cancelled timer doesn't run`() {
    var ran: [Int] = []
    let off = loop.schedule(after: .zero) { ran.append(1) }
    let disarmed = loop.timer { ran.append(2) }
    disarmed.arm(after: .zero)
    disarmed.disarm()
    off.dispose()
    let last = loop.schedule(after: .zero) { [loop] in loop.stop() }
    loop.run()
    #expect(ran == [])
    last.dispose()
  }

  @Test func `a timer that sets itself to now can't block the descriptors`() throws {
    let pipe = try Descriptor.pipe()
    var runs = 0
    var again: () -> Void = {}
    let timer = loop.timer { again() }
    again = { [loop] in
      runs += 1
      timer.arm(after: runs % 2 == 0 ? .zero : .seconds(-1))
      if runs == 10_000 { loop.stop() }
    }
    timer.arm(after: .zero)
    _ = loop.watch(pipe.reading, for: .reading) { [loop] _ in loop.stop() }
    #expect(try pipe.writing.say("x"))
    loop.run()
    #expect(runs < 10)
    again = {}
    pipe.reading.close()
    pipe.writing.close()
  }

  @Test func `descriptors can't block the timers`() throws {
    let pipe = try Descriptor.pipe()
    var turns = 0
    _ = loop.watch(pipe.reading, for: .reading) { [loop] _ in
      turns += 1
      if turns == 10_000 { loop.stop() }
    }
    #expect(try pipe.writing.say("x"))
    let timer = loop.schedule(after: .zero) { [loop] in loop.stop() }
    loop.run()
    #expect(turns < 10)
    timer.dispose()
    pipe.reading.close()
    pipe.writing.close()
  }

  @Test func `time is constant within a turn, and never goes backwards`() {
    var times: [Duration] = []
    var turns = 0
    let first = loop.timer { [loop] in times.append(loop.now) }
    var again: () -> Void = {}
    let second = loop.timer { again() }
    again = { [loop] in
      times.append(loop.now)
      turns += 1
      if turns == 50 { loop.stop() }
      first.arm(after: .zero)
      second.arm(after: .zero)
    }
    first.arm(after: .zero)
    second.arm(after: .zero)
    loop.run()
    #expect(times.count == 100)
    #expect(times == times.sorted())
    for turn in 0..<50 { #expect(times[2 * turn] == times[2 * turn + 1]) }
    again = {}
  }

  @Test func `stepEnded is called after each timer, but not after a descriptor's handler`() throws {
    let pipe = try Descriptor.pipe()
    var order: [String] = []
    loop.stepEnded = { order.append("end") }
    for name in ["timer 1", "timer 2"] { loop.timer { order.append(name) }.arm(after: .zero) }
    let watch = loop.watch(pipe.reading, for: .reading) { _ in
      order.append("watch")
      _ = try? pipe.reading.hear()
    }
    #expect(try pipe.writing.say("x"))
    #expect(!loop.run(atMostTurns: 3))
    #expect(order.prefix(5) == ["watch", "timer 1", "end", "timer 2", "end"])
    watch.cancel()
    pipe.reading.close()
    pipe.writing.close()
  }

  @Test func `a long turn leaves remaining timers to the next one, with descriptors in between`() throws {
    // Every turn of this loop counts as long.
    let loop = try EventLoop(longestTurn: .seconds(-1))
    let pipe = try Descriptor.pipe()
    var order: [String] = []
    let timers = (1...4).map { number in loop.schedule(after: .zero) { order.append("\(number)") } }
    let last = loop.schedule(after: .zero) { loop.stop() }
    let watch = loop.watch(pipe.reading, for: .reading) { _ in order.append("read") }
    #expect(try pipe.writing.say("x"))
    loop.run()
    #expect(order == ["read", "1", "read", "2", "read", "3", "read", "4", "read"])
    for timer in timers + [last] { timer.dispose() }
    watch.cancel()
  }

  @Test func `a loop can be run again`() {
    for _ in 0..<3 {
      var hasRun = false
      let timer = loop.schedule(after: .zero) { [loop] in
        hasRun = true
        loop.stop()
      }
      loop.run()
      #expect(hasRun)
      timer.dispose()
    }
  }
}
