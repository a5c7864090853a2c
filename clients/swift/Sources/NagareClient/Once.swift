internal import Synchronization

/// An answer that can be given only once. Later answers are ignored.
final class Once: Sendable {
  private struct Guarded {
    var waiting: CheckedContinuation<Void, any Error>?
    var answer: Result<Void, any Error>?
    var onEnd: (@Sendable () -> Void)?
  }

  private let guarded = Mutex(Guarded())

  var isGiven: Bool { guarded.withLock { $0.answer != nil } }

  /// Called when the answer has been given.
  var onEnd: (@Sendable () -> Void)? {
    get { guarded.withLock { $0.onEnd } }
    set {
      let isGiven = guarded.withLock { guarded in
        guarded.onEnd = newValue
        return guarded.answer != nil
      }
      if isGiven { newValue?() }
    }
  }

  func wait(_ continuation: CheckedContinuation<Void, any Error>) {
    let answer = guarded.withLock { guarded in
      if guarded.answer == nil { guarded.waiting = continuation }
      return guarded.answer
    }
    if let answer { continuation.resume(with: answer) }
  }

  func give(_ answer: Result<Void, any Error>) {
    let (waiting, onEnd) = guarded.withLock {
      guarded -> (CheckedContinuation<Void, any Error>?, (@Sendable () -> Void)?) in
      guard guarded.answer == nil else { return (nil, nil) }
      guarded.answer = answer
      defer { guarded.waiting = nil }
      return (guarded.waiting, guarded.onEnd)
    }
    waiting?.resume(with: answer)
    onEnd?()
  }
}
