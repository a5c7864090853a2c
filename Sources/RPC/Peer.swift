package import WireJSON

/// One side of a JSON-RPC 2.0 conversation, without any input or output of its own: bytes in, calls and bytes out.
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
/// Both sides may call; both framings are understood and, unless one is agreed on, told apart by the first byte. Answers
/// come in the framing of the input, and so does all that is said once there was input; what is said before goes out line
/// by line.
///
/// Whatever it calls may call it again: handlers, completions, what writes a message, and the transport.
package final class Peer {
  /// What a message may at most be.
  package struct Limits: Sendable {
    /// The longest message in bytes; 16 MiB unless said otherwise. Above 1 GiB it counts as 1 GiB.
    package var messageSize = 16 << 20
    /// How deep arrays and objects may lie in each other.
    package var nesting = 512
    /// How many messages a batch may have. Two bytes of a batch can ask for a hundred of an answer, which must be whole
    /// before it can be sent.
    package var batch = 100_000
    /// How many bytes of answers to a batch are enough: when there are so many, its other requests are refused.
    package var batchAnswer = 16 << 20
    /// The usual limits.
    package init() {}
  }

  /// Is told each message that is neither call nor answer, and what is wrong with it, in place of the other side, which
  /// is answered otherwise. Of a message over the size limit there is no text. Answers to requests of ours that can't be
  /// used aren't among them.
  package var onUnusable: UnusableHandler?

  /// Receives a message that can't be used, and what is wrong with it.
  package typealias UnusableHandler = (_ message: ArraySlice<UInt8>, RPCError) -> Void
  /// Receives each error with the id null: the other side couldn't read a message of ours.
  package var onUnread: ((RPCError) -> Void)?

  typealias Completion = (Result<RawJSON, RPCError>) -> Void

  private struct OwnRequest {
    let onProgress: ((RawJSON) -> Void)?
    let onUnusable: UnusableHandler?
    let completion: Completion

    func fail(_ error: RPCError, _ answer: ArraySlice<UInt8>) {
      if let onUnusable { onUnusable(answer, error) } else { completion(.failure(error)) }
    }
  }

  /// So many messages are handled before somebody is asked whether to go on, which may take longer than a message does.
  private static let messagesAtOnce = 64

  private let handle: (Call) throws(RPCError) -> Answer
  /// The limits in effect.
  package let limits: Limits
  /// Not checked for overlapping accesses, of which there are none: it holds bytes and numbers, and calls nobody else's
  /// code.
  @exclusivity(unchecked)
  private var frames: FrameReader
  /// Not checked for the same reason.
  @exclusivity(unchecked)
  private var memory = RepeatedCallCache()
  package let outbox = Outbox()
  /// The number of the message that was read last, counted from 1: the `message` of the errors that it gets with the id
  /// null. Every message counts, whatever it is; a batch is one.
  private var messageNumber = 0
  /// The id of our last request.
  private var lastID = 0
  /// Requests of ours that wait for their answer.
  private var outgoing: [Int: OwnRequest] = [:]
  /// Whether the other side answers no more.
  package private(set) var isUnanswered = false
  private var incoming = OpenRequests()
  private var isClosed = false
  /// The batch that is carried out, to which answers go; nil where each goes out on its own.
  private var batch: Batch?
  /// The place that was kept in the batch for the late answer that is being given; nil for other answers.
  private var latePlace: Int?
  /// Is told each message that comes (`-->`) and goes (`<--`), a line each.
  package var log: ((String) -> Void)? {
    get { outbox.log }
    set { outbox.log = newValue }
  }

  /// Makes a peer.
  ///
  /// - Parameters:
  ///   - limits: what a message may at most be.
  ///   - framing: how messages are told apart; nil where the other side's first byte tells.
  ///   - handle: answers a call, or throws what is wrong with it. Says all that the call caused before it returns, so
  ///     that an answer comes after every notification.
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
  /// Takes in what was read, in pieces of any size.
  package func receive(_ bytes: Span<UInt8>) { unsafe frames.append(bytes) }

  /// Lets the rest of the input go by unread. A batch that is carried out comes to its end.
  package func close() { isClosed = true }

  /// No more will come. A last line without a line feed becomes a message.
  package func receiveEnd() { unsafe frames.end() }

  /// How many bytes were taken in and not handled.
  package var unhandledBytes: Int { unsafe frames.available }

  /// Whether a call of a method has been received whole and not handled, in a batch or not. It handles nothing: for what
  /// can't wait until all before it was handled.
  package func awaits(_ method: WireText) -> Bool {
    guard !isClosed else { return false }
    if let batch, batch.awaits(method) { return true }
    // A copy, which takes the messages out of the same bytes.
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

  /// Handles messages until the input runs dry, so many bytes can be written that they are worth a write, or others are to
  /// have their turn, for which `goesOn` is asked now and then; none while so much waits that ``Backlog/isFull``. False if
  /// the input ran dry.
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

  /// Handles one message, or of a batch one member. False if none is whole yet.
  package func handleNext() -> Bool {
    if let batch { return handleNext(of: batch) }
    guard !isClosed else { return false }
    let frame = unsafe frames.next()
    if outbox.framing == nil { outbox.framing = unsafe frames.framing }
    guard let frame else { return false }
    // The beginning belongs to a message that was counted.
    if case .beginning = frame {} else { messageNumber += 1 }
    switch frame {
    case .message(let range): handleMessage(range)
    case .broken(let reason, let offset):
      refuse([], RPCError(.parseError, reason, data: ["offset": offset]), id: nil)
    case .tooLarge(let beginning):
      refuse(beginning.map { unsafe frames.bytes[$0] } ?? [], tooLarge, id: nil, isCut: true)
    case .beginning(let range):
      let beginning = unsafe frames.bytes[range]
      if let request = takeRequest(answeredBy: beginning, isCut: true) { step { request.fail(tooLarge, beginning) } }
    }
    return true
  }

  private var tooLarge: RPCError {
    limitPassed("messageSize", limits.messageSize, "a message may have \(limits.messageSize) bytes at most")
  }

  private func limitPassed(_ limit: String, _ max: Int, _ message: String) -> RPCError {
    RPCError(.limitPassed, message, data: LimitErrorData(limit: limit, max: max))
  }

  /// Reports a message that can't be used to the other side, or to whoever is told instead, and to the request that it
  /// answers. Of one that is cut there is only the beginning.
  // Not inlined: otherwise each message would pay for the check whether there is a log.
  @inline(never)
  private func refuse(_ message: ArraySlice<UInt8>, _ error: RPCError, id: RawJSON?, isCut: Bool = false) {
    let request = takeRequest(answeredBy: message, isCut: isCut)
    if onUnusable == nil {
      send(error, id: id)
    } else if request == nil {
      onUnusable?(isCut ? [] : message, error)
    }
    if let request { step { request.fail(error, message) } }
  }

  /// Takes the request of ours that a message answers which can't be used, if there is one.
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
    // A message and the comma after it have two bytes at least, so a short batch needn't be counted.
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
    case .ignored: break
    }
  }

  /// Why nothing more is answered in a batch; nil as long as its answers aren't enough.
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
      if let id = call.id { send(error, id: id) }
    }
  }
}

