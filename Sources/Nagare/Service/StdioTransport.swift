internal import Flow
public import Reactor
internal import RPC

/// Connects a service to the process's standard input and output, on an event loop.
///
/// While more than 1 MiB of output is queued that must not be dropped, it handles no messages. It then reads one more
/// buffer of input at most, to find an `exit` in it. Replies are collected until no input is left, and written in
/// pieces of 32 kB. Every 10 ms it lets other work on the loop run, also during a long batch.
///
/// When the input ends, running work finishes, for a minute at most. This includes asynchronous work, and whatever
/// waits for a timer of the loop, such as a load or a debounce. It doesn't wait for background work unless a load may
/// need it. Background work is an `interval`, a timer in the background, the values of an asynchronous sequence, or a
/// ``RemoteObserver``.
public final class StdioTransport {
  private static let readSize = 64 * 1024
  private static let writeSize = 32 * 1024
  /// When the process should exit immediately, it still waits this long for a client that doesn't read.
  private static let pause = Duration.seconds(1)
  /// How long the process may run after a signal. After that, the system's alarm ends it.
  private static let signalTimeout = Duration.milliseconds(900)
  /// An empty array literal would call generic code, which costs each start 147,000 instructions.
  private static let nothing = EventLoop.Readiness(rawValue: 0)

  /// How a session ended.
  public enum End: Hashable, Sendable {
    /// The input ended. All messages were answered, and running work has finished.
    case inputEnded
    /// The client sent `exit`. The value is whether it sent `shutdown` before.
    case exit(isOrderly: Bool)
    /// The output was closed, the client's process ended, or a signal arrived.
    case cutOff
    /// The input couldn't be read or the output couldn't be written, for example because a disk is full.
    case failed(SystemError)
  }

  private enum Phase {
    /// Input is read.
    case open
    /// No more input comes. Messages that were read are answered, and running work finishes.
    case finishing
    /// Messages that were read are answered. Then running work is dropped.
    case hurrying
    /// The views have ended. Edits that they still had to send are running.
    case closing
    /// No work is running. The remaining output is written.
    case leaving
  }

  private let service: Service
  private let peer: Peer
  private let loop: EventLoop
  private let streams: StandardStreams
  /// The maximum time for running work after the input has ended.
  private let drainTimeout: Duration
  private var buffer = [UInt8](repeating: 0, count: readSize)
  private var reading: EventLoop.Watch?
  private var writing: EventLoop.Watch?
  /// Whether the loop watches the input for new bytes, and the output for space.
  private var awaited = (input: true, output: false)
  /// Continues with input that was read, after other work on the loop had its turn.
  private var turn: ScheduledTimer?
  /// Ends work that takes too long.
  private var deadline: ScheduledTimer?
  private var parentCheck: ScheduledTimer?
  private var phase = Phase.open
  private var end = End.inputEnded
  /// Whether there may be unhandled messages in the input that was read.
  private var hasInput = false
  /// Whether there is input that hasn't been searched for an `exit`.
  private var hasUnseenInput = false
  /// Whether the process exits as soon as the client stops reading.
  private var isForcingExit = false
  /// Whether output can't be written any more, so it is dropped.
  private var isOutputLost = false

  /// Uses the standard streams for messages. Throws if standard output is closed.
  public convenience init(_ service: Service, on loop: EventLoop) throws(SystemError) {
    self.init(service, on: loop, try StandardStreams(), drainTimeout: .seconds(60))
  }

  init(_ service: Service, on loop: EventLoop, _ streams: StandardStreams, drainTimeout: Duration) {
    self.service = service
    peer = service.peer
    self.loop = loop
    self.streams = streams
    self.drainTimeout = drainTimeout
  }

  /// Runs the session to its end. On the main thread it also runs jobs of the main actor.
  public func run() throws(SystemError) -> End { try run(servingMainActor: CurrentProcess.isOnMainThread) }

  /// Runs the session to its end. `servingMainActor` makes each turn of the loop check one more file descriptor.
  package func run(servingMainActor: Bool) throws(SystemError) -> End {
    if servingMainActor { loop.serveMainActor() }
    Signals.ignoreFailedWrites()
    Signals.onTermination(loop, timeout: 1) { [unowned self] in terminate() }
    defer { Signals.endIsNear() }
    return converse()
  }

