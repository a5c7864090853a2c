package import WireJSON

/// One side of a JSON-RPC 2.0 conversation. It does no input or output itself: it converts bytes to calls, and answers
/// to bytes.
///
/// ```swift
/// let peer = Peer { call in
///   guard call.method == "ping" else { throw RPCError(.methodNotFound, "no method \(call.method)") }
///   return .empty
/// }
/// peer.receive(bytes)
/// while peer.handleNext() {}
/// peer.write { span in … }
/// ```
/// Both sides may send requests. Unless a framing is agreed on, the first received byte decides which of the two
/// framings the input has. Everything sent after that has the framing of the input. Messages sent before are one per
/// line.
///
/// All code that the peer calls may call the peer again: handlers, completions, closures that write messages, and the
/// transport.
package final class Peer {
  /// The limits for received messages.
  package struct Limits: Sendable {
    /// The longest message in bytes. The default is 16 MiB, the maximum 1 GiB.
    package var messageSize = 16 << 20
    /// The deepest nesting of arrays and objects.
    package var nesting = 512
    /// The maximum number of messages in a batch. It exists because two bytes of a batch can request a hundred bytes of
    /// a response, which must be complete before it can be sent.
    package var batch = 100_000
    /// The limit of bytes in the response to a batch. When it is reached, the remaining requests of the batch are
    /// refused.
    package var batchAnswer = 16 << 20
    /// Makes the default limits.
    package init() {}
  }

  /// Receives each message that is neither a call nor a response, and the error. If it is set, the other side gets no
  /// error response. For a message over the size limit, the text is empty. Unusable responses to our requests aren't
  /// among them.
  package var onUnusable: UnusableHandler?

  /// Receives an unusable message and the error.
  package typealias UnusableHandler = (_ message: ArraySlice<UInt8>, RPCError) -> Void
  /// Receives each error with the id null: the other side couldn't read one of our messages.
  package var onUnread: ((RPCError) -> Void)?

  /// A typed line that isn't a message, or that has no effect.
  package enum Mistyping {
    /// The line has no text.
    case blank
    /// The line isn't a message. The other side has received an error.
    case unusable(line: String)
    /// The line is a message without an id, or a response, and nothing was done. The value is the reason.
    case unanswered(String)
  }

  /// Receives each typed line that isn't a message, or that has no effect; nil if a program sends the messages.
  private var onMistyping: ((Mistyping) -> Void)?

  typealias Completion = (Result<RawJSON, RPCError>) -> Void

  private struct OwnRequest {
    let onProgress: ((RawJSON) -> Void)?
    let onUnusable: UnusableHandler?
    let completion: Completion

    func fail(_ error: RPCError, _ answer: ArraySlice<UInt8>) {
      if let onUnusable { onUnusable(answer, error) } else { completion(.failure(error)) }
    }
  }

  /// The number of messages handled before `goesOn` is checked, which may take longer than handling a message.
  private static let messagesAtOnce = 64

  private let handle: (Call) throws(RPCError) -> Answer
  /// The limits in effect.
  package let limits: Limits
  /// Not checked for overlapping accesses. There are none: it contains bytes and numbers, and calls no foreign code.
  @exclusivity(unchecked)
  private var frames: FrameReader
  /// Not checked, for the same reason.
  @exclusivity(unchecked)
  private var memory = RepeatedCallCache()
  package let outbox = Outbox()
  /// The number of the last received message, from 1. Error responses with the id null contain it as `message`. Every
  /// message counts, of any kind; a batch counts as one.
  private var messageNumber = 0
  /// The id of our last request.
  private var lastID = 0
  /// Our requests that wait for a response.
  private var outgoing: [Int: OwnRequest] = [:]
  /// Whether the other side sends no more responses.
  package private(set) var isUnanswered = false
  private var incoming = OpenRequests()
  private var isClosed = false
  /// The batch that is being handled, which collects the responses; nil if each response is sent separately.
  private var batch: Batch?
  /// The reserved position in the batch of the late response that is being given; nil for other responses.
  private var latePlace: Int?
  /// Receives each received message (`-->`) and each sent message (`<--`), as a line.
  package var log: ((String) -> Void)? {
    get { outbox.log }
    set { outbox.log = newValue }
  }

  /// Makes a peer.
  ///
  /// - Parameters:
  ///   - limits: the limits for received messages.
  ///   - framing: how messages are separated; nil if the other side's first byte decides.
  ///   - handle: answers a call, or throws an error. Before it returns, it must send everything that the call causes,
  ///     so that the response follows all notifications.
  package init(
    limits: Limits = Limits(), framing: Framing? = nil, _ handle: @escaping (Call) throws(RPCError) -> Answer
  ) {
    var limits = limits
    limits.messageSize = min(limits.messageSize, 1 << 30)
    self.limits = limits
    self.handle = handle
    unsafe frames = FrameReader(framing, maxMessageSize: limits.messageSize, maxDepth: limits.nesting)
    outbox.framing = framing
  }
}

