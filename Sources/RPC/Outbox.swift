public import WireJSON

/// An output with a current value that waits to be said: what is written is its value at the time of writing.
///
/// While the other side reads slowly, a newer value takes the place of an unsent one.
public protocol Deferrable: AnyObject {
  /// Writes the whole message as it is now; false if there is nothing to say after all.
  func writeMessage(to writer: inout JSONWriter) -> Bool
  /// Which of its places in the queue counts: the newest. Kept by the ``Outbox``.
  var place: Int { get set }
}

/// What is to be written, in order.
///
/// A message that may not be lost is encoded at once and counts against a bound; a ``Deferrable`` is encoded when the
/// transport is ready for it, so that a reader who is slow gets fewer and newer ones and costs no memory.
struct Outbox {
  private enum Entry {
    case message([UInt8])
    case deferred(any Deferrable, place: Int)
    case gone
  }

  /// The transport is fed up to so many bytes; what comes later waits in the queue.
  static let readySize = 64 * 1024

  /// Bytes for the transport, from ``head`` on.
  private var ready: [UInt8] = []
  private var head = 0
  /// How many of the ready bytes are outputs, which might as well have waited.
  private var readyOutputBytes = 0
  private var queue: [Entry] = []
  private var queueHead = 0
  private var queuedBytes = 0
  private var staleCheckSize = 1024
  private var lastPlace = 0
  private var scratch = JSONWriter()
  /// Is told each message as it is encoded.
  var log: ((String) -> Void)?

  /// How many bytes of messages that may not be lost wait. Of the ready ones it may miss 64 KiB.
  var waitingBytes: Int { max(0, readyCount - readyOutputBytes) + queuedBytes }
  var isEmpty: Bool { head == ready.count && queueHead == queue.count }
  var readyCount: Int { ready.count - head }
  /// How many entries the queue holds, used up ones too.
  var queueCount: Int { queue.count }
  private var isBackedUp: Bool { readyCount >= Outbox.readySize || queueHead < queue.count }

  /// Adds a message that may not be lost.
  @inline(__always)
  mutating func append(framing: Framing, _ write: (inout JSONWriter) -> Void) {
    scratch.removeAll(keepingCapacity: true)
    write(&scratch)
    log?("<-- \(scratch.text)\n")
    if isBackedUp {
      enqueueMessage(framing)
    } else {
      framing.frame(scratch.bytes, into: &ready)
    }
    dropLargeScratch()
  }

  /// Adds the answer `{}`, the most frequent message by far, which is put together without a writer.
  mutating func appendEmptyResult(id: RawJSON, framing: Framing) {
    let (head, tail): (StaticString, StaticString) = (#"{"jsonrpc":"2.0","id":"#, #","result":{}}"#)
    guard !isBackedUp, log == nil else {
      return append(framing: framing) { writer in
        writer.literal(#"{"jsonrpc":"2.0""#)
        writer.key("id")
        writer.raw(id)
        writer.literal(#""result":{}}"#)
      }
    }
    if framing == .headers { ready.append(contentLength: head.utf8CodeUnitCount + id.count + tail.utf8CodeUnitCount) }
    ready.append(head)
    ready.append(contentsOf: id.bytes)
    ready.append(tail)
    if framing == .lines { ready.append(0x0A) }
  }

  private mutating func enqueueMessage(_ framing: Framing) {
    var message: [UInt8] = []
    framing.frame(scratch.bytes, into: &message)
    queuedBytes += message.count
    queue.append(.message(message))
  }

  /// Adds an output whose newest value is what counts.
  mutating func append(_ output: any Deferrable, framing: Framing) {
    guard isBackedUp else {
      encode(output, framing)
      return
    }
    lastPlace += 1
    output.place = lastPlace
    queue.append(.deferred(output, place: lastPlace))
    dropStale()
  }

  /// Gives the transport what is ready; it says how many bytes it took.
  mutating func write<Failure: Error>(
    framing: Framing, _ transport: (Span<UInt8>) throws(Failure) -> Int
  ) throws(Failure) {
    head += try transport(ready.span.extracting(head...))
    if head == ready.count {
      // What one large message needed isn't kept for small ones.
      ready.removeAll(keepingCapacity: ready.capacity <= 4 * Outbox.readySize)
      head = 0
      readyOutputBytes = 0
    } else if head >= Outbox.readySize, head >= ready.count / 2 {
      ready.removeFirst(head)
      head = 0
    }
    refill(framing)
  }

  private mutating func refill(_ framing: Framing) {
    while queueHead < queue.count, readyCount < Outbox.readySize {
      let entry = queue[queueHead]
      queue[queueHead] = .gone
      queueHead += 1
      switch entry {
      case .message(let message):
        queuedBytes -= message.count
        ready.append(contentsOf: message)
      case .deferred(let output, let place) where output.place == place: encode(output, framing)
      case .deferred, .gone: break
      }
    }
    if queueHead == queue.count {
      queue.removeAll(keepingCapacity: queue.capacity <= 4096)
      queueHead = 0
    } else if queueHead >= 1024, queueHead >= queue.count / 2 {
      queue.removeFirst(queueHead)
      queueHead = 0
    }
  }

  private mutating func encode(_ output: any Deferrable, _ framing: Framing) {
    scratch.removeAll(keepingCapacity: true)
    let before = ready.count
    if output.writeMessage(to: &scratch) {
      log?("<-- \(scratch.text)\n")
      framing.frame(scratch.bytes, into: &ready)
    }
    readyOutputBytes += ready.count - before
    dropLargeScratch()
  }

  /// Places that newer ones have taken are let go before they outnumber the rest.
  private mutating func dropStale() {
    guard queue.count - queueHead > 2 * staleCheckSize else { return }
    queue.removeFirst(queueHead)
    queueHead = 0
    queue.removeAll { entry in
      if case .deferred(let output, let place) = entry { output.place != place } else { false }
    }
    staleCheckSize = max(1024, queue.count)
  }

  @inline(__always)
  private mutating func dropLargeScratch() {
    if scratch.bytes.count > 1 << 20 { scratch = JSONWriter() }
  }
}
