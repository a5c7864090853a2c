#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A file in its own folder. Both are removed with this object.
final class TemporaryFile {
  let folder: String
  var path: String { folder + "/mails.jsonl" }
  /// Each change gets a time that is a second later, because the system's times can be equal for quick changes.
  private var time = 1_000_000_000

  /// Creates the folder, and the file if `content` isn't nil.
  init(_ content: [UInt8]?) {
    var template = Array("/tmp/nagare-XXXXXX".utf8CString)
    // The array owns the template, which ends with zero. It is only written during the call.
    _ = unsafe mkdtemp(&template)
    folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    if let content { write(content) }
  }

  convenience init(_ text: String) { self.init(Array(text.utf8)) }

  /// Overwrites the content of the file.
  func write(_ content: [UInt8]) { put(content, O_TRUNC) }

  /// Appends to the file.
  func append(_ text: String) { put(Array(text.utf8), O_APPEND) }

  /// Replaces the file with another of the same name.
  func replace(_ text: String) {
    remove()
    write(Array(text.utf8))
  }

  /// Overwrites the stored index.
  func writeIndex(_ content: [UInt8]) { put(content, O_TRUNC, at: indexPath) }

  private func put(_ content: [UInt8], _ flag: Int32, at path: String? = nil) {
    // The path is only used during the call.
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

  /// The path of the stored index.
  var indexPath: String { path + ".nagare-index" }

  /// Creates a folder at the index's path, so that no index can be stored.
  func preventIndex() { _ = unsafe mkdir(indexPath, 0o755) }

  /// Removes the file.
  func remove() {
    // The path is only used during the call.
    _ = unsafe unlink(path)
  }

  /// Removes the folder, and the one at the index's path. Fails if anything else is left there.
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

/// Calls the system's function `write`. A method above has the same name.
private func systemWrite(_ descriptor: Int32, _ bytes: ArraySlice<UInt8>) -> Int {
  // The slice owns the bytes, which are only read during the call.
  unsafe bytes.withUnsafeBytes { unsafe write(descriptor, $0.baseAddress, $0.count) }
}
