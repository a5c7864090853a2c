internal import CLibrary

/// A file descriptor: a number the system knows an open file, pipe, socket or terminal by.
package struct Descriptor: RawRepresentable, Hashable, Sendable {
  /// The number.
  package let rawValue: Int32

  /// Wraps a number that is, or will be, open.
  package init(rawValue: Int32) { self.rawValue = rawValue }

  /// What this process reads its input from.
  package static let standardInput = Descriptor(rawValue: 0)
  /// What this process writes its output to.
  package static let standardOutput = Descriptor(rawValue: 1)
  /// Where this process's log goes.
  package static let standardError = Descriptor(rawValue: 2)

  /// How a read or a write that needn't wait ended.
  package enum Transfer: Hashable, Sendable {
    /// So many bytes went over; 0 at the end of the input.
    case bytes(Int)
    /// Nothing can go over now.
    case wouldBlock
  }

  /// Opens a file for reading. It never waits: a named pipe opens without a writer. The error names the path.
  package static func open(_ path: String) throws(SystemError) -> Descriptor {
    let number = systemOpen(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard number >= 0 else { throw SystemError("open \(path)") }
    return Descriptor(rawValue: number)
  }

  /// Reads a file whole, or a pipe until its writers have closed it. The error names what couldn't be done.
  package static func contents(of path: String) throws(SystemError) -> [UInt8] {
    let file = try open(path)
    defer { file.close() }
    file.setNonBlocking(false)
    var (contents, buffer) = ([UInt8](), [UInt8](repeating: 0, count: 64 << 10))
    while case .bytes(let count) = try file.read(into: &buffer), count > 0 { contents += buffer[..<count] }
    return contents
  }

  /// Puts a file with these bytes in the place of what a path names, at once: nobody ever sees a part of it.
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

  /// Reads what is there over the first bytes of `buffer`, up to its size; waits if nothing is and the descriptor
  /// blocks. 0 bytes are read at the end of the input.
  package func read(into buffer: inout [UInt8]) throws(SystemError) -> Transfer {
    while true {
      // The pointer is the array's own and is used within the call alone.
      let count = unsafe buffer.withUnsafeMutableBytes { unsafe systemRead(rawValue, $0.baseAddress, $0.count) }
      if count >= 0 { return .bytes(count) }
      if errno == EAGAIN || errno == EWOULDBLOCK { return .wouldBlock }
      if errno != EINTR { throw SystemError("read") }
    }
  }

  /// Reads `count` bytes at an offset from the start of the file, or fewer where it ends, without moving the file's
  /// position.
  package func read(at offset: Int, count: Int) throws(SystemError) -> [UInt8] {
    var failure: SystemError?
    // Only as many bytes as the system wrote are counted as initialized.
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

  /// Writes as many of `bytes` as go at once. A reader that has gone is `EPIPE`, never a signal, once
  /// ``Signals/ignoreFailedWrites()`` ran.
  package func write(_ bytes: Span<UInt8>) throws(SystemError) -> Transfer {
    while true {
      // The pointer is the span's own and is used within the call alone.
      let count = unsafe bytes.withUnsafeBytes { unsafe systemWrite(rawValue, $0.baseAddress, $0.count) }
      if count >= 0 { return .bytes(count) }
      if errno == EAGAIN || errno == EWOULDBLOCK { return .wouldBlock }
      if errno != EINTR { throw SystemError("write") }
    }
  }

  /// Gives the number back to the system.
  package func close() { _ = systemClose(rawValue) }

  /// Whether a person sits at the other end.
  package var isTerminal: Bool { isatty(rawValue) == 1 }

  /// A second number for the same open file, which a child program doesn't get.
  func duplicate() throws(SystemError) -> Descriptor {
    let number = fcntl(rawValue, F_DUPFD_CLOEXEC, 3)
    guard number >= 0 else { throw SystemError("duplicate a descriptor") }
    return Descriptor(rawValue: number)
  }

  /// Makes reads and writes answer at once. The flag belongs to the open file, so whoever shares it sees it too.
  package func setNonBlocking(_ on: Bool) {
    let flags = fcntl(rawValue, F_GETFL)
    _ = fcntl(rawValue, F_SETFL, on ? flags | O_NONBLOCK : flags & ~O_NONBLOCK)
  }

  /// A pipe's two ends, neither of which blocks or is handed to child programs.
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
