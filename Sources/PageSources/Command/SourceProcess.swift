internal import Flow
internal import Paging
internal import RPC
internal import Reactor
internal import WireJSON

/// A running program that provides a source, and the JSON-RPC connection to it.
final class SourceProcess {
  /// The settings of a program and of the source that it provides.
  struct Program {
    let command: [String]
    let folder: String
    let name: String
    let id: String
    let remedy: String
    let limits: Peer.Limits
    let log: ((String) -> Void)?
  }

  let child: ChildProcess
  /// Whether the program has answered anything.
  private(set) var hasAnswered = false
  private let program: Program
  private let loop: EventLoop
  private let peer: Peer
  /// A request without an answer so far.
  private struct Waiting {
    /// Fails the request.
    let fail: (LoadFailure) -> Void
    /// Fails the request, because its answer can't be used.
    let refuse: Peer.UnusableHandler
    /// Marks the loop as busy while an edit is running, because the process doesn't exit before its edits have ended.
    /// Nil for other requests.
    let work: AnyDisposable?

    func end() { work?.dispose() }
  }

  private var waiting: [Int: Waiting] = [:]
  private var errorTail = StderrTail()
  /// Describes output since the last answer that isn't a message, as a clause for error messages.
  private(set) var trouble: String?
  /// Checks whether the program has ended. Another process may keep its output open, so the loop doesn't notice.
  private var endCheck: ScheduledTimer?
  /// Continues with output that was read, after other work on the loop had its turn.
  private var turn: ScheduledTimer?

  /// Starts the program.
  ///
  /// - Parameters:
  ///   - program: the settings of the program.
  ///   - loop: the event loop that watches the program.
  ///   - onChange: receives the parameters of a `source/changed`.
  ///   - onEnd: called when the program has ended, before the waiting requests fail.
  /// - Throws: a `LoadFailure` if the program can't be started.
  init(
    of program: Program, on loop: EventLoop, onChange: @escaping (RawJSON) -> Void,
    onEnd: @escaping (SourceProcess) -> Void
  ) throws(LoadFailure) {
    self.program = program
    self.loop = loop
    weak var conversation: Peer?
    peer = Peer(limits: program.limits, framing: .lines) { call throws(RPCError) in
      let params = call.params ?? .emptyObject
      switch call.method {
      case "source/changed": onChange(params)
      case "source/progress": conversation?.tellProgress(params)
      default:
        throw RPCError(.methodNotFound, "a source can't send requests: no method \"\(call.method)\"")
      }
      return .empty
    }
    conversation = peer
    do throws(SystemError) {
      child = try ChildProcess(program.command, in: program.folder, on: loop)
    } catch {
      throw LoadFailure(
        .unreachable,
        "the source \"\(program.name)\" \(error); \(program.remedy)",
        isRetryable: error.isTransient)
    }
    endCheck = loop.timer { [unowned self] in lookForEnd() }
    endCheck?.isInBackground = true
    turn = loop.timer { [unowned self] in handle() }
    if let log = program.log { peer.log = { log("[\(program.name)] \($0)") } }
    peer.onUnusable = { [unowned self] in recordUnusable($0, $1) }
    child.onOutput = { [unowned self] in receive($0) }
    child.onErrorOutput = { [unowned self] in receiveErrors($0) }
    child.onWritable = { [unowned self] in write() }
    child.onEnd = { [unowned self] end in
      let run = self
      onEnd(run)
      run.fail(end)
    }
  }

  /// Sends a request. Throws if the program has stopped reading its input.
  ///
  /// - Returns: cancels the request when it is disposed of.
  func ask<Result>(
    _ request: SourceRequest<Result>, _ observer: Observer<Result>
  ) throws(LoadFailure) -> AnyDisposable {
    guard !peer.backlog.isFull else {
      throw LoadFailure(
        .timeout, "the program of the source \"\(program.name)\" doesn't read its standard input", isRetryable: true)
    }
    var number = 0
    let end = { [unowned self] in
      waiting.removeValue(forKey: number)?.end()
      hasAnswered = true
      trouble = nil
    }
    let refuse: Peer.UnusableHandler = { message, error in
      end()
      observer.onError(request.failure(ofAnswer: message, error))
    }
    number = peer.request(request.method, request.params, onProgress: request.onProgress, onUnusable: refuse) {
      answer in
      end()
      request.answer(answer, to: observer)
    }
    let work = Result.self == EditResult.self ? loop.work() : nil
    waiting[number] = Waiting(fail: observer.onError, refuse: refuse, work: work)
    if endCheck?.isArmed == false { endCheck?.arm(after: .seconds(1)) }
    write()
    return AnyDisposable { [self] in
      guard let request = waiting.removeValue(forKey: number) else { return }
      request.end()
      peer.cancel(number)
      write()
    }
  }

  /// Sends a notification.
  func tell(_ method: String, _ params: (inout JSONWriter) -> Void) {
    peer.notify(method, params)
    write()
  }

  private func lookForEnd() {
    child.lookForEnd()
    if child.end == nil, !waiting.isEmpty { endCheck?.arm(after: .seconds(1)) }
  }

  deinit {
    endCheck?.dispose()
    turn?.dispose()
  }
}

// MARK: - Input and output

extension SourceProcess {
  private func receive(_ bytes: Span<UInt8>) {
    peer.receive(bytes)
    handle()
  }

  /// Handles messages that were read, until other work on the loop is due. The next turn handles the rest.
  private func handle() {
    var hasInput = true
    repeat {
      hasInput = loop.step { peer.handleNext() }
    } while hasInput && !loop.isTurnOver
    if hasInput { turn?.arm(after: .zero) }
    write()
  }

  private func write() {
    peer.writeAll(child.write)
    child.isReadingPaused = peer.backlog.isFull || turn?.isArmed == true
  }

  private func receiveErrors(_ bytes: Span<UInt8>) {
    errorTail.add(bytes) { line in program.log?("[\(program.name)] \(line)\n") }
  }
}

// MARK: - Errors

extension SourceProcess {
  /// Records output that isn't a message, or a message that is too large.
  private func recordUnusable(_ message: ArraySlice<UInt8>, _ error: RPCError) {
    guard message.isEmpty else {
      trouble =
        "its program printed a line that isn't a message; print such lines on standard error: \(StderrTail.cut(message))"
      return
    }
    trouble = "its program wrote a message that is too large; ask for smaller pages, or raise --max-message-size"
    program.log?("[\(program.name)] a message was skipped: \(error.message)\n")
    // If several requests are waiting, it is unknown which one the message would answer.
    guard waiting.count == 1, let (number, only) = waiting.first else { return }
    peer.cancel(number)
    only.refuse(message, error)
  }

  /// Fails the waiting requests, because the program has ended.
  private func fail(_ end: ChildProcess.End) {
    peer.receiveEnd()
    while loop.step({ peer.handleNext() }) {}
    errorTail.end { line in program.log?("[\(program.name)] \(line)\n") }
    program.log?("[\(program.name)] has ended: \(end)\n")
    let reason = errorTail.crash.map { "it crashed: \($0)" } ?? errorTail.last.map { "the last line of its log: \($0)" }
    let reasons = [reason, trouble].compactMap { $0 }.map { "; \($0)" }.joined()
    let failure = LoadFailure(
      .unreachable,
      "the program of the source \"\(program.name)\" ended without an answer (\(end))\(reasons); --log shows all of its log",
      isRetryable: true)
    let failing = waiting.sorted { $0.key < $1.key }
    waiting = [:]
    for (_, waiting) in failing {
      waiting.end()
      waiting.fail(failure)
    }
  }
}
