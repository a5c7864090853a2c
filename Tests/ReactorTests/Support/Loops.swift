@testable import Reactor

/// Runs a loop on a thread of its own: the threads that run the tests are those that tasks need.
func withLoop<Value: Sendable>(_ body: @escaping @Sendable (EventLoop) -> Value) async throws -> Value {
  var thread: Thread?
  let value = try await withCheckedThrowingContinuation { continuation in
    thread = Thread { continuation.resume(with: Result { body(try EventLoop()) }) }
  }
  thread?.join()
  return value
}

extension EventLoop {
  /// Runs up to the end of a step at which something holds.
  func run(untilStepEndsWith isDone: @escaping () -> Bool) {
    stepEnded = { [unowned self] in if isDone() { stop() } }
    run()
    stepEnded = {}
  }
}
