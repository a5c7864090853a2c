internal import Flow

/// A connection on which a server sends events.
final class EventStream: AnswerReceiver, Disposable {
  /// What the stream reports.
  enum Word {
    /// The server has confirmed that it will send events.
    case opened
    case found(EventParser.Finding)
  }

  /// The reason why the connection ended.
  enum End: Hashable {
    /// A failure of the server or the network, which may be temporary.
    case transient(String)
    /// The server doesn't send events at this address.
    case refused(String)
  }

  /// The maximum time without a byte. After that, the connection counts as lost.
  private static let longestSilence = Duration.seconds(3600)

  /// Returns whether reading is paused. When this becomes false, ``resume()`` must be called.
  var isHeld: () -> Bool = { false }
  /// Receives what the stream reports.
  var onWord: (Word) -> Void = { _ in }
  /// Called once when the connection ends, unless the stream was disposed of before.
  var onEnd: (End) -> Void = { _ in }

  private var parser: EventParser
  private var transfer: (any Transfer)?
  private var silence: ScheduledTimer?
  private var refusal: End?
  private var isPaused = false
  private var isOver = false

  /// Prepares a connection. `limit` is the maximum size of an event in bytes.
  init(limit: Int, lastID: String?, on clock: any Scheduler) {
    parser = EventParser(limit: limit, lastID: lastID)
    silence = clock.timer { [unowned self] in
      if isHeld() { return resetSilence() }
      dispose()
      onEnd(.transient("the server sends nothing"))
    }
  }

  /// Connects to the server.
  func begin(_ url: WebAddress, _ headers: [String: String], by transport: any Transport) {
    guard !isOver else { return }
    resetSilence()
    transfer = transport.get(url, headers, self)
  }

  /// Resumes reading. Returns whether it was paused.
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
  /// The reason why this isn't the head of a stream of events; nil if it is.
  fileprivate var refusal: EventStream.End? {
    if redirect != nil { return .refused("the server redirects (\(status)); use the address that it redirects to") }
    let type = self["content-type"]?.prefix { $0 != ";" && $0 != " " }.lowercased() ?? "nothing"
    if status == 200, type == "text/event-stream" { return nil }
    let reason = "the server answered \(status), \(type), not 200, text/event-stream"
    return isTransientFailure ? .transient(reason) : .refused(reason)
  }
}
