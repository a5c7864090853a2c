public import Flow

extension ObservableConvertible where Element: Sendable {
  /// What the stream tells from now on, as an asynchronous sequence for tasks and other threads.
  ///
  /// ```swift
  /// let counts = counter.values(on: loop)
  /// Task { for try await count in counts { await show(count) } }
  /// ```
  /// It is called on the loop's thread and subscribes at once. The sequence ends as the stream does, and with the loop.
  /// Letting it go leaves the stream, and so does cancelling the task that iterates over it.
  ///
  /// - Parameters:
  ///   - loop: the loop on whose thread the stream lives.
  ///   - policy: which values are kept for one who is slower than the stream. All of them are, unless it says otherwise.
  /// - Returns: the sequence, for one task to iterate over.
  public func values(
    on loop: EventLoop,
    bufferingPolicy policy: AsyncThrowingStream<Element, any Error>.Continuation.BufferingPolicy = .unbounded
  ) -> AsyncThrowingStream<Element, any Error> {
    let (values, continuation) = AsyncThrowingStream.makeStream(
      of: Element.self, throwing: (any Error).self, bufferingPolicy: policy)
    let writer = Writer(continuation)
    let number = loop.handles.add(writer, isInBackground: true)
    continuation.onTermination = { [mailbox = loop.mailbox] _ in
      mailbox.send { loop in loop.handles.remove(number) }
    }
    writer.subscription.disposable = subscribe { element in
      continuation.yield(element)
    } onError: { error in
      continuation.finish(throwing: error)
    } onCompleted: {
      continuation.finish()
    }
    return values
  }
}

/// One on the loop's thread who puts what a stream tells into a sequence.
private final class Writer<Element> {
  let subscription = SerialDisposable()
  private let values: AsyncThrowingStream<Element, any Error>.Continuation

  init(_ values: AsyncThrowingStream<Element, any Error>.Continuation) { self.values = values }

  // Nobody reads any more, or the loop has gone.
  deinit {
    subscription.dispose()
    values.finish()
  }
}
