internal import Synchronization

/// How other threads reach the loop's: they post a piece of work, which the loop runs on its own thread, in order.
///
/// The only thing in `nagare` that is shared between threads.
public final class Mailbox: Sendable {
  /// A piece of work, which is given the loop that runs it.
  typealias Work = @Sendable (EventLoop) -> Void

  private let posted = Mutex<[Work]>([])
  private let ends: (reading: Descriptor, writing: Descriptor)

  /// Where the loop sees that something was posted.
  var descriptor: Descriptor { ends.reading }
  /// Where a byte wakes the loop.
  var wakingEnd: Descriptor { ends.writing }

  init() throws(SystemError) { ends = try Descriptor.pipe() }

  deinit {
    ends.reading.close()
    ends.writing.close()
  }

  /// Leaves `work` for the loop's thread. May be called from any thread. A ``RemoteObserver`` brings values to a stream.
  public func post(_ work: @escaping @Sendable () -> Void) { send { _ in work() } }

  /// Leaves work that needs what belongs to the loop's thread alone.
  func send(_ work: @escaping Work) {
    let wasEmpty = posted.withLock { posted in
      posted.append(work)
      return posted.count == 1
    }
    // Once wakes the loop for all that is posted until it looks.
    if wasEmpty { wake() }
  }

  /// Has the loop look. A full pipe wakes it just as well.
  func wake() { _ = try? wakingEnd.write([UInt8(0)].span) }

  /// Takes what was posted, in order.
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
