#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

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
        // Where Linux says which file a process runs; the first argument is whatever the one who started it wrote.
        _ = unsafe readlink("/proc/self/exe", start, path.count - 1)
      #else
        var size = UInt32(path.count)
        _ = unsafe _NSGetExecutablePath(start, &size)
      #endif
    }
    guard let slash = path.lastIndex(of: CChar(bitPattern: UInt8(ascii: "/"))) else { return "" }
    return String(decoding: path[...slash].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Whether a process with that number exists. One that is owned by somebody else does.
  package static func exists(_ processID: Int) -> Bool {
    guard let number = pid_t(exactly: processID), number > 0 else { return false }
    return kill(number, 0) == 0 || errno == EPERM
  }

  /// Writes text to the standard error, all of it, as far as it takes it.
  package static func log(_ text: String) {
    let bytes = Array(text.utf8)
    var rest = bytes.span.extracting(...)
    while !rest.isEmpty, case .bytes(let count)? = try? Descriptor.standardError.write(rest), count > 0 {
      rest = rest.extracting(droppingFirst: count)
    }
  }
}
