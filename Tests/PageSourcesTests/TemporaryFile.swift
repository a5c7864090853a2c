#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A file in a folder of its own, both of which go with this.
final class TemporaryFile {
  let folder: String
  var path: String { folder + "/mails.jsonl" }
  /// Each change is a second later than the one before: the system's own times don't tell quick changes apart.
  private var time = 1_000_000_000

  /// Makes the folder, and the file unless there is to be none.
  init(_ content: [UInt8]?) {
    var template = Array("/tmp/nagare-XXXXXX".utf8CString)
    // The template is the array's own, ends with zero, and is written within the call alone.
    _ = unsafe mkdtemp(&template)
    folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    if let content { write(content) }
  }

  convenience init(_ text: String) { self.init(Array(text.utf8)) }

  /// Puts new content into the same file.
  func write(_ content: [UInt8]) { put(content, O_TRUNC) }

  /// Adds to the file's end.
  func append(_ text: String) { put(Array(text.utf8), O_APPEND) }

  /// Puts another file of the same name into its place.
  func replace(_ text: String) {
    remove()
    write(Array(text.utf8))
  }

  /// Puts bytes into the place of the index.
  func writeIndex(_ content: [UInt8]) { put(content, O_TRUNC, at: indexPath) }

  private func put(_ content: [UInt8], _ flag: Int32, at path: String? = nil) {
    // The path is lent for the call.
    let descriptor = unsafe open(path ?? self.path, O_WRONLY | O_CREAT | flag, 0o644)
    var rest = content[...]
    while !rest.isEmpty {
      let count = systemWrite(descriptor, rest)
      guard count > 0 else { break }
      rest = rest.dropFirst(count)
    }
    time += 1
    let times = [timespec(tv_sec: time, tv_nsec: 0), timespec(tv_sec: time, tv_nsec: 0)]
    unsafe futimens(descriptor, times)
    close(descriptor)
  }

  /// Where the index of its lines is kept.
  var indexPath: String { path + ".nagare-index" }

  /// Puts a folder into the place of the index, so that none can be kept.
  func preventIndex() { _ = unsafe mkdir(indexPath, 0o755) }

  /// Takes the file away.
  func remove() {
    // The path is lent for the call.
    _ = unsafe unlink(path)
  }

  /// Takes the folder away, and that in the place of the index; nothing else may be left there.
  @discardableResult
  func removeFolders() -> Bool {
    _ = unsafe rmdir(indexPath)
    return unsafe rmdir(folder) == 0
  }

  deinit {
    remove()
    _ = unsafe unlink(indexPath)
    removeFolders()
  }
}

/// The system's function, whose name a method above bears too.
private func systemWrite(_ descriptor: Int32, _ bytes: ArraySlice<UInt8>) -> Int {
  // The bytes are the slice's own and are read within the call alone.
  unsafe bytes.withUnsafeBytes { unsafe write(descriptor, $0.baseAddress, $0.count) }
}
