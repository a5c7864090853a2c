internal import CLibrary

/// The system's information on a file. If two that were taken one after the other are equal, the content hasn't
/// changed.
package struct FileStatus: Hashable, Sendable {
  /// Whether this is a regular file, which has a size and can be read at any offset.
  package let isRegularFile: Bool
  /// The size in bytes; 0 if this isn't a regular file.
  package let size: Int
  private let device: UInt64
  private let number: UInt64
  private let modifiedSeconds: Int
  private let modifiedNanoseconds: Int

  init(_ status: stat) {
    isRegularFile = status.st_mode & S_IFMT == S_IFREG
    size = isRegularFile ? Int(status.st_size) : 0
    device = UInt64(truncatingIfNeeded: status.st_dev)
    number = UInt64(status.st_ino)
    #if canImport(Darwin)
      let modified = status.st_mtimespec
    #else
      let modified = status.st_mtim
    #endif
    modifiedSeconds = Int(modified.tv_sec)
    modifiedNanoseconds = Int(modified.tv_nsec)
  }
}

extension FileStatus {
  /// The information on the file that a path names now; nil if there is none.
  package init?(of path: String) {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  /// The error that prevents this process from reading a file; nil if it can read it.
  package static func reasonNotToRead(_ path: String) -> SystemError? {
    unsafe access(path, R_OK) == 0 ? nil : SystemError("open \(path)")
  }

  /// The size, and the time of the last modification.
  package var stamp: [Int] { [size, modifiedSeconds, modifiedNanoseconds] }

  /// Whether both describe the same file, whatever its content.
  package func isSameFile(as other: FileStatus) -> Bool { device == other.device && number == other.number }
}

extension Descriptor {
  /// The information on the open file.
  package func status() throws(SystemError) -> FileStatus {
    var status = stat()
    guard unsafe fstat(rawValue, &status) == 0 else { throw SystemError("look at a file") }
    return FileStatus(status)
  }
}