// MARK: - Input

extension Peer {
  /// Appends received bytes, in chunks of any size.
  package func receive(_ bytes: Span<UInt8>) { unsafe frames.append(bytes) }

  /// Ignores the rest of the input. A batch that is being handled is completed.
  package func close() { isClosed = true }

  /// Records the end of the input. A last line without a line feed becomes a message.
  package func receiveEnd() { unsafe frames.end() }

  /// The number of received bytes that aren't handled.
  package var unhandledBytes: Int { unsafe frames.available }

  /// Whether a call of a method is completely received and not handled, in a batch or not. It handles nothing. It is
  /// for calls that can't wait until all earlier messages are handled.
  package func awaits(_ method: WireText) -> Bool {
    guard !isClosed else { return false }
    if let batch, batch.awaits(method) { return true }
    // A copy, which reads the messages from the same bytes.
    var frames = unsafe frames
    while let frame = frames.next() {
      guard case .message(let range) = frame,
        let scan = try? MemberScan(frames.bytes.span.extracting(range), Envelope.names, maxDepth: limits.nesting)
      else { continue }
      if scan.kind == .array {
        let start = range.lowerBound + scan.range.lowerBound
        let messages = RawJSON(trusting: frames.bytes, start..<range.lowerBound + scan.range.upperBound)
        if !messages.isEmptyArray, Batch(messages).awaits(method) { return true }
      } else if case .call(let call) = Envelope(frames.bytes, from: range.lowerBound, scan).meaning,
        call.method == method
      {
        return true
      }
    }
    return false
  }

  /// Handles messages. It returns false when no complete message is left. It returns true when `readyBytes` can be
  /// written, when `goesOn` returns false, which it checks now and then, or when so much output waits that
  /// ``Backlog/isFull``.
  package func handleAll(untilReady readyBytes: Int, while goesOn: () -> Bool = { true }) -> Bool {
    guard !outbox.isFull else { return true }
    repeat {
      for _ in 0..<Peer.messagesAtOnce {
        guard handleNext() else { return false }
        if outbox.readyCount >= readyBytes { return true }
      }
    } while goesOn()
    return true
  }

  /// Handles one message, or one message of a batch. Returns false if none is complete.
  package func handleNext() -> Bool {
    if let batch { return handleNext(of: batch) }
    guard !isClosed else { return false }
    let frame = unsafe frames.next()
    if outbox.framing == nil { outbox.framing = unsafe frames.framing }
    guard let frame else { return false }
    switch frame {
    case .message(let range):
      messageNumber += 1
      handleMessage(range)
    case .broken(let reason, let offset):
      messageNumber += 1
      refuse([], RPCError(.parseError, reason, data: ["offset": offset]), id: nil)
    case .tooLarge(let beginning):
      messageNumber += 1
      refuse(beginning.map { unsafe frames.bytes[$0] } ?? [], tooLarge, id: nil, isCut: true)
    // It belongs to a message that was already counted.
    case .beginning(let range):
      let beginning = unsafe frames.bytes[range]
      if let request = takeRequest(answeredBy: beginning, isCut: true) { step { request.fail(tooLarge, beginning) } }
    case .blank: onMistyping?(.blank)
    }
    return true
  }

  private var tooLarge: RPCError {
    limitPassed("messageSize", limits.messageSize, "a message may have \(limits.messageSize) bytes at most")
  }

  private func limitPassed(_ limit: String, _ max: Int, _ message: String) -> RPCError {
    RPCError(.limitPassed, message, data: LimitErrorData(limit: limit, max: max))
  }

  /// Reports an unusable message to the other side, or to ``onUnusable`` if that is set, and to the request that it
  /// answers. If the message is cut, only its beginning is known.
  // Not inlined. Otherwise the check for a log would cost time for each message.
  @inline(never)
  private func refuse(_ message: ArraySlice<UInt8>, _ error: RPCError, id: RawJSON?, isCut: Bool = false) {
    let request = takeRequest(answeredBy: message, isCut: isCut)
    if onUnusable == nil {
      send(error, id: id)
    } else if request == nil {
      onUnusable?(isCut ? [] : message, error)
    }
    if let request { step { request.fail(error, message) } }
    onMistyping?(.unusable(line: String(decoding: message, as: UTF8.self)))
  }

