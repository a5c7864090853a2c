internal import Glibc
internal import Nagare
internal import WireJSON

/// What an item of a long list takes beyond its own bytes.
enum Memory {
  static func bytesAnItem() -> Double {
    let pages = 50_000
    let before = residentBytes()
    var mails = Mails(bodySize: 80)
    var list = ItemList()
    var ownBytes = 0
    for number in 0..<pages {
      // One after the other, as they come: what a page alone needed is free again for the next.
      let page = mails.page(number)
      list.append(page)
      ownBytes += page.slices.reduce(0) { $0 + Int($1.length) }
    }
    let taken = residentBytes() - before - ownBytes
    precondition(list.count == 20 * pages)
    return Double(taken) / Double(list.count)
  }

  /// The memory the process has now: the second number of Linux's `/proc/self/statm`, which counts pages. `getrusage`
  /// knows the most it ever had, which doesn't fall when memory is given back.
  private static func residentBytes() -> Int {
    // The C library's streams; the file is closed before this returns, and the buffer is as long as is said.
    guard let file = unsafe fopen("/proc/self/statm", "r") else { return 0 }
    defer { unsafe fclose(file) }
    let text = unsafe String(unsafeUninitializedCapacity: 128) { unsafe fread($0.baseAddress, 1, $0.count, file) }
    let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    return pages * sysconf(Int32(_SC_PAGESIZE))
  }
}
