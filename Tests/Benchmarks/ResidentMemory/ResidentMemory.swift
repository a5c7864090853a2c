internal import Glibc

/// The resident memory of this process.
package enum ResidentMemory {
  /// The current number of bytes: the second number of Linux's `/proc/self/statm`, which counts pages. `getrusage` has
  /// only the peak, which doesn't fall when memory is freed. Without /proc the result is 0.
  package static var bytes: Int {
    // The C library's streams; the file is closed before this returns, and the buffer has the given length.
    guard let file = unsafe fopen("/proc/self/statm", "r") else { return 0 }
    defer { unsafe fclose(file) }
    let text = unsafe String(unsafeUninitializedCapacity: 128) { unsafe fread($0.baseAddress, 1, $0.count, file) }
    return (text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) * sysconf(Int32(_SC_PAGESIZE))
  }
}
