internal import Flow

/// Limits the number of streams that run at the same time. The others wait in a queue.
final class ConcurrencyLimit {
  /// A stream that waits or runs.
  private final class Stream {
    let subscription = SerialDisposable()
    let start: (SerialDisposable) -> Void
    var isRunning = false

    init(_ start: @escaping (SerialDisposable) -> Void) { self.start = start }
  }

  private var free: Int
  private var waiting: ArraySlice<Stream> = []

  init(_ count: Int) { free = count }

  /// Returns a stream that starts when fewer streams than the limit are running. It counts until it ends or is disposed
  /// of.
  func limit<Element>(_ work: Observable<Element>) -> Observable<Element> {
    .create { [self] observer in
      let stream = Stream { $0.disposable = work.subscribe { observer.on($0) } }
      waiting.append(stream)
      startNext()
      return AnyDisposable { [self] in
        stream.subscription.dispose()
        guard stream.isRunning else { return }
        free += 1
        startNext()
      }
    }
  }

  private func startNext() {
    while free > 0, let next = waiting.popFirst() {
      if next.subscription.isDisposed { continue }
      free -= 1
      next.isRunning = true
      next.start(next.subscription)
    }
  }
}
