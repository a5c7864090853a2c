public import WireJSON

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
/// Both sides may call; both framings are understood and told apart by the first byte. Nothing is written before
/// something was read.
public final class Peer {
  /// What a message may at most be.
  public struct Limits: Sendable {
    /// The longest message in bytes; 16 MiB unless said otherwise.
    public var messageSize = 16 << 20
    /// How deep arrays and objects may lie in each other.
    public var nesting = 512
    /// The usual limits.
    public init() {}
  }

  /// Called after an answer of the other side was taken in: the end of a step.
  public var onResponse: () -> Void = {}

  private typealias Completion = (Result<RawJSON, RPCError>) -> Void

  private let handle: (Call) throws(RPCError) -> Answer
  private let limits: Limits
  private var frames: FrameReader
  private var outbox = Outbox()
  private var lastID = 0
  /// Requests of ours that wait for their answer.
  private var outgoing: [Int: Completion] = [:]
  /// Requests of the other side that are worked on, and how to cancel each.
  private var incoming: [ItemID: (reply: Reply, cancel: () -> Void)] = [:]
  private var batch: Batch?

  /// Makes a peer.
  ///
  /// - Parameters:
  ///   - limits: what a message may at most be.
  ///   - handle: answers a call, or throws what is wrong with it. Says all that the call caused before it returns, so
  ///     that an answer comes after every notification.
  public init(limits: Limits = Limits(), _ handle: @escaping (Call) throws(RPCError) -> Answer) {
    self.limits = limits
    self.handle = handle
    frames = FrameReader(maxMessageSize: limits.messageSize, maxDepth: limits.nesting)
  }
}

// MARK: - Input

extension Peer {
  /// Takes in what was read, in pieces of any size.
  public func receive(_ bytes: Span<UInt8>) { frames.append(bytes) }

  /// No more will come. A last line without a line feed becomes a message.
  public func receiveEnd() { frames.end() }

  /// Handles one message.
  ///
  /// - Returns: false if none is whole yet.
  public func handleNext() -> Bool {
    guard let frame = frames.next() else { return false }
    switch frame {
    case .message(let range): handleMessage(range)
    case .broken(let reason, let offset):
      send(RPCError(.parseError, reason, data: ParseFault(offset: offset)), id: nil)
    case .tooLarge:
      let fault = LimitFault(limit: "messageSize", max: limits.messageSize)
      send(RPCError(.limitPassed, "a message may have \(limits.messageSize) bytes at most", data: fault), id: nil)
    }
    return true
  }

  /// Cancels every request that is worked on; each is answered.
  public func cancelAll() {
    for (id, request) in incoming.sorted(by: { $0.key.json.lexicographicallyPrecedes($1.key.json) }) {
      cancel(id, request.reply, request.cancel)
    }
  }

  private func handleMessage(_ range: Range<Int>) {
    outbox.log?("--> \(String(decoding: frames.bytes[range], as: UTF8.self))\n")
    do throws(JSONError) {
      let scan = try MemberScan(frames.bytes.span.extracting(range), Envelope.names, maxDepth: limits.nesting)
      if scan.kind == .array {
        let start = range.lowerBound
        handleBatch(
          RawJSON(trusting: frames.bytes, start + scan.range.lowerBound..<start + scan.range.upperBound))
      } else {
        act(on: Envelope(frames.bytes, from: range.lowerBound, scan))
      }
    } catch {
      send(RPCError(.parseError, error.message, data: ParseFault(offset: error.offset)), id: nil)
    }
  }

  private func handleBatch(_ messages: RawJSON) {
    if messages.isEmptyArray {
      send(RPCError(.invalidRequest, "a batch must not be empty"), id: nil)
      return
    }
    let batch = Batch()
    self.batch = batch
    for message in messages.elements {
      // The whole batch was checked, so each of its messages can be scanned.
      guard let scan = try? MemberScan(message.storage.span.extracting(message.range), Envelope.names) else { continue }
      act(on: Envelope(message.storage, from: message.start, scan))
    }
    self.batch = nil
    batch.isComplete = true
    sendIfDone(batch)
  }

  private func act(on envelope: Envelope) {
    switch envelope.meaning {
    case .call(let call): answer(call)
    case .response(let id, let result):
      if let number = id.int, let completion = outgoing.removeValue(forKey: number) {
        completion(result)
        onResponse()
      }
    case .invalid(let error, let id): send(error, id: id)
    case .ignored: break
    }
  }

  private func answer(_ call: Call) {
    if call.method == "$/cancelRequest" { cancelRequest(call.params?.member("id")) }
    do throws(RPCError) {
      let answer = try call.method == "$/cancelRequest" ? .empty : handle(call)
      guard let id = call.id else { return }
      switch answer {
      case .empty: send(id: id) { $0.literal("{}") }
      case .result(let result): send(id: id, result)
      case .later(let start): work(on: id, start)
      }
    } catch {
      if let id = call.id { send(error, id: id) }
    }
  }
}

// MARK: - Requests of the other side that take time

