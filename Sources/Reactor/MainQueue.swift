internal import CLibrary

/// The main queue, which holds what the main actor is to run, served by an event loop.
///
/// Nothing else serves it while the loop occupies the main thread: without this, a `Task` that is made on the main actor would
/// never run, and nobody would be told.
final class MainQueue {
  private var watch: EventLoop.Watch?
  private let descriptor: Descriptor?

  /// Has the loop run what is in the queue, as steps of its own.
  init(on loop: EventLoop) {
    #if os(Linux)
      let descriptor = Descriptor(rawValue: mainQueueHandle())
      self.descriptor = descriptor
      watch = loop.watch(descriptor, for: .reading) { [unowned loop] _ in
        // A counter of eight bytes, which wakes the loop until it is read.
        var counter = [UInt8](repeating: 0, count: 8)
        _ = try? descriptor.read(into: &counter)
        loop.step { runMainQueue(nil) }
      }
    #else
      // Elsewhere the queue has a port in place of a descriptor, which `poll` can't wait for.
      descriptor = nil
    #endif
  }

  deinit { watch?.cancel() }

  /// Whether anything was put into the queue that hasn't run.
  var hasWork: Bool {
    guard let descriptor else { return false }
    var ready = pollfd(fd: descriptor.rawValue, events: Int16(POLLIN), revents: 0)
    return unsafe systemPoll(&ready, 1, 0) > 0
  }
}

#if os(Linux)
  // CoreFoundation's run loop uses the same functions. libdispatch exports them and has no header for them; a module of our
  // own for their declarations would have to be found by everybody who imports this one. Their parameters and results are
  // passed alike in C and in Swift.

  /// A descriptor that can be read when something was put into the main queue.
  @_silgen_name("_dispatch_get_main_queue_handle_4CF")
  private func mainQueueHandle() -> Int32

  /// Runs what is in the main queue. It must only be called on the main thread; the parameter has no meaning.
  @_silgen_name("_dispatch_main_queue_callback_4CF")
  private func runMainQueue(_ message: UnsafeMutableRawPointer?)
#endif
