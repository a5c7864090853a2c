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

  /// Makes the folder, and the file unless there is to be none.
  init(_ content: [UInt8]?) {
    var template = Array("/tmp/nagare-XXXXXX".utf8CString)
    // The template is the array's own and is written within the call alone.
    folder = unsafe template.withUnsafeMutableBufferPointer { buffer in
      guard let name = unsafe buffer.baseAddress, let made = unsafe mkdtemp(name) else { return "/nowhere" }
      return unsafe String(cString: made)
    }
    if let content { write(content) }
  }

  convenience init(_ text: String) { self.init(Array(text.utf8)) }

  /// Puts new content into the same file.
  func write(_ content: [UInt8]) { put(content, O_TRUNC) }

  /// Adds to the file's end.
  func append(_ text: String) { put(Array(text.utf8), O_APPEND) }

  /// Puts another file of the same name into its place.
  func replace(_ text: String) {
    unlink(path)
    write(Array(text.utf8))
  }

  private func put(_ content: [UInt8], _ flag: Int32) {
    let descriptor = unsafe open(path, O_WRONLY | O_CREAT | flag, 0o644)
    var rest = content[...]
    while !rest.isEmpty {
      // The bytes are the slice's own and are read within the call alone.
      let count = unsafe rest.withUnsafeBytes { unsafe systemWrite(descriptor, $0.baseAddress, $0.count) }
      guard count > 0 else { break }
      rest = rest.dropFirst(count)
    }
    close(descriptor)
  }

  deinit {
    unlink(path)
    rmdir(folder)
  }
}

/// The system's function, whose name the method above bears too.
private let systemWrite: @Sendable (Int32, UnsafeRawPointer?, Int) -> Int = unsafe write
