#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// The process's input and output, taken for the wire alone.
///
/// The output is moved aside and descriptor 1 pointed at the log, so that a stray `print` can't corrupt the wire.
public final class StandardStreams {
  /// Where messages come from. Blocks, so it is read only when the loop says that it is ready.
  public let input = Descriptor.standardInput
  /// Where messages go. Never blocks.
  public let output: Descriptor
  private let sharesFlags: Bool

  /// Takes the two streams.
  ///
  /// - Throws: ``SystemError`` if the output is closed or the system has no descriptor left.
  public init() throws(SystemError) {
    // Another open file of the same pipe or terminal can be made non-blocking without whoever shares ours noticing.
    // Sockets can't be opened again so; their flag is put back at the end.
    if let own = StandardStreams.reopenOutput() {
      output = own
      sharesFlags = false
    } else {
      output = try Descriptor.standardOutput.duplicate()
      output.setNonBlocking(true)
      sharesFlags = true
    }
    let log = StandardStreams.openLog()
    guard dup2(log.rawValue, Descriptor.standardOutput.rawValue) >= 0 else {
      throw SystemError("point the output at the log")
    }
  }

  /// The log; where that is closed, what takes everything and keeps nothing.
  private static func openLog() -> Descriptor {
    let isOpen = fcntl(Descriptor.standardError.rawValue, F_GETFD) >= 0
    return isOpen ? .standardError : Descriptor(rawValue: systemOpen("/dev/null", O_WRONLY))
  }

  /// Puts back what others share.
  public func restore() { if sharesFlags { output.setNonBlocking(false) } }

  private static func reopenOutput() -> Descriptor? {
    #if os(Linux)
      guard let status = try? Descriptor.standardOutput.status(), !status.isRegularFile else { return nil }
      // Opening a descriptor's name there makes another open file of the same pipe or terminal; duplicating it doesn't.
      let number = systemOpen("/proc/self/fd/1", O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
      return number >= 0 ? Descriptor(rawValue: number) : nil
    #else
      return nil
    #endif
  }
}
