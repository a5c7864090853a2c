internal import Flow
public import Reactor
internal import RPC

/// Joins a service to the process's standard input and output, on a loop.
///
/// It reads as long as the other side takes the answers: while more than 1 MiB of what may not be lost waits, nothing is
/// handled and input waits, too, but for one read's size, which may hold an `exit`. Replies are gathered until the input
/// runs dry, and written by 32 kB. Whoever has much to do, a client with a long batch as well, leaves the loop to others
/// every 10 ms.
///
/// When the input ends, running work is finished, for a minute at most: asynchronous work, and whatever waits for a timer
/// of the loop, such as a load or a debounce. Background work isn't waited for, unless a load may need it: an `interval`, a
/// timer in the background, the values of an asynchronous sequence, a ``RemoteObserver``.
public final class StdioTransport {
  private static let readSize = 64 * 1024
  private static let writeSize = 32 * 1024
  /// How long a client may read nothing when the process is to end at once.
  private static let pause = Duration.seconds(1)
  /// How long the process may run after a signal. Then the system's alarm ends it.
  private static let signalTimeout = Duration.milliseconds(900)
  /// An empty literal would be made by generic code, which costs each start 147,000 instructions.
  private static let nothing = EventLoop.Readiness(rawValue: 0)

  /// How the conversation came to its end.
  public enum End: Hashable, Sendable {
    /// The input ended; all was answered, and what ran is over.
    case inputEnded
    /// The client sent `exit`, with or without `shutdown` before.
    case exit(isOrderly: Bool)
    /// The output was closed, the client's process died, or a signal came.
    case cutOff
    /// The input couldn't be read or the output not written, as when a disk is full.
    case failed(SystemError)
  }

  private enum Phase {
    /// Input comes.
    case open
    /// No more input comes: what was read is answered, and what runs is finished.
    case finishing
    /// What was read is answered; then what runs is dropped.
    case hurrying
    /// The views have ended. Edits that they had to send until then are waited for.
    case closing
    /// Nothing runs any more: everything is written.
    case leaving
  }

  private let service: Service
  private let peer: Peer
  private let loop: EventLoop
  private let streams: StandardStreams
  /// How long running work may take after the input has ended.
  private let drainTimeout: Duration
  private var buffer = [UInt8](repeating: 0, count: readSize)
  private var reading: EventLoop.Watch?
  private var writing: EventLoop.Watch?
  /// Whether input is waited for, and that the other side takes output.
  private var awaited = (input: true, output: false)
  /// Goes on with what was read, once others have had their turn.
  private var turn: ScheduledTimer?
  /// Ends what takes too long.
  private var deadline: ScheduledTimer?
  private var parentCheck: ScheduledTimer?
  private var phase = Phase.open
  private var end = End.inputEnded
  /// Whether messages may be there that weren't handled.
  private var hasInput = false
  /// Whether there is input in which no `exit` was looked for.
  private var hasUnseenInput = false
  /// Whether the process ends as soon as the client stops reading.
  private var isForcingExit = false

  /// Takes the standard streams for the wire. It throws if the output is closed.
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

  /// Runs the conversation to its end. On the main thread it also runs what is left for the main actor.
  public func run() throws(SystemError) -> End { try run(servingMainActor: CurrentProcess.isOnMainThread) }

  /// Runs the conversation to its end. Serving the main actor costs each turn of the loop a look at one more descriptor.
  package func run(servingMainActor: Bool) throws(SystemError) -> End {
    if servingMainActor { loop.serveMainActor() }
    Signals.ignoreFailedWrites()
    Signals.onTermination(loop, timeout: 1) { [unowned self] in terminate() }
    defer { Signals.endIsNear() }
    return converse()
  }

