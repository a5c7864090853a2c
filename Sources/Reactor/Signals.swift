internal import CLibrary
internal import Synchronization

/// Converts the signals that ask a process to end into an event of the loop.
package enum Signals {
  /// Whether a signal has arrived that the loop hasn't handled.
  private static let hasCome = Atomic<Bool>(false)
  /// The number of the newest signal.
  private static let number = Atomic<Int32>(0)
  /// The descriptor that wakes the loop. A signal handler may do little more than write a byte.
  private static let wakingEnd = Atomic<Int32>(-1)
  /// The number of seconds after which a signal ends the process in any case; 0 for never.
  private static let timeout = Atomic<UInt32>(0)

  /// Makes a failed write return an error instead of ending the process, if its reader is closed (`EPIPE`) or a file
  /// would exceed the process's size limit (`EFBIG`).
  package static func ignoreFailedWrites() { for number in [SIGPIPE, SIGXFSZ] { _ = signal(number, SIG_IGN) } }

  /// Calls `handler` on the loop's thread when a signal asks the process to end (`SIGTERM`, `SIGINT`, `SIGHUP`).
  ///
  /// - Parameters:
  ///   - loop: the loop that runs the handler, until the process ends.
  ///   - timeout: the number of seconds after which the process ends with status 0 in any case, even within a step; by
  ///     default never. See ``endIsNear()``.
  ///   - handler: handles the signal. Signals that arrive together cause one call.
  package static func onTermination(_ loop: EventLoop, timeout: UInt32 = 0, _ handler: @escaping () -> Void) {
    loop.woken = { if hasCome.exchange(false, ordering: .sequentiallyConsistent) { handler() } }
    wakingEnd.store(loop.mailbox.wakingEnd.rawValue, ordering: .sequentiallyConsistent)
    if hasCome.load(ordering: .sequentiallyConsistent) {
      loop.mailbox.wake()
    } else {
      catchTermination(timeout: timeout)
    }
  }

  /// Catches the signals that ask the process to end, for ``onTermination(_:timeout:_:)``. A program calls this first
  /// of all, so that a signal during its start doesn't end it immediately.
  ///
  /// - Parameter timeout: the number of seconds after a signal when the process ends with status 0 in any case; 0 for
  ///   never.
  package static func catchTermination(timeout: UInt32) {
    Signals.timeout.store(timeout, ordering: .sequentiallyConsistent)
    _ = signal(SIGALRM) { _ in _exit(0) }
    for number in [SIGTERM, SIGINT, SIGHUP] {
      _ = signal(number) { number in
        let saved = errno
        Signals.number.store(number, ordering: .sequentiallyConsistent)
        Signals.hasCome.store(true, ordering: .sequentiallyConsistent)
        // The first signal sets the time; later ones don't postpone it.
        let timeout = Signals.timeout.exchange(0, ordering: .sequentiallyConsistent)
        if timeout > 0 { alarm(timeout) }
        var byte: UInt8 = 0
        _ = unsafe systemWrite(Signals.wakingEnd.load(ordering: .sequentiallyConsistent), &byte, 1)
        errno = saved
      }
    }
    // The parent process may have blocked these signals.
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    for number in [SIGTERM, SIGINT, SIGHUP, SIGALRM] { unsafe sigaddset(&signals, number) }
    unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
  }

  /// The name of the newest signal, such as `Terminated`.
  package static var newestName: String {
    let number = number.load(ordering: .sequentiallyConsistent)
    return signalName(Int(number)) ?? "\(number)"
  }

  /// Turns off the timeout, because the process is about to end by itself.
  package static func endIsNear() {
    timeout.store(0, ordering: .sequentiallyConsistent)
    alarm(0)
  }
}
