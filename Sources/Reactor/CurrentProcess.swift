internal import CLibrary
internal import Synchronization

/// What the running program asks of the system about itself and others.
package enum CurrentProcess {
  /// How a program tells who started it what became of it (`sysexits.h`).
  package enum ExitCode: Int32, Sendable {
    /// All was done.
    case success = 0
    /// Something failed that has no number of its own.
    case failure = 1
    /// The command line is wrong.
    case usage = 64
    /// The standard input couldn't be read, or the standard output or the log couldn't be written.
    case inputOutput = 74
    /// The configuration is wrong.
    case configuration = 78
  }

  /// Ends the program at once.
  package static func exit(_ code: ExitCode) -> Never { systemExit(code.rawValue) }

  /// The folder that the program's file is in, with a slash at its end; empty if the system doesn't say.
  package static var folder: String {
    var path = [CChar](repeating: 0, count: 4096)
    // The pointer is the array's own and is used within the call alone.
    unsafe path.withUnsafeMutableBufferPointer { path in
      guard let start = path.baseAddress else { return }
      #if os(Linux)
        // Linux names the file of a process only here; the first argument is whatever the parent process wrote. Without
        // /proc nothing is read, so the folder is empty.
        _ = unsafe readlink("/proc/self/exe", start, path.count - 1)
      #else
        var size = UInt32(path.count)
        _ = unsafe _NSGetExecutablePath(start, &size)
      #endif
    }
    guard let slash = path.lastIndex(of: CChar(bitPattern: UInt8(ascii: "/"))) else { return "" }
    return String(decoding: path[...slash].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Whether the calling thread is the process's first one.
  package static var isOnMainThread: Bool {
    #if os(Linux)
      threadID() == getpid()
    #else
      pthread_main_np() == 1
    #endif
  }

  /// Whether a process with that number lives, whoever owns it. One that has ended and that its parent hasn't reaped doesn't.
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
      // The state follows the name, which stands in parentheses and may have any characters.
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

  /// The time of day: for dates that others have written, and for nothing that is to happen.
  package static var secondsSince1970: Int { time(nil) }

  /// Writes text to the standard error, all of it, however long that takes: where nothing else is to be done.
  package static func complain(_ text: String) { _ = write(text) { true } }

  /// How many lines of the log nobody took since one was taken.
  private static let droppedLines = Atomic(0)
  /// Whether the last line of the log that was taken lacks its end.
  private static let isMidLine = Atomic(false)
  /// Whether the standard error couldn't be written for a reason other than that nobody reads it, such as a full disk.
  private static let hasLostLog = Atomic(false)

  /// Whether lines of the log were lost because the standard error can't be written.
  package static var isLogLost: Bool { hasLostLog.load(ordering: .relaxed) }

  /// Writes lines to the standard error if it takes them at once: nothing waits for the reader of a log. Those that it
  /// doesn't take are dropped, and the next that it takes says how many.
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
    let written = write(text) { Descriptor.standardError.takesBytes }
    if written > 0 { isMidLine.store(written < text.utf8.count, ordering: .relaxed) }
    return written == text.utf8.count
  }

  /// Writes as long as it is wanted, and says how many bytes went over. What fails counts as written: it can't be.
  private static func write(_ text: String, while isWanted: () -> Bool) -> Int {
    let bytes = Array(text.utf8)
    var written = 0
    while written < bytes.count, isWanted() {
      // A pipe that takes bytes takes so many without a wait.
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
  /// Whether bytes can be written now, without a wait.
  fileprivate var takesBytes: Bool {
    var request = pollfd(fd: rawValue, events: Int16(POLLOUT), revents: 0)
    // The pointer is used within the call alone.
    return unsafe poll(&request, 1, 0) > 0
  }
}

#if os(Linux)
  /// The number of the calling thread. glibc's header declares it for those alone who ask for GNU's extensions.
  @_silgen_name("gettid")
  private func threadID() -> Int32
#endif
