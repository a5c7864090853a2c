#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// A system call that failed: which, on what, and the system's reason.
public struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What was tried, in words that follow "can't": `open mails.jsonl`.
  public let operation: String
  /// The system's error number (`errno`).
  public let code: Int32

  /// Records the failure that the last system call left in `errno`.
  init(_ operation: String) {
    self.operation = operation
    self.code = errno
  }

  /// `can't open mails.jsonl: No such file or directory`.
  public var description: String { "can't \(operation): \(reason)" }

  /// The system's own words for ``code``.
  public var reason: String {
    // strerror answers a C string for every number, and one thread alone asks.
    unsafe String(cString: strerror(code))
  }
}
