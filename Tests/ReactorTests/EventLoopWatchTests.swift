import Flow
import Testing

@testable import Reactor

struct EventLoopWatchTests {
  let loop: EventLoop
  let pipe: (reading: Descriptor, writing: Descriptor)
  let other: (reading: Descriptor, writing: Descriptor)

  init() throws {
    loop = try EventLoop()
    pipe = try Descriptor.pipe()
    other = try Descriptor.pipe()
  }

  private func closeAll() {
    for end in [pipe.reading, pipe.writing, other.reading, other.writing] { end.close() }
  }

  @Test func `a handler is called when its descriptor is readable`() throws {
    defer { closeAll() }
    var heard: [String?] = []
    var readiness: [EventLoop.Readiness] = []
    _ = loop.watch(pipe.reading, for: .reading) { [loop, pipe] in
      readiness.append($0)
      heard.append(try? pipe.reading.hear())
      loop.stop()
    }
    #expect(try pipe.writing.say("hello"))
    #expect(loop.run(atMostTurns: 100))
    #expect(heard == ["hello"])
    #expect(readiness == [.reading])
  }

  @Test func `unread input is reported again at each turn`() throws {
    defer { closeAll() }
    var count = 0
    _ = loop.watch(pipe.reading, for: .reading) { [loop] _ in
      count += 1
      if count == 5 { loop.stop() }
    }
    #expect(try pipe.writing.say("x"))
    #expect(loop.run(atMostTurns: 100))
    #expect(count == 5)
  }

  @Test func `a cancelled watch releases its handler`() {
    defer { closeAll() }
    final class Held {}
    var held: Held? = Held()
    weak let handler = held
    let watch = loop.watch(pipe.reading, for: .reading) { [held] _ in withExtendedLifetime(held) {} }
    held = nil
    #expect(handler != nil)
    watch.cancel()
    #expect(handler == nil)
  }

  @Test func `a watch that cancels itself isn't called again`() throws {
    defer { closeAll() }
    var count = 0
    var watch: EventLoop.Watch?
    watch = loop.watch(pipe.reading, for: .reading) { _ in
      count += 1
      watch?.cancel()
      watch?.cancel()
    }
    #expect(try pipe.writing.say("x"))
    #expect(!loop.run(atMostTurns: 20))
    #expect(count == 1)
  }

  @Test func `a watch that another handler cancels isn't called, even if it was ready`() throws {
    defer { closeAll() }
    var called: [Int] = []
    var watches: [EventLoop.Watch] = []
    for (number, end) in [pipe.reading, other.reading].enumerated() {
      watches.append(
        loop.watch(end, for: .reading) { _ in
          called.append(number)
          for watch in watches { watch.cancel() }
        })
    }
    #expect(try pipe.writing.say("x"))
    #expect(try other.writing.say("x"))
    #expect(!loop.run(atMostTurns: 20))
    #expect(called == [0])
  }

  @Test func `a watch added in a handler works from the next turn on`() throws {
    defer { closeAll() }
    var called: [Int] = []
    var first: EventLoop.Watch?
    first = loop.watch(pipe.reading, for: .reading) { [loop, other] _ in
      called.append(1)
      first?.cancel()
      _ = loop.watch(other.reading, for: .reading) { _ in
        called.append(2)
        loop.stop()
      }
    }
    #expect(try pipe.writing.say("x"))
    #expect(try other.writing.say("x"))
    #expect(loop.run(atMostTurns: 100))
    #expect(called == [1, 2])
  }

  @Test func `interest can be removed and restored`() throws {
    defer { closeAll() }
    var count = 0
    let watch = loop.watch(pipe.reading, for: .reading) { [loop] _ in
      count += 1
      loop.stop()
    }
    #expect(try pipe.writing.say("x"))
    watch.interest = []
    #expect(!loop.run(atMostTurns: 20))
    #expect(count == 0)
    watch.interest = .reading
    #expect(loop.run(atMostTurns: 100))
    #expect(count == 1)
  }

