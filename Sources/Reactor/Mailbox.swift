internal import Synchronization

/// Receives work from other threads, which the loop runs on its own thread, in order.
///
/// Only this object is shared between threads in `nagare`.
public final class Mailbox: Sendable {
  /// A piece of work. It receives the loop that runs it.
  typealias Work = @Sendable (EventLoop) -> Void

  private let posted = Mutex<[Work]>([])
  private let ends: (reading: Descriptor, writing: Descriptor)

  /// The descriptor that becomes readable when work is posted.
  var descriptor: Descriptor { ends.reading }
  /// The descriptor that wakes the loop when a byte is written to it.
  var wakingEnd: Descriptor { ends.writing }

  init() throws(SystemError) { ends = try Descriptor.pipe() }

  deinit {
    ends.reading.close()
    ends.writing.close()
  }

  /// Sends `work` to the loop's thread. It can be called from any thread. Use a ``RemoteObserver`` to send values to a
  /// stream.
  public func post(_ work: @escaping @Sendable () -> Void) { send { _ in work() } }

  /// Sends work that needs the loop and the objects on its thread.
  func send(_ work: @escaping Work) {
    let wasEmpty = posted.withLock { posted in
      posted.append(work)
      return posted.count == 1
    }
    // One byte wakes the loop for everything that is posted until it collects the work.
    if wasEmpty { wake() }
  }

  /// Wakes the loop. If the pipe is full, the loop is going to wake anyway.
  func wake() { _ = try? wakingEnd.write([UInt8(0)].span) }

  /// Removes and returns the posted work, in order.
  func collect() -> [Work] {
    var scratch: [UInt8] = [0]
    _ = try? descriptor.read(into: &scratch)
    return posted.withLock { posted in
      let taken = posted
      posted = []
      return taken
    }
  }
}
