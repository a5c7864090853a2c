internal import CLibrary

/// Runs a closure on a new thread, which ends with the closure.
///
/// - Returns: 0, or the system's error code; then the closure doesn't run.
func startThread(_ run: sending @escaping () -> Void) -> Int32 {
  let body = ThreadBody(run)
  #if canImport(Darwin)
    var thread: pthread_t?
  #else
    var thread = pthread_t()
  #endif
  // The new thread receives the only reference, so the closure isn't used here any more.
  let code = unsafe pthread_create(&thread, nil, runThread, Unmanaged.passRetained(body).toOpaque())
  if code != 0 { unsafe Unmanaged.passUnretained(body).release() }
  return code
}

private final class ThreadBody {
  let run: () -> Void

  init(_ run: @escaping () -> Void) { self.run = run }
}

#if canImport(Darwin)
  private func runThread(_ body: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? { unsafe run(body) }
#else
  private func runThread(_ body: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let body = unsafe body { unsafe run(body) } else { nil }
  }
#endif

private func run(_ body: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
  unsafe Unmanaged<ThreadBody>.fromOpaque(body).takeRetainedValue().run()
  return nil
}
