internal import CLibrary
internal import Flow
internal import Synchronization

/// A child process, connected by its three standard streams.
///
/// It leads its own process group, which ends together with it: all processes that it has started and left in the group
/// are killed when it ends. This process doesn't wait for them. If this process is killed, the child's input ends.
///
/// A conversation needs both directions. So a program that closes its input or its output is terminated, unless
/// ``onHangUp`` is set.
/// ```swift
/// let child = try ChildProcess(["python3", "rows.py"], on: loop)
/// child.onOutput = { bytes in reader.append(bytes) }
/// child.onEnd = { end in CurrentProcess.log("rows.py has ended: \(end)\n") }
/// let taken = child.write(question.span)
/// ```
package final class ChildProcess {
  /// How a process has ended.
  package enum End: Hashable, Sendable {
    /// The process has exited with a status.
    case exit(status: Int)
    /// A signal has ended the process.
    case signal(Int)
  }

  /// The group or session that a program leads, so that it can be ended together with all processes that it has
  /// started.
  package enum Bounds: Sendable {
    /// A process group. The loop notices the end of the program's output; ``lookForEnd()`` notices the program's end.
    case group
    /// A session. Child processes of the program stay in it, even if they make their own groups. A thread waits for the
    /// program's end, so the loop notices the end even if another process keeps the output open. Killing remaining
    /// processes in other groups works only on Linux.
    case session
  }

  private static let readSize = 64 * 1024
  /// The time that a program has to end before it is killed.
  private static let killDelay = Duration.seconds(1)
  private static let longestCheck = Duration.milliseconds(50)
  /// Killed programs whose `ChildProcess` was deallocated and that aren't reaped yet.
  private static let orphans = Mutex<[(processID: Int, bounds: Bounds)]>([])

  /// The process number, which is also the number of its group.
  package let processID: Int
  /// How the program has ended; nil while it runs.
  package private(set) var end: End?
  /// Receives the program's standard output.
  package var onOutput: (Span<UInt8>) -> Void = { _ in }
  /// Receives the program's standard error.
  package var onErrorOutput: (Span<UInt8>) -> Void = { _ in }
  /// Called when the program's input accepts more bytes, after ``write(_:)`` couldn't write all.
  package var onWritable: () -> Void = {}
  /// Called once when the program has ended and all of its output was passed on. A timer of the loop or
  /// ``lookForEnd()`` calls it.
  package var onEnd: (End) -> Void = { _ in }
  /// Called when the program closes its input or its output. If it is set, the program isn't terminated then.
  package var onHangUp: (() -> Void)?
  /// Whether output stays in the pipe, which suspends a program that writes too much. At the program's end the
  /// remaining output is passed on nevertheless.
  package var isReadingPaused = false {
    didSet { output?.interest = isReadingPaused ? [] : .reading }
  }

  private let bounds: Bounds
  private var input: EventLoop.Watch?
  private var output: EventLoop.Watch?
  private var errorOutput: EventLoop.Watch?
  private var buffer = [UInt8](repeating: 0, count: readSize)
  /// When the program was asked to end; nil before.
  private var terminated: ContinuousClock.Instant?
  private var check: ScheduledTimer?
  private var pause = Duration.milliseconds(1)
  private var deadline: ScheduledTimer?

  /// Starts a program. It gets this process's environment. Without a slash in its name it is looked up in `PATH`. A
  /// relative path starts from `folder`, which is also the program's working folder; the default is this process's
  /// folder.
  package init(
    _ command: [String], in folder: String = "", with bounds: Bounds = .group, on loop: EventLoop
  ) throws(SystemError) {
    Signals.ignoreFailedWrites()
    self.bounds = bounds
    ChildProcess.orphans.withLock { orphans in orphans.removeAll { reap($0.processID, $0.bounds) != nil } }
    let pipes = try Pipes()
    defer { pipes.closeTheirs() }
    do throws(SystemError) {
      processID = try spawn(command, in: folder, with: bounds, pipes.theirs)
    } catch {
      pipes.closeOurs()
      throw error
    }
    input = loop.watch(pipes.input.writing, for: []) { [unowned self] in inputIsReady($0) }
    output = loop.watch(pipes.output.reading, for: .reading) { [unowned self] _ in readOutput() }
    errorOutput = loop.watch(pipes.errors.reading, for: .reading) { [unowned self] _ in readErrorOutput() }
    check = loop.timer { [unowned self] in checkAgain() }
    deadline = loop.timer { [processID] in signalGroup(processID, SIGKILL) }
    for timer in [check, deadline] { timer?.isInBackground = true }
    if bounds == .session { noticeEnd(on: loop) }
  }

  /// Makes a thread wait for the program's end, so that the loop then checks for it.
  private func noticeEnd(on loop: EventLoop) {
    final class Waiting {
      weak var child: ChildProcess?
      init(_ child: ChildProcess) { self.child = child }
    }
    let (number, mailbox) = (loop.handles.add(Waiting(self)), loop.mailbox)
    awaitEnd(of: processID) {
      mailbox.send { loop in (loop.handles.remove(number) as? Waiting)?.child?.lookForEnd() }
    }
  }

  deinit {
    close()
    guard end == nil else { return }
    // No code is waiting for this end, and it takes a moment. The process isn't reaped until another program is
    // started.
    signalGroup(processID, SIGKILL)
    if reap(processID, bounds) == nil { ChildProcess.orphans.withLock { $0.append((processID, bounds)) } }
  }

  /// Writes to the program's standard input without waiting. Returns the number of bytes written, which is 0 if the
  /// program has closed its input. ``onWritable`` is called when the rest can be written.
  package func write(_ bytes: Span<UInt8>) -> Int {
    guard let input else { return 0 }
    guard let transfer = try? input.descriptor.write(bytes) else {
      hungUp()
      return 0
    }
    let count = if case .bytes(let count) = transfer { count } else { 0 }
    input.interest = count < bytes.count ? .writing : []
    return count
  }

  /// Asks the program and its group to end: closes its input and sends SIGTERM. After a second SIGKILL follows.
  package func terminate() {
    guard end == nil, terminated == nil else { return }
    terminated = .now
    signalEnd()
    deadline?.arm(after: ChildProcess.killDelay)
    check?.arm(after: .zero)
  }

  /// Closes the program's input.
  package func endInput() { close(&input) }

  /// Closes the program's input, and sends SIGTERM to it and its group.
  package func signalEnd() {
    endInput()
    if end == nil { signalGroup(processID, SIGTERM) }
  }

  /// Kills the program and its group.
  package func kill() {
    if end == nil { signalGroup(processID, SIGKILL) }
  }

  /// Checks whether the program has ended. The end of its output is noticed earlier, unless another process keeps the
  /// output open.
  package func lookForEnd() {
    guard end == nil, let found = reap(processID, bounds) else { return }
    end = found
    for _ in 0..<16 { guard pass(output, to: onOutput) == .some else { break } }
    for _ in 0..<16 { guard pass(errorOutput, to: onErrorOutput) == .some else { break } }
    close()
    onEnd(found)
  }

  /// Ends programs and waits for their ends. Those that run after a second are killed. `onEnd` isn't called. It is for
  /// the end of this program, when the loop no longer runs.
  package static func endAll(_ children: [ChildProcess]) {
    let living = children.filter { $0.end == nil }
    for child in living { child.terminate() }
    if !fetch(living, until: (living.compactMap(\.terminated).max() ?? .now) + killDelay) {
      for child in living where child.end == nil { signalGroup(child.processID, SIGKILL) }
      // A program that doesn't end even now hangs in the system, which reaps it later.
      _ = fetch(living, until: .now + .milliseconds(100))
    }
  }

  /// Checks every millisecond, up to a time, whether all programs have ended.
  private static func fetch(_ children: [ChildProcess], until time: ContinuousClock.Instant) -> Bool {
    repeat {
      for child in children where child.end == nil { child.end = reap(child.processID, child.bounds) }
      if children.allSatisfy({ $0.end != nil }) { return true }
      _ = systemPoll(nil, 0, 1)
    } while .now < time
    return false
  }
}

