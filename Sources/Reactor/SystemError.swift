internal import CLibrary

/// A failed system call: the operation, its object, and the system's reason.
public struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The attempted operation, in words that follow "can't": `open mails.jsonl`.
  public let operation: String
  /// The system's error number (`errno`).
  public let code: Int32

  /// Makes an error of the last system call, from `errno`.
  init(_ operation: String) { self.init(operation, code: errno) }

  /// Makes an error of a code that a call returned.
  package init(_ operation: String, code: Int32) {
    self.operation = operation
    self.code = code
  }

  /// Whether the system temporarily lacks a resource: memory, processes or descriptors.
  public var isTransient: Bool { [EAGAIN, ENOMEM, EMFILE, ENFILE].contains(code) }

  /// Whether the operation failed because a folder was read like a file.
  package var isOfFolder: Bool { code == EISDIR }

  /// Whether the other end of a pipe or connection is closed.
  package var isOfReader: Bool { [EPIPE, ECONNRESET].contains(code) }

  /// Returns the same error with another description of the operation.
  package func of(_ operation: String) -> SystemError { SystemError(operation, code: code) }

  /// Whether the file doesn't exist.
  package var isMissing: Bool { code == ENOENT }

  /// The error as a sentence: `can't open mails.jsonl: No such file or directory`.
  public var description: String { "can't \(operation): \(reason)" }

  /// The system's description of ``code``.
  public var reason: String {
    // strerror returns a C string for every number. Only one thread calls it.
    unsafe String(cString: strerror(code))
  }
}
