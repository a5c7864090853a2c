internal import CLibrary

/// A file descriptor: the number of an open file, pipe, socket or terminal.
package struct Descriptor: RawRepresentable, Hashable, Sendable {
  /// The number.
  package let rawValue: Int32

  /// Wraps a number that is open, or will be.
  package init(rawValue: Int32) { self.rawValue = rawValue }

  /// The standard input of this process.
  package static let standardInput = Descriptor(rawValue: 0)
  /// The standard output of this process.
  package static let standardOutput = Descriptor(rawValue: 1)
  /// The standard error of this process, which is its log.
  package static let standardError = Descriptor(rawValue: 2)

  /// The result of a read or a write without waiting.
  package enum Transfer: Hashable, Sendable {
    /// The number of transferred bytes; 0 at the end of the input.
    case bytes(Int)
    /// Nothing can be transferred now.
    case wouldBlock
  }

  /// Opens a file for reading. It never waits: a named pipe opens without a writer. The error contains the path.
  package static func open(_ path: String) throws(SystemError) -> Descriptor {
    let number = systemOpen(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard number >= 0 else { throw SystemError("open \(path)") }
    return Descriptor(rawValue: number)
  }

  /// Reads a whole file, or a pipe until its writers have closed it. The error contains the operation that failed.
  package static func contents(of path: String) throws(SystemError) -> [UInt8] {
    let file = try open(path)
    defer { file.close() }
    file.setNonBlocking(false)
    var (contents, buffer) = ([UInt8](), [UInt8](repeating: 0, count: 64 << 10))
    while case .bytes(let count) = try file.read(into: &buffer), count > 0 { contents += buffer[..<count] }
    return contents
  }

  /// Replaces the file at a path, in a single step: other processes never see a part of it.
  package static func replace(_ path: String, by bytes: [UInt8]) throws(SystemError) {
    let draft = "\(path).\(getpid())"
    let file = Descriptor(rawValue: systemCreate(draft))
    guard file.rawValue >= 0 else { throw SystemError("open \(draft)") }
    defer { file.close() }
    do throws(SystemError) {
      var written = 0
      while written < bytes.count, case .bytes(let count) = try file.write(bytes.span.extracting(written...)) {
        written += count
      }
      guard unsafe rename(draft, path) == 0 else { throw SystemError("rename \(draft)") }
    } catch {
      _ = unsafe unlink(draft)
      throw error
    }
  }

  /// Reads available bytes into the start of `buffer`, at most its size. If there are none, it waits if the descriptor
  /// blocks. It reads 0 bytes at the end of the input.
  package func read(into buffer: inout [UInt8]) throws(SystemError) -> Transfer {
    while true {
      // The pointer belongs to the array and is used only within the call.
      let count = unsafe buffer.withUnsafeMutableBytes { unsafe systemRead(rawValue, $0.baseAddress, $0.count) }
      if count >= 0 { return .bytes(count) }
      if errno == EAGAIN || errno == EWOULDBLOCK { return .wouldBlock }
      if errno != EINTR { throw SystemError("read") }
    }
  }

  /// Reads `count` bytes at an offset from the start of the file, or fewer at its end. The file's position doesn't
  /// change.
  package func read(at offset: Int, count: Int) throws(SystemError) -> [UInt8] {
    var failure: SystemError?
    // Only the bytes that the system has written count as initialized.
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      while initialized < count {
        let part = unsafe pread(
          rawValue, buffer.baseAddress?.advanced(by: initialized), count - initialized, off_t(offset + initialized))
        if part > 0 { initialized += part }
        if part == 0 { break }
        if part < 0, errno != EINTR {
          failure = SystemError("read")
          break
        }
      }
    }
    if let failure { throw failure }
    return bytes
  }

  /// Writes as many of the bytes as possible without waiting. After ``Signals/ignoreFailedWrites()``, a closed pipe is
  /// the error `EPIPE` and never a signal.
  package func write(_ bytes: Span<UInt8>) throws(SystemError) -> Transfer {
    while true {
      // The pointer belongs to the span and is used only within the call.
      let count = unsafe bytes.withUnsafeBytes { unsafe systemWrite(rawValue, $0.baseAddress, $0.count) }
      if count >= 0 { return .bytes(count) }
      if errno == EAGAIN || errno == EWOULDBLOCK { return .wouldBlock }
      if errno != EINTR { throw SystemError("write") }
    }
  }

  /// Closes the descriptor. The system may then reuse the number.
  package func close() { _ = systemClose(rawValue) }

  /// Whether the descriptor is a terminal.
  package var isTerminal: Bool { isatty(rawValue) == 1 }

  /// Makes a second descriptor for the same open file. Child programs don't inherit it.
  func duplicate() throws(SystemError) -> Descriptor {
    let number = fcntl(rawValue, F_DUPFD_CLOEXEC, 3)
    guard number >= 0 else { throw SystemError("duplicate a descriptor") }
    return Descriptor(rawValue: number)
  }

  /// Sets whether reads and writes return immediately. The flag belongs to the open file, so it affects everyone who
  /// shares the file.
  package func setNonBlocking(_ on: Bool) {
    let flags = fcntl(rawValue, F_GETFL)
    _ = fcntl(rawValue, F_SETFL, on ? flags | O_NONBLOCK : flags & ~O_NONBLOCK)
  }

  /// Makes a pipe. Both ends are non-blocking, and child programs don't inherit them.
  static func pipe() throws(SystemError) -> (reading: Descriptor, writing: Descriptor) {
    var ends: (Int32, Int32) = (-1, -1)
    let made = unsafe withUnsafeMutablePointer(to: &ends) {
      unsafe $0.withMemoryRebound(to: Int32.self, capacity: 2) { unsafe systemPipe($0) }
    }
    guard made == 0 else { throw SystemError("make a pipe") }
    for end in [ends.0, ends.1] {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    return (Descriptor(rawValue: ends.0), Descriptor(rawValue: ends.1))
  }
}
