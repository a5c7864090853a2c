internal import CLibrary
internal import Flow
internal import Synchronization

/// A program that runs beside this one, at the other end of its three standard streams.
///
/// It leads a process group of its own and ends with all of it: whatever it has started and left in the group is
/// killed when it ends, and nobody waits for it here. If this process is killed, its input ends.
///
/// A conversation needs both directions, so a program that closes its input or its output is told to end, unless
/// ``onHangUp`` has been set.
/// ```swift
/// let child = try ChildProcess(["python3", "rows.py"], on: loop)
/// child.onOutput = { bytes in reader.append(bytes) }
/// child.onEnd = { end in CurrentProcess.log("rows.py has ended: \(end)\n") }
/// let taken = child.write(question.span)
/// ```
package final class ChildProcess {
  /// How a process came to its end.
  package enum End: Hashable, Sendable {
    /// It has exited, with its status.
    case exit(status: Int)
    /// A signal has ended it.
    case signal(Int)
  }

  /// What a program gets of its own, so that it can be ended with all that it has started.
  package enum Bounds: Sendable {
    /// A process group. The loop notices the end of its output, and ``lookForEnd()`` its own end.
    case group
    /// A session, which its own child processes stay in, whatever groups they make. A thread waits for its end, so the
    /// loop notices that however long somebody else holds its output. Killing what is left in other groups takes Linux.
    case session
  }

  private static let readSize = 64 * 1024
  /// How long a program may take to end once it is told to.
  private static let killDelay = Duration.seconds(1)
  private static let longestCheck = Duration.milliseconds(50)
  /// Those that were killed because nobody had hold of them any more, until their ends are fetched.
  private static let orphans = Mutex<[(processID: Int, bounds: Bounds)]>([])

  /// The number that the system gave it, also its group's.
  package let processID: Int
  /// How it ended; nil while it runs.
  package private(set) var end: End?
  /// Takes what it writes to its standard output.
  package var onOutput: (Span<UInt8>) -> Void = { _ in }
  /// Takes what it writes to its standard error.
  package var onErrorOutput: (Span<UInt8>) -> Void = { _ in }
  /// Called when its input takes more, after ``write(_:)`` left something over.
  package var onWritable: () -> Void = {}
  /// Called once, by a timer of the loop or ``lookForEnd()``, when it has ended and all that it wrote was passed on.
  package var onEnd: (End) -> Void = { _ in }
  /// Called when it has closed its input or its output, instead of ending it.
  package var onHangUp: (() -> Void)?
  /// Whether its output waits in the pipe, which stops a program that writes too much. Its last words come all the same.
  package var isReadingPaused = false {
    didSet { output?.interest = isReadingPaused ? [] : .reading }
  }

  private let bounds: Bounds
  private var input: EventLoop.Watch?
  private var output: EventLoop.Watch?
  private var errorOutput: EventLoop.Watch?
  private var buffer = [UInt8](repeating: 0, count: readSize)
  /// When it was told to end.
  private var terminated: ContinuousClock.Instant?
  private var check: ScheduledTimer?
  private var pause = Duration.milliseconds(1)
  private var deadline: ScheduledTimer?

  /// Starts a program, with this process's environment and in its folder unless another is named. It is looked for in
  /// `PATH` unless it has a slash; then its path starts from that folder.
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

  /// Has the loop look for the end when it has come.
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
    // Nobody is told of this end, which seldom comes at once: its number stays taken until another program is started.
    signalGroup(processID, SIGKILL)
    if reap(processID, bounds) == nil { ChildProcess.orphans.withLock { $0.append((processID, bounds)) } }
  }

  /// Writes to its standard input as much as goes at once, and gives how many of the bytes that was: 0 also where it
  /// reads no more. ``onWritable`` tells when the rest may go.
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

  /// Tells it and its group to end: its input ends and SIGTERM comes, after a second SIGKILL.
  package func terminate() {
    guard end == nil, terminated == nil else { return }
    terminated = .now
    signalEnd()
    deadline?.arm(after: ChildProcess.killDelay)
    check?.arm(after: .zero)
  }

  /// Ends its input.
  package func endInput() { close(&input) }

  /// Ends its input, and sends it and its group SIGTERM.
  package func signalEnd() {
    endInput()
    if end == nil { signalGroup(processID, SIGTERM) }
  }

  /// Kills it and its group.
  package func kill() {
    if end == nil { signalGroup(processID, SIGKILL) }
  }

  /// Looks whether it has ended. The end of its output tells that sooner, unless somebody else holds that open.
  package func lookForEnd() {
    guard end == nil, let found = reap(processID, bounds) else { return }
    end = found
    for _ in 0..<16 { guard pass(output, to: onOutput) == .some else { break } }
    for _ in 0..<16 { guard pass(errorOutput, to: onErrorOutput) == .some else { break } }
    close()
    onEnd(found)
  }

  /// Ends programs and waits until they have: until a second after they were told, then they are killed. Nothing is
  /// told of their ends. For the end of this program, when the loop runs no more.
  package static func endAll(_ children: [ChildProcess]) {
    let living = children.filter { $0.end == nil }
    for child in living { child.terminate() }
    if !fetch(living, until: (living.compactMap(\.terminated).max() ?? .now) + killDelay) {
      for child in living where child.end == nil { signalGroup(child.processID, SIGKILL) }
      // What even this doesn't end soon hangs in the system, which fetches it later.
      _ = fetch(living, until: .now + .milliseconds(100))
    }
  }

  /// Looks every millisecond, until a time, whether all programs have ended.
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

  /// Passes on what can be read now, up to a buffer of it.
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
  /// `exit status 3`, `signal 9 (Killed)`.
  public var description: String {
    switch self {
    case .exit(let status): "exit status \(status)"
    case .signal(let number): "signal \(number)\(signalName(number).map { " (\($0))" } ?? "")"
    }
  }
}
