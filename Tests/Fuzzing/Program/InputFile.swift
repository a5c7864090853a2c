#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// Ends the process, which has failed.
func fail(_ code: Int32) -> Never { exit(code) }

/// A file that holds one input.
struct InputFile {
  private let descriptor: Int32

  /// Makes the file, or empties it.
  init(_ path: String) { descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o644) }

  /// Puts another input in the place of the one that it holds.
  func hold(_ input: [UInt8]) {
    // The buffer is the array's own and is used within the call alone.
    _ = unsafe input.withUnsafeBytes { unsafe pwrite(descriptor, $0.baseAddress, $0.count, 0) }
    _ = ftruncate(descriptor, off_t(input.count))
  }

  /// An input that a file holds; empty if there is none.
  static func contents(of path: String) -> [UInt8] {
    let descriptor = unsafe open(path, O_RDONLY)
    defer { close(descriptor) }
    var input = [UInt8](repeating: 0, count: 1 << 20)
    // The buffer is the array's own and is used within the call alone.
    let count = unsafe input.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
    return Array(input.prefix(max(0, count)))
  }
}