  /// Runs the session without handling signals.
  func converse() -> End {
    if streams.input.isTerminal {
      peer.readTypedLines { [unowned self] mistyping in
        // The hint follows the error that the line has got.
        _ = write()
        CurrentProcess.log(service.hint(after: mistyping))
      }
    }
    turn = loop.timer { [unowned self] in handle() }
    deadline = loop.timer { [unowned self] in deadlinePassed() }
    deadline?.isInBackground = true
    // The closure keeps this transport in memory until the run ends. A weak reference would have to be checked at each
    // input.
    reading = loop.watch(streams.input, for: .reading) { _ in self.read() }
    writing = loop.watch(streams.output, for: StdioTransport.nothing) { [unowned self] readiness in
      if readiness.contains(.hangUp) { loseOutput(nil) }
      handle()
    }
    #if DEBUG
      if !service.hasVirtualClock { loop.stepWatch = try? StepWatch() }
      service.stepWatch = loop.stepWatch
    #endif
    service.onExit = { [unowned self] isOrderly in
      end = .exit(isOrderly: isOrderly)
      peer.close()
      forceExit()
    }
    service.onParentProcess = { [unowned self] in watchParent($0, isFirstLook: true) }
    loop.stepEnded = { [unowned self] in
      service.endStep()
      if peer.backlog.readyBytes > 0 || phase != .open { settle(write()) }
    }
    loop.run()
    reading?.cancel()
    reading = nil
    streams.restore()
    return end
  }
}

// MARK: - Input and output

extension StdioTransport {
  private func read() {
    do throws(SystemError) {
      // The buffer is moved out of the property while it is in use. This is cheaper than the run-time check for
      // exclusive access that a use of the property would need.
      var buffer: [UInt8] = []
      swap(&buffer, &self.buffer)
      defer { swap(&buffer, &self.buffer) }
      switch try streams.input.read(into: &buffer) {
      case .bytes(0): endInput()
      case .bytes(let count):
        peer.receive(buffer.span.extracting(..<count))
        hasUnseenInput = true
      case .wouldBlock: return
      }
    } catch {
      // An error of a terminal or connection that has closed counts as the end of the input. A folder can't be read at
      // all, so it is an error.
      if error.isOfFolder { return stop(.failed(error.of("read the standard input"))) }
      endInput()
    }
    hasInput = true
    handle()
  }

  /// Handles messages that were read, until output can't be written any more or other work on the loop is due.
  private func handle() {
    var backlog = write()
    while hasInput, !backlog.isFull {
      hasInput = peer.handleAll(untilReady: StdioTransport.writeSize) { !loop.isTurnOver }
      backlog = write()
      if hasInput, loop.isTurnOver { break }
    }
    settle(backlog)
  }

  /// Writes until the client reads no more or other work on the loop is due. Returns the remaining output.
  private func write() -> Peer.Backlog {
    var (backlog, isTaken) = (peer.backlog, true)
    do throws(SystemError) {
      while backlog.readyBytes > 0 {
        backlog = try peer.write { bytes throws(SystemError) in
          if isOutputLost { return bytes.count }
          let transfer = try streams.output.write(bytes.extracting(first: StdioTransport.writeSize))
          guard case .bytes(let count) = transfer else {
            isTaken = false
            return 0
          }
          return count
        }
        if isTaken, isForcingExit, end != .cutOff, !isOutputLost { deadline?.arm(after: StdioTransport.pause) }
        if !isTaken || backlog.readyBytes > 0 && loop.isTurnOver { break }
      }
    } catch {
      loseOutput(error.isOfReader ? nil : error.of("write to the standard output"))
      return write()
    }
    return backlog
  }

  /// Decides which input and output to watch next, and ends the session when all is written. Must be called only at the
  /// end of a step.
  private func settle(_ backlog: Peer.Backlog) {
    var backlog = backlog
    if backlog.isFull { lookForExit() }
    if phase != .open, !hasInput {
      finish()
      backlog = peer.backlog
    }
    if phase == .leaving, backlog.isEmpty { return loop.stop() }
    let hasRoom = backlog.isFull ? peer.unhandledBytes < StdioTransport.readSize : !hasInput
    let awaited = (input: phase == .open && hasRoom, output: !backlog.isEmpty)
    if awaited != self.awaited {
      self.awaited = awaited
      reading?.interest = awaited.input ? .reading : StdioTransport.nothing
      writing?.interest = awaited.output ? .writing : StdioTransport.nothing
    }
    if hasInput, !backlog.isFull { turn?.arm(after: .zero) }
  }
}