  /// Removes and returns our request that an unusable message answers; nil if there is none.
  private func takeRequest(answeredBy message: ArraySlice<UInt8>, isCut: Bool) -> OwnRequest? {
    if outgoing.isEmpty { return nil }
    return answeredRequest(in: message, isCut: isCut).flatMap { outgoing.removeValue(forKey: $0) }
  }

  private func handleMessage(_ range: Range<Int>) {
    let bytes = unsafe frames.bytes
    outbox.log?("--> \(String(decoding: bytes[range], as: UTF8.self))\n")
    if let id = unsafe memory.id(inRepetition: bytes, range) {
      answer(unsafe memory.call(bytes, from: range.lowerBound, id: id))
    } else {
      read(bytes, range)
    }
  }

  private func read(_ bytes: [UInt8], _ range: Range<Int>) {
    let start = range.lowerBound
    do throws(JSONError) {
      let scan = try MemberScan(bytes.span.extracting(range), Envelope.names, maxDepth: limits.nesting)
      if scan.kind == .array {
        handleBatch(RawJSON(trusting: bytes, start + scan.range.lowerBound..<start + scan.range.upperBound))
      } else {
        act(on: Envelope(bytes, from: start, scan), at: range)
      }
    } catch {
      refuse(bytes[range], RPCError(.parseError, error.message, data: ["offset": error.offset]), id: nil)
    }
  }

  private func handleBatch(_ messages: RawJSON) {
    if messages.isEmptyArray {
      return refuse(messages.storage[messages.range], RPCError(.invalidRequest, "a batch must not be empty"), id: nil)
    }
    // A message and the comma after it take at least two bytes, so a short batch needn't be counted.
    if messages.count / 2 > limits.batch, messages.elements.reduce(0, { count, _ in count + 1 }) > limits.batch {
      return refuse(
        [], limitPassed("batch", limits.batch, "a batch may have \(limits.batch) messages at most"), id: nil)
    }
    batch = Batch(messages)
  }

  private func handleNext(of batch: Batch) -> Bool {
    // The whole batch was checked, so each of its messages can be scanned.
    if let message = batch.takeNext(),
      let scan = try? MemberScan(
        message.storage.span.extracting(message.range), Envelope.names, maxDepth: limits.nesting)
    {
      act(on: Envelope(message.storage, from: message.start, scan), at: message.range)
    }
    if batch.isEmpty {
      self.batch = nil
      batch.isHandled = true
      sendAnswers(of: batch)
    }
    return true
  }

  private func act(on envelope: borrowing Envelope, at range: Range<Int>) {
    switch envelope.meaning {
    case .call(let call) where call.method == "$/cancelRequest":
      cancelRequest(call)
      if let id = call.id { sendEmptyResult(id: id) }
    case .call(let call):
      unsafe memory.remember(call, envelope.text, range)
      if let id = call.id, let error = batch.flatMap(fullness) { send(error, id: id) } else { answer(call) }
    case .response(let id, let result):
      guard let number = id.int, let request = outgoing.removeValue(forKey: number) else { return }
      step { request.completion(result) }
    case .unread(let error): onUnread?(error)
    case .invalid(let error, let id): refuse(envelope.text[range], error, id: id)
    case .ignored(let reason): onMistyping?(.unanswered(reason))
    }
  }

  /// Why no more requests of a batch are answered; nil while its response is below the limit.
  private func fullness(of batch: Batch) -> RPCError? {
    guard batch.size >= limits.batchAnswer else { return nil }
    return RPCError(
      .limitPassed,
      "the response to this batch has \(limits.batchAnswer) bytes already; send the request again in another batch",
      data: LimitErrorData(limit: "batchAnswer", max: limits.batchAnswer))
  }

  private func answer(_ call: Call) {
    do throws(RPCError) {
      let answer = try step { () throws(RPCError) in try handle(call) }
      guard let id = call.id else { return }
      switch answer {
      case .empty: sendEmptyResult(id: id)
      case .result(let result): send(id: id, result)
      case .later(let start): work(on: id, start)
      }
    } catch {
      if let id = call.id { send(error, id: id) } else { onMistyping?(.unanswered(error.message)) }
    }
  }
}

// MARK: - Steps

extension Peer {
  /// Runs a step, and at its end sends the changes of the outputs. The handling of each received message is a step,
  /// too.
  package func step<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    defer { outbox.endStep() }
    return try body()
  }
}

// MARK: - Requests of the other side that take time

extension Peer {
  /// Cancels every unfinished request of the other side, oldest first. Each gets a response.
  package func cancelAll() {
    for number in incoming.numbers { cancel(incoming.remove(number)) }
  }

