import Testing

@testable import Reactor

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Makes two connected sockets; each reads what the other writes. Neither blocks.
func socketPair() throws -> (Descriptor, Descriptor) {
  #if canImport(Glibc)
    let kind = Int32(SOCK_STREAM.rawValue)
  #else
    let kind = SOCK_STREAM
  #endif
  var ends: [Int32] = [-1, -1]
  // The array has room for the two numbers.
  try #require(unsafe socketpair(AF_UNIX, kind, 0, &ends) == 0)
  let pair = (Descriptor(rawValue: ends[0]), Descriptor(rawValue: ends[1]))
  pair.0.setNonBlocking(true)
  pair.1.setNonBlocking(true)
  return pair
}

extension Descriptor {
  /// Makes started programs inherit this descriptor, like descriptors that a process is started with.
  func outliveExec() { _ = fcntl(rawValue, F_SETFD, 0) }
}

/// A separate thread, outside the threads that run the tests.
@safe final class Thread {
  fileprivate final class Body: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  #if canImport(Darwin)
    private var thread: pthread_t?
  #else
    private var thread = pthread_t()
  #endif

  init(_ run: @escaping @Sendable () -> Void) {
    let body = unsafe Unmanaged.passRetained(Body(run)).toOpaque()
    // The thread takes over the retained reference.
    _ = unsafe pthread_create(&thread, nil, threadMain, body)
  }

  /// Waits for the thread's end.
  func join() {
    #if canImport(Darwin)
      if let thread { _ = unsafe pthread_join(thread, nil) }
    #else
      _ = pthread_join(thread, nil)
    #endif
  }
}

#if canImport(Darwin)
  private func threadMain(_ body: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    unsafe Unmanaged<Thread.Body>.fromOpaque(body).takeRetainedValue().run()
    return nil
  }
#else
  private func threadMain(_ body: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let body = unsafe body { unsafe Unmanaged<Thread.Body>.fromOpaque(body).takeRetainedValue().run() }
    return nil
  }
#endif

/// A folder that is removed when the test has ended.
final class TemporaryFolder {
  let path: String

  init() throws {
    var template = Array("/tmp/nagare-tests-XXXXXX".utf8CString)
    // The template ends with a zero, and is changed in place.
    try #require(unsafe mkdtemp(&template) != nil)
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// The path of a file in the folder.
  func file(_ name: String) -> String { "\(path)/\(name)" }

  /// Opens a file in the folder for appending. Makes the file if it doesn't exist.
  func append(_ name: String) throws -> Descriptor {
    let number = unsafe open(file(name), O_WRONLY | O_APPEND | O_CREAT, 0o644)
    try #require(number >= 0)
    return Descriptor(rawValue: number)
  }

  deinit {
    for name in ["a", "b"] { _ = unsafe unlink(file(name)) }
    _ = unsafe rmdir(path)
  }
}

/// Sends a signal to this thread. The signal is handled immediately, even if the thread normally blocks signals.
func raiseSignal(_ number: Int32) {
  var (taken, before) = (sigset_t(), sigset_t())
  // The sets are local variables.
  unsafe sigemptyset(&taken)
  unsafe sigaddset(&taken, number)
  unsafe pthread_sigmask(SIG_UNBLOCK, &taken, &before)
  raise(number)
  unsafe pthread_sigmask(SIG_SETMASK, &before, nil)
}

/// Restores the default handling of signals that end the process.
func restoreSignals() { for number in [SIGTERM, SIGINT, SIGHUP] { _ = signal(number, SIG_DFL) } }

let terminationSignals = [SIGTERM, SIGINT, SIGHUP]

/// The number of this process.
var processID: Int { Int(getpid()) }

/// The group of a process.
func processGroup(of processID: Int) -> Int { Int(getpgid(pid_t(processID))) }
