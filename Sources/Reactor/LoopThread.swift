internal import CLibrary

/// A loop on a thread of its own, in a program whose main thread has something else to do. There is one, which lasts as
/// long as the program.
package enum LoopThread {
  private static let started = Result { () throws(SystemError) in try start() }

  /// How other threads reach it. It throws if the system has no descriptor or no thread left.
  package static func mailbox() throws(SystemError) -> Mailbox { try started.get() }

  private static func start() throws(SystemError) -> Mailbox {
    let loop = try EventLoop()
    let mailbox = loop.mailbox
    #if canImport(Darwin)
      var thread: pthread_t?
    #else
      var thread = pthread_t()
    #endif
    // The loop is handed over: the new thread takes the one reference that is passed on, and nobody uses it here again.
    let code = unsafe pthread_create(&thread, nil, runLoop, Unmanaged.passRetained(loop).toOpaque())
    guard code == 0 else { throw SystemError("start a thread", code: code) }
    return mailbox
  }
}

#if canImport(Darwin)

  private func runLoop(_ loop: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? { unsafe run(loop) }

#else

  private func runLoop(_ loop: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let loop = unsafe loop { unsafe run(loop) } else { nil }
  }
#endif

private func run(_ loop: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
  unsafe Unmanaged<EventLoop>.fromOpaque(loop).takeRetainedValue().run()
  return nil
}
