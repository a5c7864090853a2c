internal import Glibc
internal import Nagare
internal import WireJSON

/// What an item of a long list takes beyond its own bytes.
enum Memory {
  static func bytesAnItem() -> Double {
    let count = 1_000_000
    let before = residentBytes()
    var mails = Mails(bodySize: 80)
    let (list, ownBytes) = makeList(mails.pages(count / 20))
    let taken = residentBytes() - before - ownBytes
    precondition(list.count == count)
    return Double(taken) / Double(count)
  }

  private static func makeList(_ pages: [RawItems]) -> (list: ItemList, ownBytes: Int) {
    var list = ItemList()
    var ownBytes = 0
    for page in pages {
      list.append(page)
      ownBytes += page.slices.reduce(0) { $0 + Int($1.length) }
    }
    return (list, ownBytes)
  }

  /// The second number of `/proc/self/statm`, in pages of memory.
  private static func residentBytes() -> Int {
    // The C library's streams; the file is closed before this returns, and the buffer is as long as is said.
    guard let file = unsafe fopen("/proc/self/statm", "r") else { return 0 }
    defer { unsafe fclose(file) }
    let text = unsafe String(unsafeUninitializedCapacity: 128) { unsafe fread($0.baseAddress, 1, $0.count, file) }
    let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    return pages * sysconf(Int32(_SC_PAGESIZE))
  }
}