// MARK: - The end

extension StdioTransport {
  /// Looks for an `exit` in input that isn't handled while the client reads too slowly. An `exit` ends the process even
  /// then.
  private func lookForExit() {
    guard phase == .open, hasUnseenInput else { return }
    hasUnseenInput = false
    guard peer.awaits("exit") else { return }
    end = .exit(isOrderly: service.phase == .shutDown)
    forceExit()
  }

  private func endInput() {
    guard phase == .open else { return }
    // On a virtual clock time doesn't pass any more, so running work would never finish.
    phase = service.hasVirtualClock ? .hurrying : .finishing
    deadline?.arm(after: drainTimeout)
    closeInput()
  }

  /// Drops running work, and waits for the client only while it reads.
  private func forceExit() {
    phase = .hurrying
    isForcingExit = true
    deadline?.arm(after: StdioTransport.pause)
    closeInput()
  }

  private func closeInput() {
    reading?.cancel()
    reading = nil
    peer.receiveEnd()
    hasInput = true
  }

  /// Continues the end of the session when all messages are answered: running work finishes or is dropped.
  private func finish() {
    if phase == .finishing {
      peer.endRequests()
      service.endInput()
      service.endStep()
      // A load may wait for the next value of an asynchronous sequence.
      if loop.isIdle, !(loop.hasFeeds && service.isWorking) { phase = .hurrying }
    }
    if phase == .hurrying {
      phase = .closing
      service.stopViews()
      if !isForcingExit { deadline?.arm(after: StdioTransport.pause) }
    }
    // Edits that were delayed so that they could be undone are sent only now. They have one second to be answered.
    if phase == .closing, loop.isIdle || !service.isEditing { leave() }
  }

  private func leave() {
    phase = .leaving
    service.stop()
    if !isForcingExit { deadline?.arm(after: drainTimeout) }
  }

  private func deadlinePassed() {
    if phase == .closing {
      leave()
      settle(write())
      if !isForcingExit { return }
    }
    if isForcingExit { return stop(end) }
    forceExit()
    handle()
  }

  /// Handles a signal. A second signal ends the session at once.
  private func terminate() {
    if end == .cutOff { return stop(.cutOff) }
    cutOff("it received the signal \(Signals.newestName)")
    handle()
  }

  private func stop(_ end: End) {
    self.end = end
    loop.stop()
  }

  /// Ends the session without a request of the client, and reports why: as `exit` does, but it waits for the client for a
  /// second at most.
  private func cutOff(_ reason: String) {
    if end == .cutOff { return }
    CurrentProcess.log("the session ends: \(reason)\n")
    end(as: .cutOff)
  }

  /// Ends the session because output can't be written. Edits that can still be undone are sent to their sources first.
  ///
  /// - Parameter error: why it can't be written; nil if the client has closed it.
  private func loseOutput(_ error: SystemError?) {
    if isOutputLost { return }
    isOutputLost = true
    // A closed pipe would wake the loop again and again.
    writing?.cancel()
    writing = nil
    if let error { end(as: .failed(error)) } else { cutOff("the client has closed the output") }
  }

  private func end(as end: End) {
    self.end = end
    forceExit()
    deadline?.arm(after: StdioTransport.signalTimeout)
  }

  /// Checks every two seconds whether the client's process is alive.
  private func watchParent(_ processID: Int, isFirstLook: Bool) {
    guard CurrentProcess.lives(processID) else {
      if !isFirstLook {
        cutOff("the process \(processID), which \"initialize\" named as \"processId\", has ended")
        return handle()
      }
      return CurrentProcess.log(
        "\"initialize\" names \(processID) as \"processId\", but the server sees no such process, so the session doesn't "
          + "end with it; leave it out, or name the client's process by its number on this system\n")
    }
    let timer = loop.timer { [unowned self] in watchParent(processID, isFirstLook: false) }
    timer.isInBackground = true
    timer.arm(after: .seconds(2))
    parentCheck = timer
  }
}

extension StdioTransport.End {
  /// The exit code of the process. For a failure, it also writes the error to standard error.
  package var exitCode: CurrentProcess.ExitCode {
    switch self {
    case .exit(isOrderly: false): return .failure
    case .failed(let error):
      CurrentProcess.writeError("the session ends: \(error)\n")
      return .inputOutput
    case .inputEnded, .exit, .cutOff: return CurrentProcess.isLogLost ? .inputOutput : .success
    }
  }
}
