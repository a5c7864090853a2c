internal import CLibrary

/// The process's input and output, taken for the wire alone.
///
/// The output is moved aside and descriptor 1 pointed at the log, so that a stray `print` can't corrupt the wire.
package final class StandardStreams {
  /// Where messages come from. Blocks, so it is read only when the loop says that it is ready.
  package let input: Descriptor
  /// Where messages go. Never blocks.
  package let output: Descriptor
  private let sharesFlags: Bool

  /// Gives standard streams that are closed to a file without content, so that nothing which is opened later is taken
  /// for one of them. An output that was closed can't be written.
  package static func openClosed() {
    for number in Descriptor.standardInput.rawValue...Descriptor.standardError.rawValue
    where fcntl(number, F_GETFD) < 0 {
      // The system gives the lowest number that is free.
      _ = systemOpen("/dev/null", number == Descriptor.standardError.rawValue ? O_WRONLY : O_RDONLY)
    }
  }

  /// Takes other streams for the two. The output never blocks.
  package init(input: Descriptor, output: Descriptor) {
    (self.input, self.output, sharesFlags) = (input, output, false)
  }

  /// Takes the two streams. It throws if the output is closed or the system has no descriptor left.
  package init() throws(SystemError) {
    guard fcntl(Descriptor.standardOutput.rawValue, F_GETFL) & O_ACCMODE != O_RDONLY else {
      throw SystemError("write to the standard output", code: EBADF)
    }
    input = .standardInput
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
    guard dup2(Descriptor.standardError.rawValue, Descriptor.standardOutput.rawValue) >= 0 else {
      throw SystemError("point the output at the log")
    }
  }

  /// Puts back what others share.
  package func restore() { if sharesFlags { output.setNonBlocking(false) } }

  private static func reopenOutput() -> Descriptor? {
    #if os(Linux)
      guard let status = try? Descriptor.standardOutput.status(), !status.isRegularFile else { return nil }
      // Opening a descriptor's name there makes another open file of the same pipe or terminal; duplicating it doesn't.
      // Without /proc the shared file is made non-blocking, and `restore()` undoes that at the end.
      let number = systemOpen("/proc/self/fd/1", O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
      return number >= 0 ? Descriptor(rawValue: number) : nil
    #else
      return nil
    #endif
  }
}
