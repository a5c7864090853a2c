internal import Glibc

/// What this process has in memory.
package enum ResidentMemory {
  /// The bytes that it has now: the second number of Linux's `/proc/self/statm`, which counts pages. `getrusage` knows the
  /// most it ever had, which doesn't fall when memory is given back. Without /proc it is 0, and measures nothing.
  package static var bytes: Int {
    // The C library's streams; the file is closed before this returns, and the buffer is as long as is said.
    guard let file = unsafe fopen("/proc/self/statm", "r") else { return 0 }
    defer { unsafe fclose(file) }
    let text = unsafe String(unsafeUninitializedCapacity: 128) { unsafe fread($0.baseAddress, 1, $0.count, file) }
    return (text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) * sysconf(Int32(_SC_PAGESIZE))
  }
}
