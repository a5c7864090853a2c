internal import CLibrary
internal import Synchronization

/// Functions of the operating system for this process and others.
package enum CurrentProcess {
  /// The status with which a program reports its outcome to the process that started it (`sysexits.h`).
  package enum ExitCode: Int32, Sendable {
    /// The program has succeeded.
    case success = 0
    /// A failure without its own code.
    case failure = 1
    /// The command line is wrong.
    case usage = 64
    /// The standard input couldn't be read, or the standard output or the log couldn't be written.
    case inputOutput = 74
    /// The configuration is wrong.
    case configuration = 78
  }

  /// Ends the program immediately.
  package static func exit(_ code: ExitCode) -> Never { systemExit(code.rawValue) }

  /// The folder of the program's file, with a slash at its end; empty if the system doesn't provide it.
  package static var folder: String {
    guard let path, let slash = path.lastIndex(of: "/") else { return "" }
    return String(path[...slash])
  }

  /// The path of the program's file, without symbolic links; nil if the system doesn't provide it.
  package static var path: String? {
    var path = [CChar](repeating: 0, count: 4096)
    // The pointer belongs to the array and is used only within the call.
    unsafe path.withUnsafeMutableBufferPointer { path in
      guard let start = path.baseAddress else { return }
      #if os(Linux)
        // Linux names the file of a process only here; the first argument is whatever the parent process wrote. Without
        // /proc nothing is read, so there is no path.
        _ = unsafe readlink("/proc/self/exe", start, path.count - 1)
      #else
        var size = UInt32(path.count)
        _ = unsafe _NSGetExecutablePath(start, &size)
      #endif
    }
    let bytes = path.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
  }

  /// Whether the calling thread is the process's first one.
  package static var isOnMainThread: Bool {
    #if os(Linux)
      threadID() == getpid()
    #else
      pthread_main_np() == 1
    #endif
  }

  /// Whether a process with this number is alive, even if it belongs to another user. A process that has ended but
  /// wasn't reaped by its parent isn't alive.
  package static func lives(_ processID: Int) -> Bool {
    guard let number = pid_t(exactly: processID), number > 0 else { return false }
    return (kill(number, 0) == 0 || errno == EPERM) && !isZombie(number)
  }

  private static func isZombie(_ number: pid_t) -> Bool {
    #if os(Linux)
      // `kill` succeeds for zombies, too, and `waitid` works for children only. Without /proc a zombie counts as living.
      let file = systemOpen("/proc/\(number)/stat", O_RDONLY | O_CLOEXEC)
      guard file >= 0 else { return false }
      defer { _ = systemClose(file) }
      var text = [UInt8](repeating: 0, count: 512)
      let count = unsafe systemRead(file, &text, text.count)
      // The state follows the name, which is in parentheses and may contain any characters.
      guard count > 0, let end = text[..<count].lastIndex(of: UInt8(ascii: ")")), end + 2 < count else { return false }
      return text[end + 2] == UInt8(ascii: "Z") || text[end + 2] == UInt8(ascii: "X")
    #else
      return false
    #endif
  }

  /// The value of an environment variable; nil if it isn't set.
  package static func environment(_ name: String) -> String? {
    // Nothing in this package changes the environment.
    guard let value = unsafe getenv(name) else { return nil }
    return unsafe String(cString: value)
  }

  /// The time of day. It is for comparison with external dates, not for scheduling.
  package static var secondsSince1970: Int { time(nil) }

  /// Writes the whole text to the standard error, however long that takes. It is for situations in which the program
  /// has nothing else to do.
  package static func writeError(_ text: String) { writeError(Array(text.utf8)) }

  /// Writes all bytes to the standard error, however long that takes.
  package static func writeError(_ bytes: [UInt8]) { _ = write(bytes) { true } }

  /// The number of log lines dropped since the last written one.
  private static let droppedLines = Atomic(0)
  /// Whether the last written log line is incomplete.
  private static let isMidLine = Atomic(false)
  /// Whether writing the standard error failed for a reason other than a closed pipe, such as a full disk.
  private static let hasLostLog = Atomic(false)

  /// Whether log lines were lost because the standard error can't be written.
  package static var isLogLost: Bool { hasLostLog.load(ordering: .relaxed) }

  /// Writes lines to the standard error if this is possible without waiting, because the program must never wait for a
  /// reader of its log. Other lines are dropped, and the next written line reports their number.
  package static func log(_ text: String) {
    let dropped = droppedLines.load(ordering: .relaxed)
    let notice = "\(dropped) lines of the log were dropped, because they weren't read\n"
    if dropped == 0 || logAtOnce(notice) {
      droppedLines.store(0, ordering: .relaxed)
      if logAtOnce(text) { return }
    }
    let lines = max(1, text.utf8.count { $0 == UInt8(ascii: "\n") })
    droppedLines.add(lines, ordering: .relaxed)
  }

  private static func logAtOnce(_ text: String) -> Bool {
    let text = isMidLine.load(ordering: .relaxed) ? "\n" + text : text
    let written = write(Array(text.utf8)) { Descriptor.standardError.takesBytes }
    if written > 0 { isMidLine.store(written < text.utf8.count, ordering: .relaxed) }
    return written == text.utf8.count
  }

  /// Writes bytes while `isWanted` returns true. Returns the number of written bytes. After an error all bytes count as
  /// written, because they never can be.
  private static func write(_ bytes: [UInt8], while isWanted: () -> Bool) -> Int {
    var written = 0
    while written < bytes.count, isWanted() {
      // A pipe that is ready for writing accepts this many bytes without waiting.
      let piece = bytes.span.extracting(written..<min(bytes.count, written + Int(PIPE_BUF)))
      do throws(SystemError) {
        guard case .bytes(let count) = try Descriptor.standardError.write(piece), count > 0 else { return bytes.count }
        written += count
      } catch {
        if !error.isOfReader, error.code != EBADF { hasLostLog.store(true, ordering: .relaxed) }
        return bytes.count
      }
    }
    return written
  }
}

extension Descriptor {
  /// Whether bytes can be written now without waiting.
  fileprivate var takesBytes: Bool {
    var request = pollfd(fd: rawValue, events: Int16(POLLOUT), revents: 0)
    // The pointer is used only within the call.
    return unsafe poll(&request, 1, 0) > 0
  }
}

#if os(Linux)
  /// The number of the calling thread. glibc's header declares the function only for programs that enable GNU
  /// extensions.
  @_silgen_name("gettid")
  private func threadID() -> Int32
#endif