// MARK: - Streams

extension ChildProcess {
  private enum Passed { case some, none, end }

  private func inputIsReady(_ readiness: EventLoop.Readiness) {
    guard !readiness.contains(.hangUp) else { return hungUp() }
    input?.interest = []
    onWritable()
  }

  private func readOutput() {
    guard pass(output, to: onOutput) == .end else { return }
    close(&output)
    hungUp()
  }

  private func hungUp() {
    guard let onHangUp else { return terminate() }
    close(&input)
    onHangUp()
  }

  private func readErrorOutput() {
    if pass(errorOutput, to: onErrorOutput) == .end { close(&errorOutput) }
  }

  /// Passes on the bytes that can be read now, at most one buffer.
  private func pass(_ stream: EventLoop.Watch?, to handler: (Span<UInt8>) -> Void) -> Passed {
    guard let stream, let transfer = try? stream.descriptor.read(into: &buffer) else { return .end }
    guard case .bytes(let count) = transfer else { return .none }
    guard count > 0 else { return .end }
    let bytes = buffer
    handler(bytes.span.extracting(..<count))
    return .some
  }

  private func close(_ stream: inout EventLoop.Watch?) {
    stream?.cancel()
    stream?.descriptor.close()
    stream = nil
  }

  private func close() {
    close(&input)
    close(&output)
    close(&errorOutput)
    check?.dispose()
    deadline?.dispose()
  }

  private func checkAgain() {
    lookForEnd()
    guard end == nil else { return }
    check?.arm(after: pause)
    pause = min(pause * 2, ChildProcess.longestCheck)
  }
}

extension ChildProcess.End: CustomStringConvertible {
  /// The end in words: `exit status 3`, `signal 9 (Killed)`.
  public var description: String {
    switch self {
    case .exit(let status): "exit status \(status)"
    case .signal(let number): "signal \(number)\(signalName(number).map { " (\($0))" } ?? "")"
    }
  }
}