extension Peer {
  private func work(on id: RawJSON, _ start: (Reply) -> (() -> Void)) {
    let key = ItemID(id)
    let batch = batch
    batch?.pending += 1
    var isDone = false
    let reply = Reply { [weak self] outcome in
      guard let self else { return }
      isDone = true
      if let key { incoming[key] = nil }
      let outer = self.batch
      self.batch = batch
      switch outcome {
      case .success(let result): send(id: id, result)
      case .failure(let error): send(error, id: id)
      }
      self.batch = outer
      batch?.pending -= 1
      if let batch { sendIfDone(batch) }
    }
    let cancel = start(reply)
    if let key, !isDone { incoming[key] = (reply, cancel) }
  }

  private func cancelRequest(_ id: RawJSON?) {
    guard let id, let key = ItemID(id), let request = incoming[key] else { return }
    cancel(key, request.reply, request.cancel)
  }

  private func cancel(_ id: ItemID, _ reply: Reply, _ cancel: () -> Void) {
    incoming[id] = nil
    cancel()
    reply.fail(RPCError(.requestCancelled, "the request was cancelled"))
  }
}

// MARK: - Output

extension Peer {
  /// How the other side frames its messages; nil before anything was read.
  public var framing: Framing? { frames.framing }

  /// Is told each message that comes (`-->`) and goes (`<--`), a line each.
  public var log: ((String) -> Void)? {
    get { outbox.log }
    set { outbox.log = newValue }
  }

  /// How many bytes wait that may not be lost; more than 1 MiB is a reason to stop reading.
  public var waitingBytes: Int { outbox.waitingBytes }

  /// How many bytes can be written now.
  public var readyBytes: Int { outbox.readyCount }

  /// Whether nothing waits.
  public var isDrained: Bool { outbox.isEmpty }

  /// Writes what is ready.
  ///
  /// - Parameter transport: takes bytes and says how many it took.
  /// - Throws: what the transport throws.
  public func write<Failure: Error>(_ transport: (Span<UInt8>) throws(Failure) -> Int) throws(Failure) {
    try outbox.write(framing: frames.framing ?? .lines, transport)
  }

  /// Says something that must not be lost.
  ///
  /// - Parameters:
  ///   - method: the notification's name.
  ///   - params: writes its parameters, an object.
  public func notify(_ method: String, _ params: (inout JSONWriter) -> Void) {
    append { writer in
      writer.beginMessage()
      writer.key("method")
      writer.string(method)
      writer.key("params")
      params(&writer)
      writer.endObject()
    }
  }

  /// Says an output whose newest value is what counts.
  public func post(_ output: any Deferrable) {
    guard let framing = frames.framing else { return }
    outbox.append(output, framing: framing)
  }

  /// Calls a method of the other side.
  ///
  /// - Parameters:
  ///   - method: its name.
  ///   - params: writes its parameters, an object.
  ///   - completion: gets the answer, once, unless the request is cancelled.
  /// - Returns: the request's id, to cancel it by.
  public func request(
    _ method: String, _ params: (inout JSONWriter) -> Void, completion: @escaping (Result<RawJSON, RPCError>) -> Void
  ) -> Int {
    lastID += 1
    let id = lastID
    outgoing[id] = completion
    append { writer in
      writer.beginMessage()
      writer.key("id")
      writer.int(id)
      writer.key("method")
      writer.string(method)
      writer.key("params")
      params(&writer)
      writer.endObject()
    }
    return id
  }

  /// Gives up a request of ours: says `$/cancelRequest`, and lets a late answer go by.
  public func cancel(_ id: Int) {
    guard outgoing.removeValue(forKey: id) != nil else { return }
    notify("$/cancelRequest") { writer in
      writer.beginObject()
      writer.key("id")
      writer.int(id)
      writer.endObject()
    }
  }

  private func send(_ error: RPCError, id: RawJSON?) {
    respond(id: id) { writer in
      writer.key("error")
      error.write(to: &writer)
    }
  }

  private func send(id: RawJSON, _ result: (inout JSONWriter) -> Void) {
    respond(id: id) { writer in
      writer.key("result")
      result(&writer)
    }
  }

  private func respond(id: RawJSON?, _ outcome: (inout JSONWriter) -> Void) {
    if let batch {
      writeResponse(to: &batch.answers, id: id, outcome)
    } else {
      append { writeResponse(to: &$0, id: id, outcome) }
    }
  }

  private func writeResponse(to writer: inout JSONWriter, id: RawJSON?, _ outcome: (inout JSONWriter) -> Void) {
    writer.beginMessage()
    writer.key("id")
    if let id { writer.raw(id) } else { writer.null() }
    outcome(&writer)
    writer.endObject()
  }

  private func append(_ message: (inout JSONWriter) -> Void) {
    outbox.append(framing: frames.framing ?? .lines, message)
  }

  private func sendIfDone(_ batch: Batch) {
    guard batch.isComplete, batch.pending == 0, !batch.isEmpty else { return }
    batch.answers.endArray()
    let answers = batch.answers.bytes
    append { $0.raw(answers.span) }
  }
}

/// The answers to one batch, which go out together (JSON-RPC 2.0, section 6).
private final class Batch {
  var answers = JSONWriter()
  var pending = 0
  var isComplete = false
  var isEmpty: Bool { answers.bytes.count == 1 }

  init() { answers.beginArray() }
}

extension JSONWriter {
  /// Begins an object with `"jsonrpc":"2.0"`.
  fileprivate mutating func beginMessage() {
    beginObject()
    key("jsonrpc")
    string("2.0")
  }
}
