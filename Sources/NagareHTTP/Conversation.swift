internal import Flow
internal import Paging
internal import RPC
internal import Reactor
internal import WireJSON

/// Reads requests from standard input, and writes answers to standard output.
///
/// - The output of a step of the loop is written at the end of the step.
/// - While more than 1 MiB of output is queued, neither requests nor events are read.
final class Conversation {
  private static let writeSize = 32 << 10
  /// How long the program waits at its end until the remaining output has been read.
  private static let drainTimeout = Duration.seconds(1)

  private let source: HTTPSource
  private let loop: EventLoop
  private let streams: StandardStreams
  private lazy var peer = Peer { [unowned self] call throws(RPCError) in try answer(call) }
  private let live: LiveSource?
  private var buffer = [UInt8](repeating: 0, count: 64 << 10)
  private var reading: EventLoop.Watch?
  private var writing: EventLoop.Watch?
  private var deadline: (any Disposable)?
  /// Whether the output can't be written at the moment.
  private var isBlocked = false

  init(with source: HTTPSource, _ live: LiveSource?, on loop: EventLoop, _ streams: StandardStreams) {
    (self.source, self.live, self.loop, self.streams) = (source, live, loop, streams)
  }

  /// Answers requests until the input ends or the output is closed.
  func run() {
    reading = loop.watch(streams.input, for: .reading) { [unowned self] _ in loop.step { read() } }
    writing = loop.watch(streams.output, for: []) { [unowned self] readiness in
      if readiness.contains(.hangUp) { return loop.stop() }
      isBlocked = false
      loop.step { handle() }
    }
    live?.isHeld = { [unowned self] in peer.backlog.isFull }
    live?.say = { [unowned self] params in peer.notify("source/changed", params) }
    loop.stepEnded = { [unowned self] in settle() }
    loop.run()
    streams.restore()
  }

  private func read() {
    switch try? streams.input.read(into: &buffer) {
    case .wouldBlock: return
    case .bytes(let count) where count > 0: peer.receive(buffer.span.extracting(..<count))
    default: return end()
    }
    handle()
  }

  private func handle() {
    while peer.handleAll(untilReady: Conversation.writeSize), !peer.backlog.isFull { write() }
  }

  /// Handles the end of the input: drops running work, and writes the remaining output.
  private func end() {
    reading?.cancel()
    reading = nil
    live?.endAll()
    peer.receiveEnd()
    while peer.handleNext() {}
    peer.cancelAll()
    deadline = loop.schedule(after: Conversation.drainTimeout) { [unowned self] in loop.stop() }
  }

  private func write() {
    while !isBlocked, peer.backlog.readyBytes > 0 {
      peer.write { bytes in
        switch try? streams.output.write(bytes.extracting(first: Conversation.writeSize)) {
        case .bytes(let count): return count
        case .wouldBlock: isBlocked = true
        case nil:
          isBlocked = true
          loop.stop()
        }
        return 0
      }
    }
  }

  /// Writes the output of the step, and decides which input and output to watch next.
  private func settle() {
    // Event streams that resume may add output immediately. It is written in the same step.
    repeat { write() } while !peer.backlog.isFull && live?.resume() == true
    let backlog = peer.backlog
    reading?.interest = backlog.isFull ? [] : .reading
    writing?.interest = backlog.isEmpty ? [] : .writing
    if reading == nil, backlog.isEmpty { loop.stop() }
  }
}

// MARK: - Requests

extension Conversation {
  private func answer(_ call: Call) throws(RPCError) -> Answer {
    if let live, call.method == "source/watch" || call.method == "source/unwatch" { return try watch(call, live) }
    guard call.method == "source/page" else {
      throw RPCError(.methodNotFound, "no method \"\(call.method)\"; use source/page")
    }
    let request = try PageRequest(call.params ?? .emptyObject)
    return .later { [self] reply in
      let page = (live?.prepare(request) ?? .just(())).flatMap { [source] in source.page(request) }
      return page.subscribe { [live] page in
        live?.record(page, of: request)
        reply.succeed(page.write)
      } onError: { error in
        reply.fail(error as? RPCError ?? RPCError(.internalError, "\(error)"))
      }.dispose
    }
  }

  private func watch(_ call: Call, _ live: LiveSource) throws(RPCError) -> Answer {
    let params: SourceWatchParams
    do throws(DecodingFailure) {
      params = try SourceWatchParams(json: RawJSON(copying: call.params ?? .emptyObject))
    } catch {
      throw .wrongParameter(error.parameter, error.expected)
    }
    guard call.method == "source/watch" else {
      live.end(params.request.criteria)
      return .empty
    }
    return .later { reply in
      live.watch(params) { error in
        if let error { reply.fail(error) } else { reply.succeed { $0.state(params.request.state) } }
      }
    }
  }
}

extension JSONWriter {
  /// Writes the result of `source/watch`.
  fileprivate mutating func state(_ state: String?) {
    beginObject()
    if let state { member("state", state) }
    endObject()
  }
}

extension PageRequest {
  /// Reads the parameters of `source/page`.
  init(_ params: RawJSON) throws(RPCError) {
    do throws(DecodingFailure) {
      self = try SourcePageParams(json: params).request
    } catch {
      throw .wrongParameter(error.parameter, error.expected)
    }
    if position.map({ (0...PageAddress.mostItems).contains($0) }) == false {
      throw .wrongParameter("at", "a whole number, 0 or more")
    }
    guard (1...1_000_000).contains(size) else { throw .wrongParameter("size", "a number of items, 1 to 1000000") }
  }
}

extension RPCError {
  /// The error for a wrong parameter of `source/page`.
  static func wrongParameter(_ name: String, _ expected: String) -> RPCError {
    RPCError(
      .invalidParams, "'\(name)' must be \(expected)", data: ParameterErrorData(param: name, expected: expected))
  }
}
