internal import CLibrary
internal import Flow

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

/// An object that lives on the loop's thread, as all others know it: by a number, under which it is sent work.
package struct Resident<Object: AnyObject & SendableMetatype>: Sendable {
  private let mailbox: Mailbox
  private let number: Int

  /// Makes an object on the thread of the ``LoopThread``. Throws what `make` throws, or ``SystemError`` if there can be
  /// no such thread.
  package init(making make: @escaping @Sendable (EventLoop) throws -> Object) async throws {
    let mailbox = try LoopThread.mailbox()
    let number: Int = try await withCheckedThrowingContinuation { continuation in
      mailbox.send { loop in
        continuation.resume(with: Result { loop.awaited.add(try make(loop)) })
      }
    }
    (self.mailbox, self.number) = (mailbox, number)
  }

  /// Has the object do something, after all that it was sent before. Nothing is done once it has moved out.
  package func perform(_ work: @escaping @Sendable (Object) -> Void) {
    mailbox.send { [number] loop in
      if let object = loop.awaited[number] as? Object { work(object) }
    }
  }

  /// Lets go of the object, after all that it was sent before.
  package func moveOut() { mailbox.send { [number] loop in loop.awaited.remove(number) } }
}