  private func cancelRequest(_ call: Call) {
    if let id = call.params?.member("id") { cancel(incoming.remove(id: id)) }
  }

  private func cancel(_ request: OpenRequests.Request?) {
    request?.cancel()
    request?.reply.fail(RPCError(.requestCancelled, "the request was cancelled"))
  }

  private func work(on id: RawJSON, _ start: (Reply) -> (() -> Void)) {
    let id = id.compacted
    let number = incoming.nextNumber()
    let (batch, message) = (batch, messageNumber)
    let place = batch?.reserve()
    let reply = Reply { [weak self] outcome in self?.finish(number, id, of: message, batch, place, outcome) }
    let cancel = start(reply)
    if !reply.isSent { incoming.add(number, id: id, reply, cancel: cancel) }
  }

  private func finish(
    _ number: Int, _ id: RawJSON, of message: Int, _ batch: Batch?, _ place: Int?, _ outcome: Reply.Outcome
  ) {
    incoming.remove(number)
    // Another message or another batch may be in progress.
    let current = (self.batch, latePlace, messageNumber)
    (self.batch, latePlace, messageNumber) = (batch, place, message)
    switch outcome {
    case .success(let result):
      if let error = batch.flatMap(fullness) { send(error, id: id) } else { send(id: id, result) }
    case .failure(let error): send(error, id: id)
    }
    (self.batch, latePlace, messageNumber) = current
    if let batch { sendAnswers(of: batch) }
  }
}

// MARK: - Our requests

extension Peer {
  /// Sends a notification. Its parameters must be an object. If the message is beyond the other side's limits, sends
  /// nothing and returns the error.
  @discardableResult
  package func notify(_ method: String, _ params: (inout JSONWriter) -> Void) -> RPCError? {
    outbox.notify(method, params)
  }

  /// Sends a request to the other side.
  ///
  /// - If the request is cancelled, no closure is called.
  /// - After ``endRequests()``, and for a message beyond the other side's limits, the completion receives an error
  ///   immediately.
  /// - A response is unusable if it is too large, too deep or broken.
  ///
  /// - Parameters:
  ///   - method: the name of the method.
  ///   - params: writes the parameters, which must be an object.
  ///   - onProgress: receives the progress that is passed to ``tellProgress(_:)``, until the response.
  ///   - onUnusable: receives the text of an unusable response and the error. Of a response that is too large, it
  ///     receives the beginning. If it is nil, the completion receives the error.
  ///   - completion: receives the response once, with any JSON that the other side sent.
  /// - Returns: the id, to cancel the request by.
  package func request(
    _ method: String, _ params: (inout JSONWriter) -> Void, onProgress: ((RawJSON) -> Void)? = nil,
    onUnusable: UnusableHandler? = nil, completion: @escaping (Result<RawJSON, RPCError>) -> Void
  ) -> Int {
    lastID += 1
    let id = lastID
    guard !isUnanswered else {
      completion(.failure(.unanswered))
      return id
    }
    outgoing[id] = OwnRequest(onProgress: onProgress, onUnusable: onUnusable, completion: completion)
    let excess = outbox.send { writer in
      writer.beginMessage()
      writer.member("id", id)
      writer.member("method", method)
      writer.key("params")
      params(&writer)
      writer.endObject()
    }
    if let excess { fail(id, excess) }
    return id
  }

  /// Fails our request with an id, because the other side couldn't read it.
  package func fail(_ id: Int, _ error: RPCError) {
    outgoing.removeValue(forKey: id)?.completion(.failure(error))
  }

  /// Handles the other side's progress report for one of our requests. The report's `request` is the request's id.
  /// Reports for finished requests are ignored.
  package func tellProgress(_ progress: RawJSON) {
    if let id = progress.member("request")?.int { outgoing[id]?.onProgress?(progress) }
  }

  /// Cancels our request with an id that ``request(_:_:onProgress:completion:)`` returned: sends `$/cancelRequest`, and
  /// ignores a late response. Does nothing for a request that was already answered or cancelled.
  package func cancel(_ id: Int) {
    guard outgoing.removeValue(forKey: id) != nil else { return }
    notify("$/cancelRequest") { ["id": id].write(to: &$0) }
  }

  /// Records that the other side sends no more responses. Later requests fail immediately and aren't sent.
  package func refuseRequests() { isUnanswered = true }

