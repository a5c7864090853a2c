internal import WireJSON

/// What is to be written, in order.
///
/// A message that may not be lost is encoded at once and counts against a bound; a ``Deferrable`` is encoded when the
/// transport is ready for it, so that a reader who is slow gets fewer and newer ones and costs no memory.
///
/// It calls nobody: whoever encodes and writes does so between its calls, and may call the peer meanwhile.
struct Outbox {
  private enum Entry {
    case message([UInt8])
    case deferred(any Deferrable, place: Int)
    case gone
  }

  /// The transport is fed up to so many bytes; what comes later waits in the queue.
  static let readySize = 64 * 1024

  /// Bytes for the transport, from ``head`` on.
  private(set) var ready: [UInt8] = []
  private(set) var head = 0
  /// How many of the ready bytes are outputs, which might as well have waited.
  private var readyOutputBytes = 0
  private var queue: [Entry] = []
  private var queueHead = 0
  private var queuedBytes = 0
  private var staleCheckSize = 1024
  private var lastPlace = 0

  /// How many bytes of messages that may not be lost wait. Of the ready ones it may miss 64 KiB.
  var waitingBytes: Int { max(0, readyCount - readyOutputBytes) + queuedBytes }
  var isEmpty: Bool { head == ready.count && queueHead == queue.count }
  var readyCount: Int { ready.count - head }
  /// How many entries the queue holds, used up ones too.
  var queueCount: Int { queue.count }
  /// Whether what comes now has to wait in the queue.
  private var isBackedUp: Bool { readyCount >= Outbox.readySize || queueHead < queue.count }

  /// Adds a message that may not be lost.
  mutating func append(_ message: [UInt8], framing: Framing) {
    guard isBackedUp else { return framing.frame(message, into: &ready) }
    var framed: [UInt8] = []
    framing.frame(message, into: &framed)
    queuedBytes += framed.count
    queue.append(.message(framed))
  }

  /// Adds the answer `{}`, the most frequent message by far, which is put together without a writer.
  mutating func appendEmptyResult(id: RawJSON, framing: Framing) {
    let (head, tail): (StaticString, StaticString) = (#"{"jsonrpc":"2.0","id":"#, #","result":{}}"#)
    guard !isBackedUp else {
      var message: [UInt8] = []
      message.append(head)
      message.append(contentsOf: id.bytes)
      message.append(tail)
      return append(message, framing: framing)
    }
    if framing == .headers { ready.append(contentLength: head.utf8CodeUnitCount + id.count + tail.utf8CodeUnitCount) }
    ready.append(head)
    ready.append(contentsOf: id.bytes)
    ready.append(tail)
    if framing == .lines { ready.append(0x0A) }
  }

  /// Gives an output a place in the queue, in place of the one it may have; false if it can be written at once.
  mutating func enqueue(_ output: any Deferrable) -> Bool {
    guard isBackedUp else { return false }
    lastPlace += 1
    output.place = lastPlace
    queue.append(.deferred(output, place: lastPlace))
    dropStale()
    return true
  }

  /// Adds what an output had to say when its turn came.
  mutating func appendOutput(_ message: [UInt8], framing: Framing) {
    let before = ready.count
    framing.frame(message, into: &ready)
    readyOutputBytes += ready.count - before
  }

  /// Lets go of ready bytes that the transport took.
  mutating func drop(_ count: Int) {
    head += count
    if head == ready.count {
      // What one large message needed isn't kept for small ones.
      ready.removeAll(keepingCapacity: ready.capacity <= 4 * Outbox.readySize)
      head = 0
      readyOutputBytes = 0
    } else if head >= Outbox.readySize, head >= ready.count / 2 {
      ready.removeFirst(head)
      head = 0
    }
  }

  /// Makes messages from the queue ready, up to an output whose turn has come.
  ///
  /// - Returns: the output, to be encoded now; nil when enough is ready or the queue is empty.
  mutating func refill() -> (any Deferrable)? {
    defer { dropUsed() }
    while queueHead < queue.count, readyCount < Outbox.readySize {
      let entry = queue[queueHead]
      queue[queueHead] = .gone
      queueHead += 1
      switch entry {
      case .message(let message):
        queuedBytes -= message.count
        ready.append(contentsOf: message)
      case .deferred(let output, let place) where output.place == place: return output
      case .deferred, .gone: break
      }
    }
    return nil
  }

  private mutating func dropUsed() {
    if queueHead == queue.count {
      queue.removeAll(keepingCapacity: queue.capacity <= 4096)
      queueHead = 0
    } else if queueHead >= 1024, queueHead >= queue.count / 2 {
      queue.removeFirst(queueHead)
      queueHead = 0
    }
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
}
