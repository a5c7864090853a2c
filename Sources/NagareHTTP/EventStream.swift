internal import Flow

/// One connection on which a server tells of changes, from its beginning to its end.
final class EventStream: AnswerReceiver, Disposable {
  /// What comes of it.
  enum Word {
    /// The server has answered that it will tell.
    case opened
    case found(EventParser.Finding)
  }

  /// Why it has ended.
  enum End: Hashable {
    /// The server, or the way to it: it may well go on later.
    case transient(String)
    /// The server doesn't tell, and says so.
    case refused(String)
  }

  /// After how long without a byte the server is taken for gone.
  private static let longestSilence = Duration.seconds(3600)

  /// Whether nothing more is read for now. When that changes to false, ``resume()`` has it go on.
  var isHeld: () -> Bool = { false }
  /// Takes what comes.
  var onWord: (Word) -> Void = { _ in }
  /// Called once at the end, unless the stream is disposed of before.
  var onEnd: (End) -> Void = { _ in }

  private var parser: EventParser
  private var transfer: (any Transfer)?
  private var silence: ScheduledTimer?
  private var refusal: End?
  private var isPaused = false
  private var isOver = false

  /// Prepares to connect. The limit is for the bytes of an event.
  init(limit: Int, lastID: String?, on clock: any Scheduler) {
    parser = EventParser(limit: limit, lastID: lastID)
    silence = clock.timer { [unowned self] in
      if isHeld() { return resetSilence() }
      dispose()
      onEnd(.transient("the server sends nothing"))
    }
  }

  /// Connects.
  func begin(_ url: WebAddress, _ headers: [String: String], by transport: any Transport) {
    guard !isOver else { return }
    resetSilence()
    transfer = transport.get(url, headers, self)
  }

  /// Reads on where that was held. False if it wasn't.
  func resume() -> Bool {
    guard isPaused else { return false }
    isPaused = false
    transfer?.resume()
    return true
  }

  /// Closes the connection.
  func dispose() {
    isOver = true
    silence?.dispose()
    transfer?.dispose()
    transfer = nil
  }

  private func resetSilence() { silence?.arm(after: EventStream.longestSilence) }

  func receive(_ head: HTTPAnswer) -> Bool {
    resetSilence()
    refusal = head.refusal
    if refusal == nil { onWord(.opened) }
    return refusal == nil
  }

  func receive(_ bytes: Span<UInt8>) -> Verdict {
    resetSilence()
    isPaused = isHeld()
    if isPaused { return .paused }
    for finding in parser.read(bytes) where !isOver { onWord(.found(finding)) }
    return isOver ? .refused : .taken
  }

  func end(_ failure: TransferFailure?) {
    guard !isOver else { return }
    dispose()
    onEnd(refusal ?? failure.map(End.init) ?? .transient("the server closed the connection"))
  }
}

extension EventStream.End {
  fileprivate init(_ failure: TransferFailure) {
    self =
      switch failure {
      case .noClient(let reason): .refused("\(reason); \(TransferFailure.clientRemedy)")
      case .network(let reason, let isTransient): isTransient ? .transient(reason) : .refused(reason)
      case .timedOut, .tooLarge: .transient("\(failure)")
      }
  }
}

extension HTTPAnswer {
  /// Why this isn't the beginning of a stream of events; nil if it is.
  fileprivate var refusal: EventStream.End? {
    if redirect != nil { return .refused("the server redirects (\(status)); use the address that it redirects to") }
    let type = self["content-type"]?.prefix { $0 != ";" && $0 != " " }.lowercased() ?? "nothing"
    if status == 200, type == "text/event-stream" { return nil }
    let reason = "the server answered \(status), \(type), not 200, text/event-stream"
    return isTransientFailure ? .transient(reason) : .refused(reason)
  }
}
