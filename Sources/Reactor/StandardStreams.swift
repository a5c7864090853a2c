internal import CLibrary

/// Reserves the process's input and output for messages.
///
/// The output is moved to another descriptor, and descriptor 1 is redirected to the log. So a stray `print` can't
/// corrupt the messages.
package final class StandardStreams {
  /// The input for messages. It blocks, so it is read only when the loop reports that it is ready.
  package let input: Descriptor
  /// The output for messages. It never blocks.
  package let output: Descriptor
  private let sharesFlags: Bool

  /// Opens an empty file for each closed standard stream, so that no file opened later gets its number. An output that
  /// was closed can't be written.
  package static func openClosed() {
    for number in Descriptor.standardInput.rawValue...Descriptor.standardError.rawValue
    where fcntl(number, F_GETFD) < 0 {
      // The system uses the lowest free number.
      _ = systemOpen("/dev/null", number == Descriptor.standardError.rawValue ? O_WRONLY : O_RDONLY)
    }
  }

  /// Uses other streams instead of the standard ones. The output must not block.
  package init(input: Descriptor, output: Descriptor) {
    (self.input, self.output, sharesFlags) = (input, output, false)
  }

  /// Reserves the standard streams. It throws if the output is closed or the system has no descriptor left.
  package init() throws(SystemError) {
    guard fcntl(Descriptor.standardOutput.rawValue, F_GETFL) & O_ACCMODE != O_RDONLY else {
      throw SystemError("write to the standard output", code: EBADF)
    }
    input = .standardInput
    // If the same pipe or terminal can be opened again, the new open file can be made non-blocking without affecting
    // processes that share the old one. Sockets can't be opened again; their flag is restored at the end.
    if let own = StandardStreams.reopenOutput() {
      output = own
      sharesFlags = false
    } else {
      output = try Descriptor.standardOutput.duplicate()
      output.setNonBlocking(true)
      sharesFlags = true
    }
    guard dup2(Descriptor.standardError.rawValue, Descriptor.standardOutput.rawValue) >= 0 else {
      throw SystemError("redirect the output to the log")
    }
  }

  /// Restores the flag of a shared output.
  package func restore() { if sharesFlags { output.setNonBlocking(false) } }

  private static func reopenOutput() -> Descriptor? {
    #if os(Linux)
      guard let status = try? Descriptor.standardOutput.status(), !status.isRegularFile else { return nil }
      // Opening this name makes another open file of the same pipe or terminal; duplicating the descriptor doesn't.
      // Without /proc the shared file is made non-blocking, and `restore()` undoes that at the end.
      let number = systemOpen("/proc/self/fd/1", O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
      return number >= 0 ? Descriptor(rawValue: number) : nil
    #else
      return nil
    #endif
  }
}
