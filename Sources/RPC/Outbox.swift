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
  }

  /// The transport is fed up to so many bytes; what comes later waits in the queue.
  private static let readySize = 64 * 1024

  /// Bytes for the transport, from ``head`` on.
  private(set) var ready: [UInt8] = []
  private var head = 0
  private var queue: [Entry] = []
  private var queueHead = 0
  private var queuedBytes = 0
  private var lastPlace = 0
  private var scratch = JSONWriter()
  /// Is told each message as it is encoded.
  var log: ((String) -> Void)?

  /// How many bytes of messages that may not be lost, and of what is ready, wait.
  var waitingBytes: Int { ready.count - head + queuedBytes }
  var isEmpty: Bool { head == ready.count && queueHead == queue.count }
  var readyCount: Int { ready.count - head }
  private var isBackedUp: Bool { readyCount >= Outbox.readySize || queueHead < queue.count }

  /// Adds a message that may not be lost.
  @inline(__always)
  mutating func append(framing: Framing, _ write: (inout JSONWriter) -> Void) {
    scratch.removeAll(keepingCapacity: true)
    write(&scratch)
    if isBackedUp {
      var message: [UInt8] = []
      frame(scratch.bytes, framing, into: &message)
      queuedBytes += message.count
      queue.append(.message(message))
    } else {
      frame(scratch.bytes, framing, into: &ready)
    }
    dropLargeScratch()
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
    } else if head >= 1 << 20 {
      ready.removeFirst(head)
      head = 0
    }
    refill(framing)
  }

  private mutating func refill(_ framing: Framing) {
    while queueHead < queue.count, readyCount < Outbox.readySize {
      switch queue[queueHead] {
      case .message(let message):
        queuedBytes -= message.count
        ready.append(contentsOf: message)
      case .deferred(let output, let place):
        if output.place == place { encode(output, framing) }
      }
      queueHead += 1
    }
    if queueHead == queue.count {
      queue.removeAll(keepingCapacity: queue.capacity <= 4096)
      queueHead = 0
    }
  }

  private mutating func encode(_ output: any Deferrable, _ framing: Framing) {
    scratch.removeAll(keepingCapacity: true)
    if output.writeMessage(to: &scratch) { frame(scratch.bytes, framing, into: &ready) }
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
  private var staleCheckSize = 1024

  private mutating func dropLargeScratch() {
    if scratch.bytes.count > 1 << 20 { scratch = JSONWriter() }
  }

  private func frame(_ message: [UInt8], _ framing: Framing, into output: inout [UInt8]) {
    log?("<-- \(String(decoding: message, as: UTF8.self))\n")
    switch framing {
    case .lines:
      let start = output.count
      output.append(contentsOf: message)
      // A line feed in JSON is white space between tokens, for a string can't hold one as it is.
      var lineFeed = output.firstIndex(ofLineFeedFrom: start)
      while let found = lineFeed {
        output[found] = 0x20
        lineFeed = output.firstIndex(ofLineFeedFrom: found + 1)
      }
      output.append(0x0A)
    case .headers:
      output.append(contentsOf: "Content-Length: ".utf8)
      output.append(contentsOf: String(message.count).utf8)
      output.append(contentsOf: "\r\n\r\n".utf8)
      output.append(contentsOf: message)
    }
  }
}
