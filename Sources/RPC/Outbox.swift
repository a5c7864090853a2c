internal import WireJSON

/// What is to be written, in order.
///
/// A message that may not be lost is encoded at once and counts against a bound; a ``Deferrable`` is encoded when the
/// transport is ready for it, so that a reader who is slow gets fewer and newer ones and costs no memory.
///
/// It neither encodes nor writes: the peer does so between its calls, and may be called meanwhile.
final class Outbox {
  private enum Entry {
    case message([UInt8])
    case output(any Deferrable, number: Int)
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
  /// The newest entry of each output that waits, which is the one that counts.
  private var newest: [ObjectIdentifier: Int] = [:]
  private var lastNumber = 0

  /// How many bytes are held, of whatever they are.
  var heldBytes: Int { readyCount + queuedBytes }
  /// How many bytes of messages that may not be lost wait.
  var waitingBytes: Int { heldBytes - readyOutputBytes }
  /// Whether more than 1 MiB waits. Of outputs that are ready 64 KiB count, for one of them may be as large as it likes.
  var isFull: Bool { waitingBytes + min(readyOutputBytes, Outbox.readySize) > Outbox.mostWaiting }
  private var readyOutputBytes: Int {
    unsafe readyOutputs.isEmpty ? 0 : readyOutputs.reduce(0) { $0 + $1.upperBound - max(head, $1.lowerBound) }
  }
  var isEmpty: Bool { readyCount == 0 && queued == 0 }
  var readyCount: Int { unsafe ready.count - head }
  /// How many entries the queue holds, used up ones too.
  var queueCount: Int { queue.count }
  /// Whether what comes now has to wait in the queue.
  private var isBackedUp: Bool { readyCount >= Outbox.readySize || queued > 0 }

  /// Adds a message that may not be lost.
  func append(_ message: [UInt8], framing: Framing) {
    guard isBackedUp else { return unsafe framing.frame(message, into: &ready) }
    var framed: [UInt8] = []
    framing.frame(message, into: &framed)
    queuedBytes += framed.count
    enqueue(.message(framed))
  }

  /// Adds the answer `{}`, the most frequent message by far, which is put together without a writer.
  func appendEmptyResult(id: RawJSON, framing: Framing) {
    guard isBackedUp else {
      return unsafe ready.append(emptyResultWithID: id.storage.span.extracting(id.range), framing: framing)
    }
    queueEmptyResult(id: id, framing: framing)
  }

  private func queueEmptyResult(id: RawJSON, framing: Framing) {
    var message: [UInt8] = []
    message.append(emptyResultWithID: id.storage.span.extracting(id.range), framing: framing)
    queuedBytes += message.count
    enqueue(.message(message))
  }

  /// Puts an output at the end of the queue, whether or not it waits there already; false if it can be written at once.
  func enqueue(_ output: any Deferrable) -> Bool {
    guard isBackedUp else { return false }
    lastNumber += 1
    newest[ObjectIdentifier(output)] = lastNumber
    enqueue(.output(output, number: lastNumber))
    dropStale()
    return true
  }

  private func enqueue(_ entry: Entry) {
    queue.append(entry)
    queued += 1
  }

  /// Adds what an output had to say when its turn came.
  func appendOutput(_ message: [UInt8], framing: Framing) {
    let start = unsafe ready.count
    unsafe framing.frame(message, into: &ready)
    let before = unsafe readyOutputs.last?.upperBound == start ? readyOutputs.removeLast().lowerBound : start
    unsafe readyOutputs.append(before..<ready.count)
  }

  /// Lets go of ready bytes that the transport took.
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
  }

  /// Makes messages from the queue ready, up to an output whose turn has come.
  ///
  /// - Returns: the output, to be encoded now; nil when enough is ready or the queue is empty.
  @inline(__always)
  func refill() -> (any Deferrable)? { queued > 0 ? refillFromQueue() : nil }

  private func refillFromQueue() -> (any Deferrable)? {
    defer { dropUsed() }
    while queued > 0, readyCount < Outbox.readySize {
      let entry = queue[queueHead]
      queue[queueHead] = .used
      queueHead += 1
      queued -= 1
      switch entry {
      case .message(let message):
        queuedBytes -= message.count
        unsafe ready.append(contentsOf: message)
      case .output(let output, let number) where newest[ObjectIdentifier(output)] == number:
        newest[ObjectIdentifier(output)] = nil
        return output
      case .output, .used: break
      }
    }
    return nil
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
      if case .output(let output, let number) = entry { newest[ObjectIdentifier(output)] != number } else { false }
    }
    queued = queue.count
    staleCheckSize = max(1024, queued)
  }
}