// MARK: - Steps

extension Peer {
  /// Runs a step: what changes in the outputs meanwhile is sent at its end. Each message that comes is one.
  package func step<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    defer { outbox.endStep() }
    return try body()
  }
}

// MARK: - Requests of the other side that take time

extension Peer {
  /// Cancels every request that is worked on, the oldest first; each is answered.
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
    // Another message, or another batch, may be carried out just now.
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

// MARK: - Requests of ours

extension Peer {
  /// Sends a notification, whose parameters are an object, unless the other side can't read it: then nothing is sent,
  /// and the error says why.
  @discardableResult
  package func notify(_ method: String, _ params: (inout JSONWriter) -> Void) -> RPCError? {
    outbox.notify(method, params)
  }

  /// Calls a method of the other side, whose parameters are an object, and gives the id to cancel the request by. The
  /// completion gets the answer, whatever JSON the other side sent, once, unless the request is cancelled; after
  /// ``endRequests()``, and for a message that the other side can't read, at once, and an error. Before that `onProgress` gets
  /// what ``tellProgress(_:)`` is told. Of an answer that can't be used, as it is too large, too deep or broken, `onUnusable`
  /// gets the text, of a large one the beginning, and what is wrong with it; without that, the completion gets the error.
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

  /// Fails a request of ours by its id: the other side couldn't read it.
  package func fail(_ id: Int, _ error: RPCError) {
    outgoing.removeValue(forKey: id)?.completion(.failure(error))
  }

  /// The other side has said how far it has come with a request of ours, whose id is the `request` of what it has said. One
  /// that is over needs nothing.
  package func tellProgress(_ progress: RawJSON) {
    if let id = progress.member("request")?.int { outgoing[id]?.onProgress?(progress) }
  }

  /// Gives up a request of ours by the id that ``request(_:_:onProgress:completion:)`` gave: says `$/cancelRequest`, and lets a
  /// late answer go by. One that was answered, or given up before, needs nothing.
  package func cancel(_ id: Int) {
    guard outgoing.removeValue(forKey: id) != nil else { return }
    notify("$/cancelRequest") { ["id": id].write(to: &$0) }
  }

  /// The other side answers no more: each later request of ours fails at once and isn't sent.
  package func refuseRequests() { isUnanswered = true }

  /// The other side will answer no more: cancels every request of ours, the oldest first, which fails, and so does each
  /// later one, unsaid.
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
  /// How messages are framed; nil before anything was read, unless it was agreed on.
  package var framing: Framing? { outbox.framing }

  /// Agrees on a framing before anything was read, whatever the first byte will be.
  package func use(_ framing: Framing) {
    outbox.framing = framing
    unsafe frames = FrameReader(framing, maxMessageSize: limits.messageSize, maxDepth: limits.nesting)
  }

  /// How the output stands, for a transport to decide what to do next.
  package struct Backlog: Hashable, Sendable {
    /// How many bytes can be written now.
    package let readyBytes: Int
    /// Whether nothing waits.
    package let isEmpty: Bool
    /// Whether so much waits that nothing more is to be handled, or read: over 1 MiB.
    package let isFull: Bool
  }

  /// What waits to be written.
  package var backlog: Backlog {
    Backlog(readyBytes: outbox.readyCount, isEmpty: outbox.isEmpty, isFull: outbox.isFull)
  }

  /// How many bytes wait that may not be lost.
  package var waitingBytes: Int { outbox.waitingBytes }

  /// Writes what is ready to a transport, which takes as many bytes as it likes from the first on, and says how many.
  /// Gives how the output stands then. If the transport throws, nothing was taken.
  @inlinable @discardableResult
  package func write<Failure: Error>(_ transport: (Span<UInt8>) throws(Failure) -> Int) throws(Failure) -> Backlog {
    drop(try lendReady(to: transport))
  }

  /// Writes what is ready until a transport takes none of it.
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

  /// Lends the bytes themselves, so that nothing here is in use while the transport runs.
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
