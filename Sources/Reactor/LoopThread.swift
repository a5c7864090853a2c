/// A loop on a thread of its own, in a program whose main thread has something else to do. There is one, which lasts as
/// long as the program.
package enum LoopThread {
  private static let started = Result { () throws(SystemError) in try start() }

  /// How other threads reach it. It throws if the system has no descriptor or no thread left.
  package static func mailbox() throws(SystemError) -> Mailbox { try started.get() }

  private static func start() throws(SystemError) -> Mailbox {
    let loop = try EventLoop()
    let mailbox = loop.mailbox
    let code = startThread { loop.run() }
    guard code == 0 else { throw SystemError("start a thread", code: code) }
    return mailbox
  }
}
