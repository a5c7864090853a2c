internal import Flow
public import Reactor
internal import RPC

/// Joins a service to the process's standard input and output, on a loop.
///
/// It reads as long as the other side takes the answers: while more than 1 MiB of what may not be lost waits, input
/// waits too. Replies are gathered until the input runs dry, and written by 32 kB.
public final class StdioTransport {
  private static let readSize = 64 * 1024
  private static let writeSize = 32 * 1024
  private static let mostWaiting = 1 << 20

  /// How the conversation came to its end.
  public enum End: Hashable, Sendable {
    /// The input ended, and all was answered.
    case inputEnded
    /// The client said `exit`, with or without `shutdown` before.
    case exit(isOrderly: Bool)
    /// The output was closed, the client's process died, or a signal came.
    case cutOff
  }

  private let service: Service
  private let peer: Peer
  private let loop: EventLoop
  private let streams: StandardStreams
  private var buffer = [UInt8](repeating: 0, count: readSize)
  private var reading: EventLoop.Watch?
  private var writing: EventLoop.Watch?
  private var isReadingPaused = false
  private var isWritingAwaited = false
  private var hasEnded = false
  private var end = End.inputEnded

  /// Takes the standard streams for the wire.
  ///
  /// - Throws: `SystemError` if the output is closed.
  public init(_ service: Service, on loop: EventLoop) throws(SystemError) {
    self.service = service
    peer = service.peer
    self.loop = loop
    streams = try StandardStreams()
  }

  /// Runs the conversation to its end.
  public func run() throws(SystemError) -> End {
    Signals.ignoreBrokenPipe()
    Signals.onTermination(loop) { [unowned self] in terminate() }
    // Holds this transport until the run ends: to ask at each input whether it is still there would cost more.
    reading = loop.watch(streams.input, for: .reading) { _ in self.read() }
    writing = loop.watch(streams.output, for: []) { [unowned self] readiness in
      if readiness.contains(.hangUp) { stop(.cutOff) } else { pump() }
    }
    service.onExit = { [unowned self] isOrderly in
      end = .exit(isOrderly: isOrderly)
      peer.close()
      endInput()
    }
    service.onParentProcess = { [unowned self] in watchParent($0) }
    loop.stepEnded = { [unowned self] in
      service.endStep()
      if peer.backlog.readyBytes > 0 { pump() }
    }
    loop.run()
    reading?.cancel()
    reading = nil
    streams.restore()
    return end
  }

  private func read() {
    do throws(SystemError) {
      // Taken out while it is in use: that is cheaper than the run-time check which a use in place would need.
      var buffer: [UInt8] = []
      swap(&buffer, &self.buffer)
      defer { swap(&buffer, &self.buffer) }
      switch try streams.input.read(into: &buffer) {
      case .bytes(0): endInput()
      case .bytes(let count): peer.receive(buffer.span.extracting(..<count))
      case .wouldBlock: return
      }
    } catch {
      endInput()
    }
    pump()
  }

  private func endInput() {
    guard !hasEnded else { return }
    hasEnded = true
    reading?.cancel()
    peer.receiveEnd()
  }

  /// Handles what was read and writes what that gave, as long as the other side takes it.
  private func pump() {
    var backlog: Peer.Backlog
    var isDry: Bool
    repeat {
      isDry = !peer.handleAll(untilReady: StdioTransport.writeSize)
      backlog = write()
    } while !isDry && backlog.waitingBytes <= StdioTransport.mostWaiting
    pauseReading(!isDry)
    awaitWriting(!backlog.isEmpty)
    if hasEnded, isDry { finish() }
  }

  /// All input is answered: what still runs is cancelled, and what waits is written.
  private func finish() {
    service.endInput()
    if write().isEmpty { loop.stop() }
  }

  /// Writes as much as the other side takes.
  ///
  /// - Returns: what is left.
  private func write() -> Peer.Backlog {
    var backlog = peer.backlog
    do throws(SystemError) {
      while backlog.readyBytes > 0 {
        var isBlocked = false
        backlog = try peer.write { bytes throws(SystemError) in
          let piece = bytes.extracting(first: StdioTransport.writeSize)
          guard case .bytes(let count) = try streams.output.write(piece) else {
            isBlocked = true
            return 0
          }
          return count
        }
        if isBlocked { break }
      }
    } catch {
      stop(.cutOff)
    }
    return backlog
  }

  private func pauseReading(_ isPaused: Bool) {
    guard isPaused != isReadingPaused else { return }
    isReadingPaused = isPaused
    reading?.interest = isPaused ? [] : .reading
  }

  private func awaitWriting(_ isAwaited: Bool) {
    guard isAwaited != isWritingAwaited else { return }
    isWritingAwaited = isAwaited
    writing?.interest = isAwaited ? .writing : []
  }

  private func stop(_ end: End) {
    self.end = end
    loop.stop()
  }

  /// Ends as the end of the input does, but waits for no reader longer than a second, and not at all when told again.
  private func terminate() {
    if hasEnded { return stop(.cutOff) }
    end = .cutOff
    _ = loop.schedule(after: .seconds(1)) { [unowned self] in stop(.cutOff) }
    endInput()
    pump()
  }

  /// Looks every two seconds whether the client's process lives.
  private func watchParent(_ processID: Int) {
    guard CurrentProcess.exists(processID) else { return stop(.cutOff) }
    _ = loop.schedule(after: .seconds(2)) { [unowned self] in watchParent(processID) }
  }
}
