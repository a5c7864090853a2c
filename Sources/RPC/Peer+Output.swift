public import WireJSON

extension Peer {
  /// How the other side frames its messages; nil before anything was read.
  public var framing: Framing? { unsafe frames.framing }

  /// How the output stands, for a transport to decide what to do next.
  public struct Backlog: Hashable, Sendable {
    /// How many bytes wait that may not be lost.
    public let waitingBytes: Int
    /// How many bytes can be written now.
    public let readyBytes: Int
    /// Whether nothing waits.
    public let isEmpty: Bool
    /// Whether so much waits that nothing more is to be handled, or read: over 1 MiB.
    public let isFull: Bool
  }

  /// What waits to be written.
  public var backlog: Backlog {
    Backlog(
      waitingBytes: outbox.waitingBytes, readyBytes: outbox.readyCount, isEmpty: outbox.isEmpty,
      isFull: outbox.isFull)
  }

  /// Writes what is ready.
  ///
  /// - Parameter transport: takes bytes, as many as it likes from the first on, and says how many it took.
  /// - Returns: how the output stands then.
  /// - Throws: what the transport throws; nothing was taken then.
  @inlinable @discardableResult
  public func write<Failure: Error>(_ transport: (Span<UInt8>) throws(Failure) -> Int) throws(Failure) -> Backlog {
    drop(try lendReady(to: transport))
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
    while let output = outbox.refill() { encode(output) }
    return backlog
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

  /// Says an output whose newest value is what counts. Before anything was read nobody knows of it, and it is let go.
  ///
  /// - Parameter output: what writes the message when its turn comes.
  public func post(_ output: any Deferrable) {
    if framing != nil, !outbox.enqueue(output) { encode(output) }
  }

  /// Calls a method of the other side.
  ///
  /// - Parameters:
  ///   - method: its name.
  ///   - params: writes its parameters, an object.
  ///   - completion: gets the answer, once, unless the request is cancelled. The result is whatever JSON the other side
  ///     sent. After ``endRequests()`` it is called at once, with an error.
  /// - Returns: the request's id, to cancel it by.
  public func request(
    _ method: String, _ params: (inout JSONWriter) -> Void, completion: @escaping (Result<RawJSON, RPCError>) -> Void
  ) -> Int {
    lastID += 1
    let id = lastID
    guard !isUnanswered else {
      completion(.failure(.unanswered))
      return id
    }
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

  /// Gives up a request of ours: says `$/cancelRequest`, and lets a late answer go by. One that was answered, or given
  /// up before, needs nothing.
  ///
  /// - Parameter id: what ``request(_:_:completion:)`` gave.
  public func cancel(_ id: Int) {
    guard outgoing.removeValue(forKey: id) != nil else { return }
    notify("$/cancelRequest") { writer in
      writer.beginObject()
      writer.key("id")
      writer.int(id)
      writer.endObject()
    }
  }

  /// The other side will answer no more: cancels every request of ours, the oldest first, which fails, and so does each
  /// later one, unsaid.
  public func endRequests() {
    isUnanswered = true
    for id in outgoing.keys.sorted() {
      let completion = outgoing[id]
      cancel(id)
      completion?(.failure(.unanswered))
    }
  }
}

extension RPCError {
  fileprivate static let unanswered = RPCError(
    .requestCancelled, "the input has ended, so that nobody can answer any more")
}

// MARK: - Answers

extension Peer {
  func send(_ error: RPCError, id: RawJSON?) {
    respond(id: id) { writer in
      writer.key("error")
      error.write(to: &writer)
    }
  }

  func send(id: RawJSON, _ result: (inout JSONWriter) -> Void) {
    respond(id: id) { writer in
      writer.key("result")
      result(&writer)
    }
  }

  func sendEmptyResult(id: RawJSON) {
    if batch == nil, logger == nil {
      outbox.appendEmptyResult(id: id, framing: framing ?? .lines)
    } else {
      send(id: id) { $0.literal("{}") }
    }
  }

  func sendAnswers(of batch: Batch) {
    guard let answers = batch.takeAnswers() else { return }
    logger?("<-- \(String(decoding: answers, as: UTF8.self))\n")
    outbox.append(answers, framing: framing ?? .lines)
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
}

// MARK: - Encoding

extension Peer {
  private func append(_ message: (inout JSONWriter) -> Void) {
    var writer = takeScratch()
    message(&writer)
    logger?("<-- \(writer.text)\n")
    outbox.append(writer.bytes, framing: framing ?? .lines)
    putBack(&writer)
  }

  private func encode(_ output: any Deferrable) {
    var writer = takeScratch()
    if output.writeMessage(to: &writer) {
      logger?("<-- \(writer.text)\n")
      outbox.appendOutput(writer.bytes, framing: framing ?? .lines)
    }
    putBack(&writer)
  }

  private func takeScratch() -> JSONWriter {
    var writer = JSONWriter()
    swap(&writer, &scratch)
    return writer
  }

  /// Keeps the writer's memory for the next message, unless that is large.
  private func putBack(_ writer: inout JSONWriter) {
    guard writer.bytes.count <= 1 << 20 else { return }
    writer.removeAll(keepingCapacity: true)
    swap(&writer, &scratch)
  }
}

extension JSONWriter {
  /// Begins an object with `"jsonrpc":"2.0"`.
  fileprivate mutating func beginMessage() {
    beginObject()
    key("jsonrpc")
    literal("\"2.0\"")
  }
}