  /// Runs the conversation, whatever signals come.
  func converse() -> End {
    // Whoever types may type anything first.
    if streams.input.isTerminal { peer.use(.lines) }
    turn = loop.timer { [unowned self] in handle() }
    deadline = loop.timer { [unowned self] in deadlinePassed() }
    deadline?.isInBackground = true
    // Holds this transport until the run ends: to ask at each input whether it is still there would cost more.
    reading = loop.watch(streams.input, for: .reading) { _ in self.read() }
    writing = loop.watch(streams.output, for: StdioTransport.nothing) { [unowned self] readiness in
      if readiness.contains(.hangUp) { return cutOff("the client has closed the output") }
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

// MARK: - What comes and goes

extension StdioTransport {
  private func read() {
    do throws(SystemError) {
      // Taken out while it is in use: that is cheaper than the run-time check which a use in place would need.
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
      // A terminal or connection that has gone has ended. What can't be read at all, such as a folder, never was an input.
      if error.isOfFolder { return stop(.failed(error.of("read the standard input"))) }
      endInput()
    }
    hasInput = true
    handle()
  }

  /// Handles what was read as long as the other side takes what comes of it, and nobody else waits for a turn.
  private func handle() {
    var backlog = write()
    while hasInput, !backlog.isFull {
      hasInput = peer.handleAll(untilReady: StdioTransport.writeSize) { !loop.isTurnOver }
      backlog = write()
      if hasInput, loop.isTurnOver { break }
    }
    settle(backlog)
  }

  /// Writes as much as the other side takes, as long as nobody else waits for a turn, and says what is left.
  private func write() -> Peer.Backlog {
    var (backlog, isTaken) = (peer.backlog, true)
    do throws(SystemError) {
      while backlog.readyBytes > 0 {
        backlog = try peer.write { bytes throws(SystemError) in
          let transfer = try streams.output.write(bytes.extracting(first: StdioTransport.writeSize))
          guard case .bytes(let count) = transfer else {
            isTaken = false
            return 0
          }
          return count
        }
        if isTaken, isForcingExit, end != .cutOff { deadline?.arm(after: StdioTransport.pause) }
        if !isTaken || backlog.readyBytes > 0 && loop.isTurnOver { break }
      }
    } catch {
      if error.isOfReader {
        cutOff("the client has closed the output")
      } else {
        stop(.failed(error.of("write to the standard output")))
      }
    }
    return backlog
  }

  /// Waits for what can go on: after all that a step did, and nowhere else.
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
  /// An `exit` ends the process even if it waits behind what isn't handled as long as the client doesn't read.
  private func lookForExit() {
    guard phase == .open, hasUnseenInput else { return }
    hasUnseenInput = false
    guard peer.awaits("exit") else { return }
    end = .exit(isOrderly: service.phase == .shutDown)
    forceExit()
  }

  private func endInput() {
    guard phase == .open else { return }
    // On a virtual clock nothing that runs comes to its end by itself.
    phase = service.hasVirtualClock ? .hurrying : .finishing
    deadline?.arm(after: drainTimeout)
    closeInput()
  }

  /// Drops running work, and waits for the client only as long as it reads.
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

  /// All that was read is answered: finishes what runs, or drops it.
  private func finish() {
    if phase == .finishing {
      peer.endRequests()
      service.endInput()
      service.endStep()
      // What a feed has next may be what a load waits for.
      if loop.isIdle, !(loop.hasFeeds && service.isWorking) { phase = .hurrying }
    }
    if phase == .hurrying {
      phase = .closing
      service.stopViews()
      if !isForcingExit { deadline?.arm(after: StdioTransport.pause) }
    }
    // Edits that were held back so that they could be undone are sent only now. They get a second for the answers.
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

  /// Ends as `exit` does, but waits for no client longer than a second, and not at all when told again.
  private func terminate() {
    if end == .cutOff { return stop(.cutOff) }
    report("it received the signal \(Signals.newestName)")
    end = .cutOff
    forceExit()
    deadline?.arm(after: StdioTransport.signalTimeout)
    handle()
  }

  private func stop(_ end: End) {
    self.end = end
    loop.stop()
  }

  /// Ends the conversation, which the client hasn't asked for, and says why.
  private func cutOff(_ reason: String) {
    report(reason)
    stop(.cutOff)
  }

  private func report(_ reason: String) { CurrentProcess.log("the session ends: \(reason)\n") }

  /// Looks every two seconds whether the client's process lives.
  private func watchParent(_ processID: Int, isFirstLook: Bool) {
    guard CurrentProcess.lives(processID) else {
      if !isFirstLook {
        return cutOff("the process \(processID) has ended, which \"initialize\" named as \"processId\"")
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
  /// What the process ends with. What failed is written to the standard error.
  package var exitCode: CurrentProcess.ExitCode {
    switch self {
    case .exit(isOrderly: false): return .failure
    case .failed(let error):
      CurrentProcess.complain("the session ends: \(error)\n")
      return .inputOutput
    case .inputEnded, .exit, .cutOff: return CurrentProcess.isLogLost ? .inputOutput : .success
    }
  }
}
