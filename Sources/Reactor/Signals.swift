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
  /// The pipe through which a handler tells the loop: a handler may do next to nothing else.
  private static let writingEnd = Atomic<Int32>(-1)

  /// A write to a reader that has gone fails with `EPIPE` instead of ending the process.
  public static func ignoreBrokenPipe() { _ = signal(SIGPIPE, SIG_IGN) }

  /// Calls `handler` on the loop's thread when the process is asked to end (`SIGTERM`, `SIGINT`, `SIGHUP`).
  ///
  /// - Parameters:
  ///   - loop: the loop that hears of it.
  ///   - handler: what is done; once for signals that come together.
  /// - Throws: ``SystemError`` if the system has no descriptor left.
  public static func onTermination(_ loop: EventLoop, _ handler: @escaping () -> Void) throws(SystemError) {
    let ends = try Descriptor.pipe()
    writingEnd.store(ends.writing.rawValue, ordering: .sequentiallyConsistent)
    for number in [SIGTERM, SIGINT, SIGHUP] {
      _ = signal(number) { _ in
        let saved = errno
        var byte: UInt8 = 0
        _ = unsafe systemWrite(Signals.writingEnd.load(ordering: .sequentiallyConsistent), &byte, 1)
        errno = saved
      }
    }
    _ = loop.watch(ends.reading, for: .reading) { _ in
      var scratch = [UInt8](repeating: 0, count: 16)
      _ = try? ends.reading.read(into: &scratch)
      handler()
    }
  }
}
