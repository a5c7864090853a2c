@testable import Reactor

/// Runs a loop on a separate thread, because the test threads are needed by tasks.
func withLoop<Value: Sendable>(_ body: @escaping @Sendable (EventLoop) -> Value) async throws -> Value {
  var thread: Thread?
  let value = try await withCheckedThrowingContinuation { continuation in
    thread = Thread { continuation.resume(with: Result { body(try EventLoop()) }) }
  }
  thread?.join()
  return value
}

extension EventLoop {
  /// Runs up to the end of a step after which a condition holds.
  func run(untilStepEndsWith isDone: @escaping () -> Bool) {
    stepEnded = { [unowned self] in if isDone() { stop() } }
    run()
    stepEnded = {}
  }
}
