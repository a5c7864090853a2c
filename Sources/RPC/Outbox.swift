package import WireJSON

/// The queue of everything to be written, in order. It alone handles what happens between a change and the transport.
///
/// A message that must not be lost is encoded immediately and counts against a limit. A ``Deferrable`` is only marked
/// as changed during a step, and encoded when the transport is ready for it. So a slow reader receives fewer and newer
/// messages, and costs no memory. Code that the outbox calls may call the outbox again.
package final class Outbox {
  private enum Entry {
    case message([UInt8])
    case output(ObjectIdentifier, number: Int)
    case used
  }

  /// The number of encoded bytes kept ready for the transport. Later output waits in the queue.
  static let readySize = 64 * 1024
  private static let mostWaiting = 1 << 20

  /// Bytes for the transport, starting at ``head``. Not checked for overlapping accesses. There are none: code that
  /// uses the bytes in place only copies them, and calls no foreign code.
  @exclusivity(unchecked)
  private(set) var ready: [UInt8] = []
  private(set) var head = 0
  /// The ranges of the ready bytes that are outputs, which could also have waited. Not checked, for the same reason.
  @exclusivity(unchecked)
  private var readyOutputs: [Range<Int>] = []
  private var queue: [Entry] = []
  private var queueHead = 0
  /// The number of entries left in the queue, from its head on.
  private var queued = 0
  private var queuedBytes = 0
  private var staleCheckSize = 1024
  /// The outputs that wait, each with the number of its newest entry. Only the newest entry counts.
  private var waiting: [ObjectIdentifier: (output: any Deferrable, number: Int)] = [:]
  private var lastNumber = 0
  /// The outputs that have changed in the current step.
  private var touched: [any Deferrable] = []
  /// The answers to send after these outputs.
  private var answers: [() -> Void] = []
  /// Whether there are touched outputs or answers. This is checked after each message, and a flag is cheaper than an
  /// array.
  private var isTouched = false
  /// Encodes one message after the other, and reuses its memory.
  private var scratch = JSONWriter()
  /// The number of messages sent, without outputs. If there are no outputs, it is the number of the last message on the
  /// wire.
  package var messageCount: Int { unsafe sentMessages }
  /// Not checked for overlapping accesses. There are none: the number is only incremented and read.
  @exclusivity(unchecked)
  private var sentMessages = 0
  /// The other side's limits for messages; nil if they are unknown.
  package var readerLimits: ReaderLimits?
  /// How messages are framed; nil before anything was received.
  var framing: Framing?
  /// Receives each sent message, as a line.
  var log: ((String) -> Void)?

  /// The number of bytes held, of any kind.
  var heldBytes: Int { readyCount + queuedBytes }
  /// The number of waiting bytes of messages that must not be lost.
  var waitingBytes: Int { heldBytes - readyOutputBytes }
  /// Whether more than 1 MiB waits. Of ready outputs at most 64 KiB count, because a single output may be of any size.
  var isFull: Bool {
    // Usually few bytes are held, so their kinds needn't be distinguished.
    heldBytes > Outbox.mostWaiting && waitingBytes + min(readyOutputBytes, Outbox.readySize) > Outbox.mostWaiting
  }
  private var readyOutputBytes: Int {
    unsafe readyOutputs.isEmpty ? 0 : readyOutputs.reduce(0) { $0 + $1.upperBound - max(head, $1.lowerBound) }
  }
  var isEmpty: Bool { readyCount == 0 && queued == 0 }
  var readyCount: Int { unsafe ready.count - head }
  /// The number of entries in the queue, including used ones.
  var queueCount: Int { queue.count }
  /// Whether new output must wait in the queue.
  private var isBackedUp: Bool { readyCount >= Outbox.readySize || queued > 0 }

  // MARK: - Messages that must not be lost

  /// Sends a notification. Its parameters must be an object. If the message is beyond the other side's limits, sends
  /// nothing and returns the error.
  @discardableResult
  package func notify(_ method: String, _ params: (inout JSONWriter) -> Void) -> RPCError? {
    send { writer in
      writer.beginMessage()
      writer.member("method", method)
      writer.key("params")
      params(&writer)
      writer.endObject()
    }
  }

  /// Sends the message that a closure writes. If it is beyond the other side's limits, sends nothing and returns the
  /// error.
  @discardableResult
  func send(_ message: (inout JSONWriter) -> Void) -> RPCError? {
    var writer = takeScratch()
    message(&writer)
    let excess = readerLimits?.excess(of: writer.bytes)
    if excess == nil { send(writer.bytes) }
    putBack(&writer)
    return excess
  }

  /// Sends an encoded message.
  func send(_ message: [UInt8]) {
    unsafe sentMessages += 1
    log?("<-- \(String(decoding: message, as: UTF8.self))\n")
    guard isBackedUp else { return unsafe (framing ?? .lines).frame(message, into: &ready) }
    var framed: [UInt8] = []
    (framing ?? .lines).frame(message, into: &framed)
    enqueue(framed)
  }

  /// Sends the response `{}` without a writer, because it is by far the most frequent message.
  func sendEmptyResult(id: RawJSON) {
    unsafe sentMessages += 1
    let text = id.storage.span.extracting(id.range)
    guard isBackedUp else { return unsafe ready.append(emptyResultWithID: text, framing: framing ?? .lines) }
    enqueueEmptyResult(text)
  }

  @inline(never)
  private func enqueueEmptyResult(_ id: Span<UInt8>) {
    var message: [UInt8] = []
    message.append(emptyResultWithID: id, framing: framing ?? .lines)
    enqueue(message)
  }

  private func enqueue(_ message: [UInt8]) {
    queuedBytes += message.count
    enqueue(.message(message))
  }

  // MARK: - Steps and outputs

  /// Marks an output as changed. It is called at most once for each output and step.
  package func touch(_ output: any Deferrable) {
    touched.append(output)
    isTouched = true
  }

  /// Answers a call that has waited, after everything that has changed until then is sent.
  package func answerAtEnd(_ answer: @escaping () -> Void) {
    answers.append(answer)
    isTouched = true
  }

  /// Ends a step. The changes of the touched outputs are sent, or wait until the transport is ready.
  @inline(__always)
  package func endStep() {
    if isTouched { sendTouched() }
  }

  private func sendTouched() {
    while isTouched {
      isTouched = false
      var outputs: [any Deferrable] = []
      swap(&outputs, &touched)
      if outputs.count > 1 { outputs.sort { $0.order < $1.order } }
      for output in outputs where output.endStep(self) { post(output) }
      let due = answers
      answers = []
      for answer in due { answer() }
      guard touched.isEmpty else { continue }
      // The array's memory is kept for the next step.
      outputs.removeAll(keepingCapacity: outputs.count < 1024)
      swap(&outputs, &touched)
    }
  }

  /// Sends an output, or puts it at the end of the queue, even if it already waits there. Before anything was received,
  /// the client doesn't know the output, so it is dropped.
  func post(_ output: any Deferrable) {
    guard framing != nil else { return }
    guard isBackedUp else { return encode(output) }
    lastNumber += 1
    waiting[ObjectIdentifier(output)] = (output, lastNumber)
    enqueue(.output(ObjectIdentifier(output), number: lastNumber))
    dropStale()
  }

  /// Removes an output that has nothing more to send. Otherwise the queue would keep it and its data until its turn.
  package func forget(_ output: any Deferrable) { waiting[ObjectIdentifier(output)] = nil }

  private func encode(_ output: any Deferrable) {
    var writer = takeScratch()
    if output.writeMessage(to: &writer) {
      log?("<-- \(writer.text)\n")
      let start = unsafe ready.count
      unsafe (framing ?? .lines).frame(writer.bytes, into: &ready)
      let before = unsafe readyOutputs.last?.upperBound == start ? readyOutputs.removeLast().lowerBound : start
      unsafe readyOutputs.append(before..<ready.count)
    }
    putBack(&writer)
  }

  private func takeScratch() -> JSONWriter {
    var writer = JSONWriter()
    swap(&writer, &scratch)
    return writer
  }

  /// Keeps the writer's memory for the next message, unless it is large.
  private func putBack(_ writer: inout JSONWriter) {
    guard writer.bytes.count <= 1 << 20 else { return }
    writer.removeAll(keepingCapacity: true)
    swap(&writer, &scratch)
  }

  // MARK: - The queue

  private func enqueue(_ entry: Entry) {
    queue.append(entry)
    queued += 1
  }

  /// Removes ready bytes that the transport has written, and makes queued entries ready.
  func drop(_ count: Int) {
    head += count
    if unsafe !readyOutputs.isEmpty { unsafe readyOutputs.removeAll { $0.upperBound <= head } }
    if readyCount == 0 {
      // The memory for one large message isn't kept for small ones.
      unsafe ready.removeAll(keepingCapacity: ready.capacity <= 4 * Outbox.readySize)
      head = 0
    } else if head >= Outbox.readySize, head >= readyCount {
      unsafe ready.removeFirst(head)
      unsafe readyOutputs = readyOutputs.map { max(0, $0.lowerBound - head)..<$0.upperBound - head }
      head = 0
    }
    while queued > 0, readyCount < Outbox.readySize { takeNext() }
  }

  private func takeNext() {
    let entry = queue[queueHead]
    queue[queueHead] = .used
    queueHead += 1
    queued -= 1
    dropUsed()
    switch entry {
    case .message(let message):
      queuedBytes -= message.count
      unsafe ready.append(contentsOf: message)
    case .output(let id, let number):
      guard let (output, newest) = waiting[id], newest == number else { break }
      waiting[id] = nil
      encode(output)
    case .used: break
    }
  }

  private func dropUsed() {
    if queued == 0 {
      queue.removeAll(keepingCapacity: queue.capacity <= 4096)
      queueHead = 0
    } else if queueHead >= 1024, queueHead >= queue.count / 2 {
      queue.removeFirst(queueHead)
      queueHead = 0
    }
  }

  /// Removes outdated entries, which have newer ones behind them, before they outnumber the others.
  private func dropStale() {
    guard queued > 2 * staleCheckSize else { return }
    queue.removeFirst(queueHead)
    queueHead = 0
    queue.removeAll { entry in
      if case .output(let id, let number) = entry { waiting[id]?.number != number } else { false }
    }
    queued = queue.count
    staleCheckSize = max(1024, queued)
  }
}

