internal import CLibrary

/// A system call that failed: which, on what, and the system's reason.
public struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What was tried, in words that follow "can't": `open mails.jsonl`.
  public let operation: String
  /// The system's error number (`errno`).
  public let code: Int32

  /// Records the failure that the last system call left in `errno`.
  init(_ operation: String) { self.init(operation, code: errno) }

  /// Records a failure that a call gave back.
  package init(_ operation: String, code: Int32) {
    self.operation = operation
    self.code = code
  }

  /// Whether the system lacks something now that it may have again later: memory, processes, descriptors.
  public var isTransient: Bool { [EAGAIN, ENOMEM, EMFILE, ENFILE].contains(code) }

  /// Whether a folder was to be read as if it were a file.
  package var isOfFolder: Bool { code == EISDIR }

  /// Whether the other end of a pipe or connection has gone.
  package var isOfReader: Bool { [EPIPE, ECONNRESET].contains(code) }

  /// The same failure, of what was tried in other words.
  package func of(_ operation: String) -> SystemError { SystemError(operation, code: code) }

  /// Whether there is no file of this name.
  package var isMissing: Bool { code == ENOENT }

  /// `can't open mails.jsonl: No such file or directory`.
  public var description: String { "can't \(operation): \(reason)" }

  /// The system's own words for ``code``.
  public var reason: String {
    // strerror answers a C string for every number, and one thread alone asks.
    unsafe String(cString: strerror(code))
  }
}
