#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif
internal import Synchronization

/// Signals that end a process in good order, turned into an ordinary event of the loop.
public enum Signals {
  /// Whether one has come that the loop hasn't heard of.
  private static let hasCome = Atomic<Bool>(false)
  /// What wakes the loop: a handler may do next to nothing but write a byte.
  private static let wakingEnd = Atomic<Int32>(-1)

  /// A write to a reader that has gone fails with `EPIPE` instead of ending the process.
  public static func ignoreBrokenPipe() { _ = signal(SIGPIPE, SIG_IGN) }

  /// Calls `handler` on the loop's thread when the process is asked to end (`SIGTERM`, `SIGINT`, `SIGHUP`).
  ///
  /// - Parameters:
  ///   - loop: the loop that hears of it, until the process ends.
  ///   - handler: what is done; once for signals that come together.
  public static func onTermination(_ loop: EventLoop, _ handler: @escaping () -> Void) {
    loop.woken = { if hasCome.exchange(false, ordering: .sequentiallyConsistent) { handler() } }
    wakingEnd.store(loop.mailbox.wakingEnd.rawValue, ordering: .sequentiallyConsistent)
    for number in [SIGTERM, SIGINT, SIGHUP] {
      _ = signal(number) { _ in
        let saved = errno
        Signals.hasCome.store(true, ordering: .sequentiallyConsistent)
        var byte: UInt8 = 0
        _ = unsafe systemWrite(Signals.wakingEnd.load(ordering: .sequentiallyConsistent), &byte, 1)
        errno = saved
      }
    }
  }
}