extension JSONWriter {
  /// Begins an object with `"jsonrpc":"2.0"`.
  package mutating func beginMessage() {
    beginObject()
    key("jsonrpc")
    literal("\"2.0\"")
  }
}

// Computed properties, so the compiler knows their length wherever they are copied.
private var emptyResultStart: StaticString { #"{"jsonrpc":"2.0","id":"# }

private var emptyResultEnd: StaticString { #","result":{}}"# }

extension [UInt8] {
  /// Appends the response `{}` in its form on the wire, in a single write.
  @inline(__always)
  mutating func append(emptyResultWithID id: Span<UInt8>, framing: Framing) {
    let count = emptyResultStart.utf8CodeUnitCount + id.count + emptyResultEnd.utf8CodeUnitCount
    if framing == .headers { append(contentLength: count) }
    append(addingCapacity: count + 1) { output in
      output.append(emptyResultStart)
      output.append(copying: id)
      output.append(emptyResultEnd)
      if framing == .lines { output.append(0x0A) }
    }
  }

  /// Appends the header of LSP's base protocol for a message of `count` bytes.
  mutating func append(contentLength count: Int) {
    append("Content-Length: ")
    append(decimal: count)
    append("\r\n\r\n")
  }

  /// Appends a static text.
  @inline(__always)
  mutating func append(_ text: StaticString) {
    // The bytes are copied within the call.
    text.withUTF8Buffer { unsafe append(contentsOf: $0) }
  }

  private mutating func append(decimal value: Int) {
    if value >= 10 { append(decimal: value / 10) }
    append(UInt8(ascii: "0") + UInt8(value % 10))
  }
}

extension [UInt8] {
  /// Makes JSON text a single line: line feeds and carriage returns become spaces. Valid JSON has them only between
  /// tokens, so the meaning stays the same.
  mutating func replaceLineEnds(from: Int) {
    var index = controlWord(from: from)
    while index + 8 <= count {
      replaceLineEnds(in: index..<index + 8)
      index = controlWord(from: index + 8)
    }
    replaceLineEnds(in: index..<count)
  }

  /// The index of the first eight-byte word with a byte below 0x20. If there is none, the index of the remaining bytes
  /// that don't fill a word.
  private func controlWord(from: Int) -> Int {
    var index = from
    while index + 8 <= count {
      let word = word(at: index)
      // Marks the bytes below 0x20. The lowest mark is always right, so no mark means no such byte.
      if (word &- 0x2020_2020_2020_2020) & ~word & 0x8080_8080_8080_8080 != 0 { break }
      index += 8
    }
    return index
  }

  private mutating func replaceLineEnds(in range: Range<Int>) {
    for index in range where self[index] == 0x0A || self[index] == 0x0D { self[index] = 0x20 }
  }

  /// The eight bytes from an index of at most `count - 8`. The first byte is in the lowest bits.
  @inline(__always)
  private func word(at index: Int) -> UInt64 {
    // In bounds: the callers ensure that the eight bytes end at or before the count.
    let bytes = unsafe span.bytes
    return UInt64(littleEndian: unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: index, as: UInt64.self))
  }
}
