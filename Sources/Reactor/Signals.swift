internal import CLibrary
internal import Synchronization

/// Signals that end a process in good order, turned into an ordinary event of the loop.
package enum Signals {
  /// Whether one has come that the loop hasn't heard of.
  private static let hasCome = Atomic<Bool>(false)
  /// The number of the newest one.
  private static let number = Atomic<Int32>(0)
  /// What wakes the loop: a handler may do next to nothing but write a byte.
  private static let wakingEnd = Atomic<Int32>(-1)
  /// The number of seconds after which a signal ends the process in any case; 0 for never.
  private static let timeout = Atomic<UInt32>(0)

  /// Has a write fail, instead of ending the process, if its reader has gone (`EPIPE`) or a file would become larger than the
  /// process may make it (`EFBIG`).
  package static func ignoreFailedWrites() { for number in [SIGPIPE, SIGXFSZ] { _ = signal(number, SIG_IGN) } }

  /// Calls `handler` on the loop's thread when the process is asked to end (`SIGTERM`, `SIGINT`, `SIGHUP`).
  ///
  /// - Parameters:
  ///   - loop: the loop that hears of it, until the process ends.
  ///   - timeout: how many seconds later the process ends with status 0 in any case, in the middle of a step, too; by
  ///     default never. See ``endIsNear()``.
  ///   - handler: what is done; once for signals that come together.
  package static func onTermination(_ loop: EventLoop, timeout: UInt32 = 0, _ handler: @escaping () -> Void) {
    loop.woken = { if hasCome.exchange(false, ordering: .sequentiallyConsistent) { handler() } }
    wakingEnd.store(loop.mailbox.wakingEnd.rawValue, ordering: .sequentiallyConsistent)
    if hasCome.load(ordering: .sequentiallyConsistent) {
      loop.mailbox.wake()
    } else {
      catchTermination(timeout: timeout)
    }
  }

  /// Keeps the signals that ask the process to end, for ``onTermination(_:timeout:_:)``. A program calls it before anything else,
  /// so that a signal which comes while it starts doesn't end it at once.
  ///
  /// - Parameter timeout: how many seconds after a signal the process ends with status 0 in any case; 0 for never.
  package static func catchTermination(timeout: UInt32) {
    Signals.timeout.store(timeout, ordering: .sequentiallyConsistent)
    _ = signal(SIGALRM) { _ in _exit(0) }
    for number in [SIGTERM, SIGINT, SIGHUP] {
      _ = signal(number) { number in
        let saved = errno
        Signals.number.store(number, ordering: .sequentiallyConsistent)
        Signals.hasCome.store(true, ordering: .sequentiallyConsistent)
        // The first counts: those that come later don't put it off.
        let timeout = Signals.timeout.exchange(0, ordering: .sequentiallyConsistent)
        if timeout > 0 { alarm(timeout) }
        var byte: UInt8 = 0
        _ = unsafe systemWrite(Signals.wakingEnd.load(ordering: .sequentiallyConsistent), &byte, 1)
        errno = saved
      }
    }
    // Whoever starts this process may have blocked them.
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    for number in [SIGTERM, SIGINT, SIGHUP, SIGALRM] { unsafe sigaddset(&signals, number) }
    unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
  }

  /// The name of the newest signal, as `Terminated`.
  package static var newestName: String {
    let number = number.load(ordering: .sequentiallyConsistent)
    return signalName(Int(number)) ?? "\(number)"
  }

  /// The process ends by itself: no signal needs to see to it any more.
  package static func endIsNear() {
    timeout.store(0, ordering: .sequentiallyConsistent)
    alarm(0)
  }
}