  @Test func `writability is reported only if it is of interest`() throws {
    defer { closeAll() }
    var readiness: [EventLoop.Readiness] = []
    let watch = loop.watch(pipe.writing, for: []) { [loop] in
      readiness.append($0)
      loop.stop()
    }
    #expect(!loop.run(atMostTurns: 20))
    watch.interest = .writing
    #expect(loop.run(atMostTurns: 100))
    #expect(readiness == [.writing])
  }

  @Test func `a full pipe can't be written until it is read`() throws {
    defer { closeAll() }
    let block = [UInt8](repeating: 0x78, count: 4096)
    while try pipe.writing.write(block.span) != .wouldBlock {}
    var order: [String] = []
    _ = loop.watch(pipe.writing, for: .writing) { [loop] _ in
      order.append("write")
      loop.stop()
    }
    var turns = 0
    let reader = loop.timer { [pipe] in
      order.append("read")
      while (try? pipe.reading.hear()) != nil {}
    }
    loop.stepEnded = {
      turns += 1
      if turns == 10 { reader.arm(after: .zero) }
    }
    #expect(loop.run(atMostTurns: 100))
    #expect(order == ["read", "write"])
  }

  @Test func `the end of the input counts as readable and as a hang-up`() throws {
    defer { pipe.reading.close() }
    var readiness: EventLoop.Readiness = []
    var heard: String?
    _ = loop.watch(pipe.reading, for: .reading) { [loop, pipe] in
      readiness = $0
      heard = try? pipe.reading.hear()
      loop.stop()
    }
    pipe.writing.close()
    #expect(loop.run(atMostTurns: 100))
    #expect(readiness == [.reading, .hangUp])
    #expect(heard == "")
  }

  @Test func `a closed reader is a hang-up, whatever the interest`() throws {
    defer { pipe.writing.close() }
    var readiness: EventLoop.Readiness = []
    _ = loop.watch(pipe.writing, for: []) { [loop] in
      readiness = $0
      loop.stop()
    }
    pipe.reading.close()
    #expect(loop.run(atMostTurns: 100))
    #expect(readiness == .hangUp)
  }

  @Test func `a closed descriptor is a hang-up`() throws {
    let (first, second) = try socketPair()
    second.close()
    first.close()
    var readiness: [EventLoop.Readiness] = []
    var watch: EventLoop.Watch?
    // A number that isn't used meanwhile, because the system uses the lowest free numbers.
    watch = loop.watch(Descriptor(rawValue: 100_000), for: .reading) { [loop] in
      readiness.append($0)
      watch?.cancel()
      loop.stop()
    }
    #expect(loop.run(atMostTurns: 100))
    #expect(readiness == [.hangUp])
  }

  @Test func `a conversation over a socket pair runs to its end`() throws {
    let (left, right) = try socketPair()
    var heard: [String] = []
    let echo = loop.watch(right, for: .reading) { _ in
      if let text = try? right.hear(), !text.isEmpty { _ = try? right.say(text.uppercased()) }
    }
    _ = loop.watch(left, for: .reading) { [loop] _ in
      guard let text = try? left.hear() else { return }
      heard.append(text)
      if heard.count == 3 { loop.stop() } else { _ = try? left.say("more") }
    }
    #expect(try left.say("first"))
    #expect(loop.run(atMostTurns: 1000))
    #expect(heard == ["FIRST", "MORE", "MORE"])
    echo.cancel()
    left.close()
    right.close()
  }

  @Test func `after a stop the rest of the turn waits for the next run`() throws {
    defer { closeAll() }
    var called: [Int] = []
    for (number, end) in [pipe.reading, other.reading].enumerated() {
      _ = loop.watch(end, for: .reading) { [loop] _ in
        called.append(number)
        _ = try? end.hear()
        loop.stop()
      }
    }
    let timer = loop.timer { called.append(2) }
    timer.arm(after: .zero)
    #expect(try pipe.writing.say("x"))
    #expect(try other.writing.say("x"))
    loop.run()
    #expect(called == [0])
    loop.run()
    #expect(called == [0, 1])
  }
}
