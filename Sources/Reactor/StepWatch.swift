#if DEBUG
  internal import CLibrary
  internal import Synchronization

  /// A thread that reports steps of the loop that run long, on the standard error. It exists only in debug builds.
  ///
  /// The loop's thread records when steps begin and end. The two threads share only the record and a pipe. The helper
  /// thread sleeps while no step runs.
  package final class StepWatch: Sendable {
    private struct Record {
      var timer = StepTimer()
      /// Whether the helper thread waits for a byte without a time limit.
      var isAsleep = false
    }

    private let record = Mutex(Record())
    private let ends: (reading: Descriptor, writing: Descriptor)

    /// Starts the helper thread, which runs until the process ends.
    package init() throws(SystemError) {
      ends = try Descriptor.pipe()
      _ = startThread { [self] in run() }
    }

    /// Records that a step begins.
    package func begin(_ name: String) {
      let time = EventLoop.monotonicTime()
      let wasAsleep = record.withLock { record in
        record.timer.begin(name, at: time)
        defer { record.isAsleep = false }
        return record.isAsleep
      }
      if wasAsleep { _ = try? ends.writing.write([UInt8(0)].span) }
    }

    /// Records the rule that the step is running now; nil for none.
    package func carryOut(_ rule: String?) { record.withLock { $0.timer.carryOut(rule) } }

    /// Records that the step has ended.
    package func end() {
      let time = EventLoop.monotonicTime()
      if let line = record.withLock({ $0.timer.end(at: time) }) { CurrentProcess.log("\(line)\n") }
    }

    private func run() {
      var scratch: [UInt8] = [0]
      while true {
        let time = EventLoop.monotonicTime()
        let (line, next) = record.withLock { record in
          let line = record.timer.look(at: time)
          record.isAsleep = record.timer.nextLook == nil
          return (line, record.timer.nextLook)
        }
        if let line { CurrentProcess.log("\(line)\n") }
        var request = pollfd(fd: ends.reading.rawValue, events: Int16(POLLIN), revents: 0)
        let wait = next.map { Int32(max(0, ($0 - time) / .milliseconds(1)).rounded(.up)) } ?? -1
        if unsafe systemPoll(&request, 1, wait) > 0 { _ = try? ends.reading.read(into: &scratch) }
      }
    }
  }
#endif
