public import Flow

extension ObservableConvertible where Element: Sendable {
  /// The values of the stream from now on, as an asynchronous sequence for tasks and other threads.
  ///
  /// ```swift
  /// let counts = counter.values(on: loop)
  /// Task { for try await count in counts { await show(count) } }
  /// ```
  /// Call it on the loop's thread. It subscribes immediately. The sequence ends with the stream, and with the loop.
  /// Releasing the sequence ends the subscription, and so does cancelling the task that iterates over it.
  ///
  /// - Parameters:
  ///   - loop: the loop on whose thread the stream lives.
  ///   - policy: which values are kept while the reader is slower than the stream. The default keeps all of them.
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

/// Forwards a stream's values into an async sequence, on the loop's thread.
private final class Writer<Element> {
  let subscription = SerialDisposable()
  private let values: AsyncThrowingStream<Element, any Error>.Continuation

  init(_ values: AsyncThrowingStream<Element, any Error>.Continuation) { self.values = values }

  // The sequence has no reader any more, or the loop was deallocated.
  deinit {
    subscription.dispose()
    values.finish()
  }
}
