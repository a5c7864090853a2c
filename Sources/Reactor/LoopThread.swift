/// A loop on a separate thread, for programs whose main thread does something else. There is at most one. It runs as
/// long as the program.
package enum LoopThread {
  private static let started = Result { () throws(SystemError) in try start() }

  /// The loop's mailbox, for other threads. It throws if the system can't provide a descriptor or a thread.
  package static func mailbox() throws(SystemError) -> Mailbox { try started.get() }

  private static func start() throws(SystemError) -> Mailbox {
    let loop = try EventLoop()
    let mailbox = loop.mailbox
    let code = startThread { loop.run() }
    guard code == 0 else { throw SystemError("start a thread", code: code) }
    return mailbox
  }
}
