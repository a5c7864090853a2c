package import WireJSON

/// What is to be written, in order: the one owner of everything between a change and the transport.
///
/// A message that must not be lost is encoded at once and counts against a bound; a ``Deferrable`` is touched during a
/// step and encoded when the transport is ready for it, so that a slow reader gets fewer and newer ones and costs no
/// memory. Whatever it has encoded may call it meanwhile.
package final class Outbox {
  private enum Entry {
    case message([UInt8])
    case output(ObjectIdentifier, number: Int)
    case used
  }

  /// The transport is fed up to so many bytes; what comes later waits in the queue.
  static let readySize = 64 * 1024
  private static let mostWaiting = 1 << 20

  /// Bytes for the transport, from ``head`` on. Not checked for overlapping accesses, of which there are none: what uses
  /// them in place copies bytes and calls nobody else's code.
  @exclusivity(unchecked)
  private(set) var ready: [UInt8] = []
  private(set) var head = 0
  /// Which of the ready bytes are outputs, which might as well have waited. Not checked for the same reason.
  @exclusivity(unchecked)
  private var readyOutputs: [Range<Int>] = []
  private var queue: [Entry] = []
  private var queueHead = 0
  /// How many entries of the queue are left, from its head on.
  private var queued = 0
  private var queuedBytes = 0
  private var staleCheckSize = 1024
  /// The outputs that wait, each with its newest entry, which is the one that counts.
  private var waiting: [ObjectIdentifier: (output: any Deferrable, number: Int)] = [:]
  private var lastNumber = 0
  /// What has changed since the last step ended.
  private var touched: [any Deferrable] = []
  /// What is to be answered behind that.
  private var answers: [() -> Void] = []
  /// Whether either has any: asked after each message, and a bare flag is cheaper to ask than an array.
  private var isTouched = false
  /// Encodes one message after the other.
  private var scratch = JSONWriter()
  /// How many messages were sent, outputs not counted: without outputs, the number of the last one on the wire.
  package var messageCount: Int { unsafe sentMessages }
  /// Not checked for overlapping accesses, of which there are none: it is only counted up and read.
  @exclusivity(unchecked)
  private var sentMessages = 0
  /// What the other side reads at most; nil where that isn't known.
  package var readerLimits: ReaderLimits?
  /// How messages are framed; nil before anything was read.
  var framing: Framing?
  /// Is told each message that goes, a line each.
  var log: ((String) -> Void)?

  /// How many bytes are held, of whatever they are.
  var heldBytes: Int { readyCount + queuedBytes }
  /// How many bytes of messages that may not be lost wait.
  var waitingBytes: Int { heldBytes - readyOutputBytes }
  /// Whether more than 1 MiB waits. Of outputs that are ready 64 KiB count, for one of them may be as large as it likes.
  var isFull: Bool {
    // Most of the time that little is held that it needn't be told apart.
    heldBytes > Outbox.mostWaiting && waitingBytes + min(readyOutputBytes, Outbox.readySize) > Outbox.mostWaiting
  }
  private var readyOutputBytes: Int {
    unsafe readyOutputs.isEmpty ? 0 : readyOutputs.reduce(0) { $0 + $1.upperBound - max(head, $1.lowerBound) }
  }
  var isEmpty: Bool { readyCount == 0 && queued == 0 }
  var readyCount: Int { unsafe ready.count - head }
  /// How many entries the queue holds, used up ones too.
  var queueCount: Int { queue.count }
  /// Whether what comes now has to wait in the queue.
  private var isBackedUp: Bool { readyCount >= Outbox.readySize || queued > 0 }

  // MARK: - Messages that must not be lost

  /// Sends a notification, whose parameters are an object, unless the other side can't read it: then nothing is sent,
  /// and the error says why.
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

  /// Sends what a closure writes, unless the other side can't read it: then nothing is sent, and the error says why.
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

  /// Sends the answer `{}`, the most frequent message by far, which is put together without a writer.
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

  /// Notes, once a step, that an output has changed.
  package func touch(_ output: any Deferrable) {
    touched.append(output)
    isTouched = true
  }

  /// Answers a call that has waited, once all that was changed by then is sent.
  package func answerAtEnd(_ answer: @escaping () -> Void) {
    answers.append(answer)
    isTouched = true
  }

  /// Ends a step: what is new in the outputs that were touched is sent, or waits until the transport is ready.
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
      // Its memory is kept for the next step.
      outputs.removeAll(keepingCapacity: outputs.count < 1024)
      swap(&outputs, &touched)
    }
  }

  /// Sends an output, or puts it at the end of the queue, whether or not it waits there already. Before anything was read
  /// nobody knows of it, and it is let go.
  func post(_ output: any Deferrable) {
    guard framing != nil else { return }
    guard isBackedUp else { return encode(output) }
    lastNumber += 1
    waiting[ObjectIdentifier(output)] = (output, lastNumber)
    enqueue(.output(ObjectIdentifier(output), number: lastNumber))
    dropStale()
  }

  /// Lets go of an output that will say nothing more, lest it be kept, with all it holds, until its turn comes.
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

  /// Keeps the writer's memory for the next message, unless that is large.
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

  /// Lets go of ready bytes that the transport took, and makes others ready in their place.
  func drop(_ count: Int) {
    head += count
    if unsafe !readyOutputs.isEmpty { unsafe readyOutputs.removeAll { $0.upperBound <= head } }
    if readyCount == 0 {
      // What one large message needed isn't kept for small ones.
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

  /// Entries in whose place there are newer ones are let go before they outnumber the rest.
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

// Computed, so that the compiler sees how long they are wherever they are copied.
private var emptyResultStart: StaticString { #"{"jsonrpc":"2.0","id":"# }

private var emptyResultEnd: StaticString { #","result":{}}"# }

extension [UInt8] {
  /// Appends the answer `{}` as it goes over the wire, in one go.
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

  /// Appends the header of LSP's base protocol for a message of so many bytes.
  mutating func append(contentLength count: Int) {
    append("Content-Length: ")
    append(decimal: count)
    append("\r\n\r\n")
  }

  /// Appends fixed text.
  @inline(__always)
  mutating func append(_ text: StaticString) {
    // The text's own bytes are copied within the call.
    text.withUTF8Buffer { unsafe append(contentsOf: $0) }
  }

  private mutating func append(decimal value: Int) {
    if value >= 10 { append(decimal: value / 10) }
    append(UInt8(ascii: "0") + UInt8(value % 10))
  }
}

extension [UInt8] {
  /// Makes JSON text one line: line feeds and carriage returns become spaces. They can only stand between tokens,
  /// so the text means the same.
  mutating func replaceLineEnds(from: Int) {
    var index = controlWord(from: from)
    while index + 8 <= count {
      replaceLineEnds(in: index..<index + 8)
      index = controlWord(from: index + 8)
    }
    replaceLineEnds(in: index..<count)
  }

  /// The first of the next words of eight bytes that has a byte below 0x20; the rest that is too short for one if there is none.
  private func controlWord(from: Int) -> Int {
    var index = from
    while index + 8 <= count {
      let word = word(at: index)
      // Marks the bytes below 0x20. The lowest mark is always right, so there is none where there is no such byte.
      if (word &- 0x2020_2020_2020_2020) & ~word & 0x8080_8080_8080_8080 != 0 { break }
      index += 8
    }
    return index
  }

  private mutating func replaceLineEnds(in range: Range<Int>) {
    for index in range where self[index] == 0x0A || self[index] == 0x0D { self[index] = 0x20 }
  }

  /// The eight bytes from an index of at most `count - 8`, the first in the lowest bits.
  @inline(__always)
  private func word(at index: Int) -> UInt64 {
    // In bounds: the caller sees to it that the eight bytes end at or before the count.
    let bytes = unsafe span.bytes
    return UInt64(littleEndian: unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: index, as: UInt64.self))
  }
}
