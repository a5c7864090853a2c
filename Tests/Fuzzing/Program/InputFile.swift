#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// Ends the process with a failure status.
func fail(_ code: Int32) -> Never { exit(code) }

/// A file that contains one input.
struct InputFile {
  private let descriptor: Int32

  /// Makes the file, or empties it.
  init(_ path: String) { descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o644) }

  /// Replaces the input in the file.
  func hold(_ input: [UInt8]) {
    // The buffer belongs to the array and is used only within the call.
    _ = unsafe input.withUnsafeBytes { unsafe pwrite(descriptor, $0.baseAddress, $0.count, 0) }
    _ = ftruncate(descriptor, off_t(input.count))
  }

  /// The input in a file; empty if there is none.
  static func contents(of path: String) -> [UInt8] {
    let descriptor = unsafe open(path, O_RDONLY)
    defer { close(descriptor) }
    var input = [UInt8](repeating: 0, count: 1 << 20)
    // The buffer belongs to the array and is used only within the call.
    let count = unsafe input.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
    return Array(input.prefix(max(0, count)))
  }
}
