public import Nagare

// Observing a view.

extension RemoteView {
  /// Returns the values of an output from now on: the current value first, and then each new one.
  ///
  /// A slow reader gets the latest value of a state and skips older values. It gets every event exactly once; more than
  /// 10,000 unread events throw ``TooManyEvents``. The stream ends when the view is closed. It throws ``ServerDied`` if
  /// the server dies.
  ///
  /// - Parameter output: the output's name.
  /// - Returns: its values.
  public func values(_ output: String) -> AsyncThrowingStream<RawJSON, any Error> {
    kept.stream(output, holding: handle) { update, current in
      switch update {
      case .value(let json): json
      case .items: current.json(output)
      case .opened, .ended: nil
      }
    }
  }

  /// Returns the views that this one opens from now on.
  ///
  /// - Returns: each view, when it has been opened.
  public func navigations() -> AsyncThrowingStream<AnyRemoteView, any Error> {
    kept.stream("navigate", holding: handle) { [weak handle] update, _ in
      guard case .opened(let view) = update, let handle else { return nil }
      return AnyRemoteView(view, handle)
    }
  }

  /// Waits until a condition is true. The condition is checked now and after each notification, so no short-lived value
  /// is missed.
  ///
  /// ```swift
  /// try await inbox.until { try !$0.items.isEmpty }
  /// ```
  /// - Parameter condition: returns whether to stop waiting.
  /// - Throws: the condition's errors; ``ViewClosed`` if the view is closed first, ``ServerDied`` if the server dies.
  public func until(_ condition: @escaping @Sendable (RemoteView) throws -> Bool) async throws {
    let answer = Once()
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        answer.wait(continuation)
        answer.onEnd = kept.await { end in
          if answer.isGiven { return true }
          do {
            if try condition(self) { answer.give(.success(())) } else if let end { answer.give(.failure(end)) }
          } catch {
            answer.give(.failure(error))
          }
          return answer.isGiven
        }
      }
    } onCancel: {
      answer.give(.failure(CancellationError()))
    }
  }

  /// Waits until the view is closed, by either side.
  ///
  /// - Throws: ``ServerDied`` if the server dies.
  public func untilClosed() async throws {
    try await until(\.isClosed)
    if let end = kept.end, !(end is ViewClosed) { throw end }
  }
}

extension ViewState {
  /// Returns a stream of an output's values, as `read` converts them.
  ///
  /// The stream keeps the session alive by its `handle`. The listener must not do so, because the session holds the
  /// listener.
  func stream<Value: Sendable>(
    _ output: String, holding handle: Handle, _ read: @escaping @Sendable (Update, inout Current) throws -> Value?
  ) -> AsyncThrowingStream<Value, any Error> {
    let isLatest = self.read { $0.has(output) }
    let policy: AsyncThrowingStream<Value, any Error>.Continuation.BufferingPolicy =
      isLatest ? .bufferingNewest(1) : .bufferingOldest(EventBacklog.most)
    return AsyncThrowingStream(bufferingPolicy: policy) { continuation in
      let listener = Listener(output) { update, current in
        if case .ended(let error) = update { return continuation.finish(throwing: error) }
        do {
          guard let value = try read(update, &current) else { return }
          if case .dropped = continuation.yield(value), !isLatest {
            continuation.finish(throwing: TooManyEvents(output: output))
          }
        } catch {
          continuation.finish(throwing: error)
        }
      }
      continuation.onTermination = { _ in
        listener.stop()
        withExtendedLifetime(handle) {}
      }
      add(listener, replaying: isLatest)
    }
  }
}