  /// Records that the other side sends no more responses, and cancels all of our requests, oldest first. They fail.
  /// Later requests fail, too, and aren't sent.
  package func endRequests() {
    isUnanswered = true
    for id in outgoing.keys.sorted() {
      let request = outgoing[id]
      cancel(id)
      step { request?.completion(.failure(.unanswered)) }
    }
  }
}

extension RPCError {
  fileprivate static let unanswered = RPCError(
    .requestCancelled, "the input has ended, so the client can't answer any more")
}

// MARK: - Answers

extension Peer {
  private func send(_ error: RPCError, id: RawJSON?) {
    let error = id?.isNull ?? true ? error.naming(message: messageNumber) : error
    respond(id: id) { writer in
      writer.member("error", error)
    }
  }

  private func send(id: RawJSON, _ result: (inout JSONWriter) -> Void) {
    respond(id: id) { writer in
      writer.key("result")
      result(&writer)
    }
  }

  private func sendEmptyResult(id: RawJSON) {
    if batch == nil, outbox.log == nil {
      outbox.sendEmptyResult(id: id)
    } else {
      send(id: id) { $0.literal("{}") }
    }
  }

  private func sendAnswers(of batch: Batch) {
    if let answers = batch.takeAnswers() { outbox.send(answers) }
  }

  private func respond(id: RawJSON?, _ outcome: (inout JSONWriter) -> Void) {
    if let batch {
      batch.write(inPlace: latePlace) { writeResponse(to: &$0, id: id, outcome) }
    } else if let excess = outbox.send({ writeResponse(to: &$0, id: id, outcome) }) {
      var writer = JSONWriter()
      writeResponse(to: &writer, id: id) { $0.member("error", excess) }
      outbox.send(writer.bytes)
    }
  }

  private func writeResponse(to writer: inout JSONWriter, id: RawJSON?, _ outcome: (inout JSONWriter) -> Void) {
    writer.beginMessage()
    writer.key("id")
    if let id { writer.raw(id) } else { writer.null() }
    outcome(&writer)
    writer.endObject()
  }
}

// MARK: - Output

extension Peer {
  /// How messages are framed; nil before anything was received, unless a framing was agreed on.
  package var framing: Framing? { outbox.framing }

  /// Prepares for a person who types messages at a terminal, before anything was received. One line is one message,
  /// whatever the first byte is. The marks of a dialogue in a document may be before it.
  ///
  /// - Parameter onMistyping: receives each line that isn't a message, or that has no effect, after the error was sent to the
  ///   other side.
  package func readTypedLines(onMistyping: @escaping (Mistyping) -> Void) {
    outbox.framing = .lines
    self.onMistyping = onMistyping
    unsafe frames = FrameReader(
      .lines, maxMessageSize: limits.messageSize, maxDepth: limits.nesting, isTyped: true)
  }

  /// The state of the output. A transport decides by it what to do next.
  package struct Backlog: Hashable, Sendable {
    /// The number of bytes that can be written now.
    package let readyBytes: Int
    /// Whether there is no output.
    package let isEmpty: Bool
    /// Whether more than 1 MiB waits, so nothing more should be handled or read.
    package let isFull: Bool
  }

  /// The state of the output.
  package var backlog: Backlog {
    Backlog(readyBytes: outbox.readyCount, isEmpty: outbox.isEmpty, isFull: outbox.isFull)
  }

  /// The number of waiting bytes of messages that must not be lost.
  package var waitingBytes: Int { outbox.waitingBytes }

  /// Passes the ready bytes to a transport, which writes some of them from the start and returns how many. Returns the
  /// state of the output after that. If the transport throws, nothing counts as written.
  @inlinable @discardableResult
  package func write<Failure: Error>(_ transport: (Span<UInt8>) throws(Failure) -> Int) throws(Failure) -> Backlog {
    drop(try lendReady(to: transport))
  }

  /// Passes ready bytes to a transport until it writes none of them.
  package func writeAll(_ transport: (Span<UInt8>) -> Int) {
    var isTaken = true
    while isTaken, outbox.readyCount > 0 {
      write { bytes in
        let count = transport(bytes)
        isTaken = count > 0
        return count
      }
    }
  }

  /// Passes the bytes themselves, so nothing of the peer is being accessed while the transport runs.
  @inlinable
  func lendReady<Failure: Error>(to transport: (Span<UInt8>) throws(Failure) -> Int) throws(Failure) -> Int {
    let (bytes, start) = ready
    return try transport(bytes.span.extracting(start...))
  }

  @usableFromInline
  var ready: (bytes: [UInt8], start: Int) { (unsafe outbox.ready, outbox.head) }

  @usableFromInline
  func drop(_ count: Int) -> Backlog {
    outbox.drop(count)
    return backlog
  }
}
