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
  private let loop: EventLoop
  private let streams: StandardStreams
  private var buffer = [UInt8](repeating: 0, count: readSize)
  private var reading: EventLoop.Watch?
  private var writing: EventLoop.Watch?
  private var hasEnded = false
  private var end = End.inputEnded

  /// Takes the standard streams for the wire.
  ///
  /// - Throws: `SystemError` if the output is closed.
  public init(_ service: Service, on loop: EventLoop) throws(SystemError) {
    self.service = service
    self.loop = loop
    streams = try StandardStreams()
  }

  /// Runs the conversation to its end.
  public func run() throws(SystemError) -> End {
    Signals.ignoreBrokenPipe()
    try Signals.onTermination(loop) { [unowned self] in stop(.cutOff) }
    reading = loop.watch(streams.input, for: .reading) { [unowned self] _ in read() }
    writing = loop.watch(streams.output, for: []) { [unowned self] readiness in
      if readiness.contains(.hangUp) { stop(.cutOff) } else { pump() }
    }
    service.onExit = { [unowned self] isOrderly in
      end = .exit(isOrderly: isOrderly)
      endInput()
    }
    service.onParentProcess = { [unowned self] in watchParent($0) }
    loop.stepEnded = { [unowned self] in
      service.endStep()
      if service.peer.readyBytes > 0 { pump() }
    }
    loop.run()
    streams.restore()
    return end
  }

  private func read() {
    do throws(SystemError) {
      switch try streams.input.read(into: &buffer) {
      case .bytes(0): endInput()
      case .bytes(let count): service.peer.receive(buffer.span.extracting(..<count))
      case .wouldBlock: return
      }
      pump()
    } catch {
      endInput()
      pump()
    }
  }

  private func endInput() {
    guard !hasEnded else { return }
    hasEnded = true
    reading?.cancel()
    service.peer.receiveEnd()
  }

  /// Handles what was read and writes what that gave, as long as the other side takes it.
  private func pump() {
    while !isBackedUp, service.peer.handleNext() {
      if service.peer.readyBytes >= StdioTransport.writeSize { write() }
    }
    write()
    let isBackedUp = isBackedUp
    reading?.interest = isBackedUp || hasEnded ? [] : .reading
    writing?.interest = service.peer.isDrained ? [] : .writing
    if hasEnded, !isBackedUp { finish() }
  }

  private var isBackedUp: Bool { service.peer.waitingBytes > StdioTransport.mostWaiting }

  /// All input is answered: what still runs is cancelled, and what waits is written.
  private func finish() {
    service.endInput()
    write()
    if service.peer.isDrained { loop.stop() }
  }

  private func write() {
    do throws(SystemError) {
      while service.peer.readyBytes > 0 {
        var isBlocked = false
        try service.peer.write { bytes throws(SystemError) in
          let piece = bytes.extracting(first: StdioTransport.writeSize)
          guard case .bytes(let count) = try streams.output.write(piece) else {
            isBlocked = true
            return 0
          }
          return count
        }
        if isBlocked { return }
      }
    } catch {
      stop(.cutOff)
    }
  }

  private func stop(_ end: End) {
    self.end = end
    loop.stop()
  }

  /// Looks every two seconds whether the client's process lives.
  private func watchParent(_ processID: Int) {
    guard CurrentProcess.exists(processID) else { return stop(.cutOff) }
    _ = loop.schedule(after: .seconds(2)) { [unowned self] in watchParent(processID) }
  }
}
