internal import CLibrary

/// The main queue, which holds the work of the main actor, served by an event loop.
///
/// Nothing else serves it while the loop occupies the main thread. Without this, a `Task` made on the main actor would
/// never run, and there would be no error either.
final class MainQueue {
  private var watch: EventLoop.Watch?
  private let descriptor: Descriptor?

  /// Makes the loop run the work in the queue, each time as a step.
  init(on loop: EventLoop) {
    #if os(Linux)
      let descriptor = Descriptor(rawValue: mainQueueHandle())
      self.descriptor = descriptor
      watch = loop.watch(descriptor, for: .reading) { [unowned loop] _ in
        // An eight-byte counter, which wakes the loop until it is read.
        var counter = [UInt8](repeating: 0, count: 8)
        _ = try? descriptor.read(into: &counter)
        loop.step { runMainQueue(nil) }
      }
    #else
      // Other systems have a port instead of a descriptor, and `poll` can't wait for a port.
      descriptor = nil
    #endif
  }

  deinit { watch?.cancel() }

  /// Whether the queue holds work that hasn't run.
  var hasWork: Bool {
    guard let descriptor else { return false }
    var ready = pollfd(fd: descriptor.rawValue, events: Int16(POLLIN), revents: 0)
    return unsafe systemPoll(&ready, 1, 0) > 0
  }
}

#if os(Linux)
  // CoreFoundation's run loop uses the same functions. libdispatch exports them without a header. A separate module
  // with their declarations would have to be available to everyone who imports this one. Their parameters and results
  // are passed the same way in C and in Swift.

  /// A descriptor that is readable when work was put into the main queue.
  @_silgen_name("_dispatch_get_main_queue_handle_4CF")
  private func mainQueueHandle() -> Int32

  /// Runs the work in the main queue. Call it only on the main thread; the parameter has no meaning.
  @_silgen_name("_dispatch_main_queue_callback_4CF")
  private func runMainQueue(_ message: UnsafeMutableRawPointer?)
#endif
